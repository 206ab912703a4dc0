import { bisect, integral, midpoints } from './mathematics.ts';
import { decimal, onlyOption, optionsWhere, type Solutions } from './solution.ts';

export const jeeAdvancedMathematics: Solutions = {
  // Coordinates of the corners, and the centre as the mean of the corners weighted with the opposite sides.
  'jeeadvanced-2026-01-01-s1-mathematics-01': () => {
    const [a, b, c] = [7, 8, 9];
    const x = bisect((along) => along ** 2 - (along - c) ** 2 - (b ** 2 - a ** 2), -100, 100);
    const y = Math.sqrt(b ** 2 - x ** 2);
    const centre = [(b * c + c * x) / (a + b + c), (c * y) / (a + b + c)];
    return Math.hypot(...centre);
  },
  // Each statement on a grid, or by counting changes of sign.
  'jeeadvanced-2026-01-01-s1-mathematics-02': (question) => {
    const f = (x: number): number => x * Math.abs(x - 4);
    const step = 1e-3;
    const grid = Array.from({ length: 40_000 }, (_, index) => (index - 20_000) * step + step / 2);
    const crossings = grid.filter((x) => f(x) - 3 < 0 !== f(x + step) - 3 < 0).length;
    const corners = grid.map((x) => x + step / 2).filter((x) => Math.abs(f(x + 1e-6) - 2 * f(x) + f(x - 1e-6)) > 1e-7);
    return optionsWhere(question, (text) => {
      if (text.includes('local maximum')) return f(2) > f(2 - step) && f(2) > f(2 + step);
      if (text.includes('differentiable')) return corners.length === 1 && Math.abs((corners[0] ?? 0) - 4) < step;
      if (text.includes('three real')) return crossings === 3;
      return Math.abs(midpoints(f, 0, 5, 50_000) - 25 / 3) < 1e-3;
    }).join(',');
  },
  // All 729 numbers.
  'jeeadvanced-2026-01-01-s1-mathematics-03': () => {
    let found = 0;
    for (let code = 0; code < 3 ** 6; code += 1) {
      const digits = code.toString(3).padStart(6, '0');
      if (!/02|20/.test(digits)) found += 1;
    }
    return found;
  },
  // The area under the derivative of y/x.
  'jeeadvanced-2026-01-01-s1-mathematics-04': () =>
    decimal(2 * (1 - 1 / Math.E + integral((x) => Math.exp(-x), 1, 2)), 2),
  // Each quantity along the normal or along the line.
  'jeeadvanced-2026-01-01-s1-mathematics-05': (question) => {
    const height = ([x, y, z]: readonly [number, number, number]): number => 2 * x - y + 2 * z;
    const along = (t: number): [number, number, number] => [2 * t, -t, 2 * t];
    const foot = bisect((t) => height(along(t)) - 9, -100, 100);
    const other = bisect((t) => height(along(t)) + 3, -100, 100);
    const crossing = bisect((t) => height([t, 2 + t, 4 + t]) - 9, -100, 100);
    const values = {
      P: Math.hypot(...along(foot)),
      Q: along(foot)[0],
      R: 4 + crossing,
      S: Math.hypot(...along(foot - other)),
    };
    const match = Object.entries(values).map(([name, value]) => `${name}-${decimal(value)}`);
    return onlyOption(question, (text) => text === match.join(', '));
  },
};
