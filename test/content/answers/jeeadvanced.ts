import assert from 'node:assert/strict';
import { bisect, midpoints } from './mathematics.ts';
import { decimal, onlyOption, optionsWhere, quantity, type Solutions } from './solution.ts';

export const jeeAdvanced: Solutions = {
  // The potential, in units of V0, from the field of the charges on the sphere and on both faces of the shell.
  'jeeadvanced-2026-01-01-s1-physics-01': (question) => {
    const field = (r: number): number => (r < 1 || (r > 2 && r < 3) ? 0 : 1 / r ** 2);
    // From infinity to 4 R, the potential of a point charge.
    const potential = (r: number): number => 1 / 4 + midpoints(field, r, 4, 40_000);
    const values: [number, string][] = [
      [0.5, '5/6 from r = 0 to R'],
      [2.5, '1/3 from 2R to 3R'],
      [4, '1/4 at 4R'],
    ];
    for (const [r, text] of values) {
      const [, top = '', bottom = ''] = /(\d)\/(\d)/.exec(text) ?? [];
      assert.ok(Math.abs(potential(r) - Number(top) / Number(bottom)) < 1e-3, text);
    }
    const keys = question.options.filter(({ diagram }) => values.every(([, text]) => diagram?.alt?.includes(text)));
    assert.equal(keys.length, 1);
    return keys[0]?.key ?? '';
  },
  // The motion in small steps, for a disc of mass 1 kg, until the disc rolls.
  'jeeadvanced-2026-01-01-s1-physics-02': (question) => {
    const [radius, friction] = [0.2, 0.25 * 10];
    const inertia = radius ** 2 / 2;
    const step = 1e-6;
    let [time, distance, speed, spin] = [0, 0, 0, 60];
    const energy = (): number => speed ** 2 / 2 + (inertia * spin ** 2) / 2;
    const before = energy();
    while (speed < spin * radius) {
      distance += speed * step;
      speed += friction * step;
      spin -= ((friction * radius) / inertia) * step;
      time += step;
    }
    const near = (a: number, b: number): boolean => Math.abs(a - b) < 1e-3 * b;
    return optionsWhere(question, (text) => {
      if (text.includes('slips on the floor')) return near(time, quantity(text));
      if (text.includes('finally moves')) return near(speed, quantity(text));
      if (text.includes('while the disc slips')) return near(distance, quantity(text));
      assert.match(text, /two thirds/);
      return near(1 - energy() / before, 2 / 3);
    }).join(',');
  },
  // Discharge in small steps of time; ln 5 is given with three figures.
  'jeeadvanced-2026-01-01-s1-physics-03': () => {
    const [capacitance, resistance, step] = [5e-6, 2e3, 1e-8];
    let [voltage, time] = [100, 0];
    while (voltage ** 2 > 100 ** 2 / 5) {
      voltage -= (voltage / (resistance * capacitance)) * step;
      time += step;
    }
    return decimal(1000 * time, 2);
  },
  // The speed at which the forces balance.
  'jeeadvanced-2026-01-01-s1-physics-04': () => bisect((speed) => railForce(speed) - 0.4 * 10, 0, 100),
  'jeeadvanced-2026-01-01-s1-physics-05': () => {
    const acceleration = (0.4 * 10 - railForce(1.5)) / (0.4 + 0.6);
    return decimal(0.6 * acceleration + railForce(1.5), 1);
  },
  // The motion in small steps, and the heat of the current; e^-1 is given with three figures.
  'jeeadvanced-2026-01-01-s1-physics-06': (question) => {
    const step = 1e-6;
    let [speed, heat] = [0, 0];
    for (let index = 0; index < 0.5 / step; index += 1) {
      heat += railForce(speed) * speed * step;
      speed += (0.4 * 10 - railForce(speed)) * step;
    }
    const { min, max } = question.answerRange ?? { min: '', max: '' };
    assert.ok(heat > Number(min) && heat < Number(max), String(heat));
    const exponential = 0.368;
    const end = 2 * (1 - exponential);
    const distance = 2 * 0.5 - (1 - exponential);
    return decimal(0.4 * 10 * distance - ((0.4 + 0.6) * end ** 2) / 2, 2);
  },
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
  // Runge-Kutta from 1 to 2.
  'jeeadvanced-2026-01-01-s1-mathematics-04': () => {
    const slope = (x: number, y: number): number => y / x + x * Math.exp(-x);
    const steps = 1000;
    const h = 1 / steps;
    let y = 1 - 1 / Math.E;
    for (let index = 0; index < steps; index += 1) {
      const x = 1 + index * h;
      const k1 = slope(x, y);
      const k2 = slope(x + h / 2, y + (h / 2) * k1);
      const k3 = slope(x + h / 2, y + (h / 2) * k2);
      const k4 = slope(x + h, y + h * k3);
      y += (h / 6) * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return decimal(y, 2);
  },
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

/** The magnetic force, in newtons, on the rod of the passage at a speed in metres per second. */
function railForce(speed: number): number {
  const current = (4 * 0.5 * speed) / 2;
  return 4 * 0.5 * current;
}
