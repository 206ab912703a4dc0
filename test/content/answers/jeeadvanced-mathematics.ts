import {
  bisect,
  cross,
  dot,
  integral,
  length,
  minus,
  permutations,
  plus,
  type Real,
  scaled,
  total,
  tuples,
  type Vector,
} from './mathematics.ts';
import { decimal, onlyOption, optionsWhere, type Solutions } from './solution.ts';

export const jeeAdvancedMathematics: Solutions = {
  // By the power of I with respect to the circumscribed circle, AI times ID is R squared less OI squared.
  'jeeadvanced-2026-01-01-s1-mathematics-01': () => {
    const apex = [(81 + 64 - 49) / 18, Math.sqrt(64 - ((81 + 64 - 49) / 18) ** 2)] as const; // C; A = (0, 0), B = (9, 0)
    const centre = [(8 * 9 + 9 * apex[0]) / 24, (9 * apex[1]) / 24] as const;
    const height = (apex[0] ** 2 + apex[1] ** 2 - 9 * apex[0]) / (2 * apex[1]); // O = (4.5, height)
    const power = 4.5 ** 2 + height ** 2 - (centre[0] - 4.5) ** 2 - (centre[1] - height) ** 2;
    return power / Math.hypot(...centre);
  },
  // Three bulbs in every order from every box.
  'jeeadvanced-2026-01-01-s1-mathematics-02': () => {
    const draws = [3, 2, 1].flatMap((weight, i) =>
      permutations([0, 1, 2, 3, 4, 5]).map((order) => ({
        weight,
        drawn: order.map((bulb) => Number(bulb <= i)),
      })),
    );
    const given = draws.filter(({ drawn: [first, second] }) => first !== second);
    return (
      total(given.map(({ weight, drawn }) => weight * (drawn[2] ?? 0))) /
      total(given.map(({ weight }) => weight))
    );
  },
  // Each statement by counting changes of sign.
  'jeeadvanced-2026-01-01-s1-mathematics-05': (question) => {
    const f = (x: number): number => (x ** 2 - 3) * Math.exp(x);
    const slope = (g: Real, x: number): number => (g(x + 1e-5) - g(x - 1e-5)) / 2e-5;
    const heights = [-6, -5, -1, -0.1, 0.02, 0.1, 0.29, 0.31, 1, 9];
    return optionsWhere(question, (text) => {
      if (text.includes('three distinct'))
        return heights.every(
          (k) => (changes((x) => f(x) - k) === 3) === (k > 0 && k < 6 / Math.exp(3)),
        );
      if (text.includes('inflection')) return changes((x) => slope((t) => slope(f, t), x)) === 2;
      if (text.includes('inverse'))
        return Math.abs(slope(f, Math.sqrt(3)) - Math.sqrt(12) * Math.exp(Math.sqrt(3))) < 1e-3;
      return changes((x) => slope((t) => Math.abs(f(t)), x)) === 3;
    }).join(',');
  },
  // All 729 numbers.
  'jeeadvanced-2026-01-01-s1-mathematics-08': () =>
    tuples([1, 2, 3], 6).filter((digits) => !/13|31/.test(digits.join(''))).length,
  // All choices of one term from each factor.
  'jeeadvanced-2026-01-01-s1-mathematics-09': () =>
    tuples([0, 1, 2, 3], 6).filter((powers) => total(powers) % 3 === 1).length,
  // Three such vectors; the distance by their components.
  'jeeadvanced-2026-01-01-s1-mathematics-10': () => {
    const root = Math.sqrt(3);
    const a: Vector = [1, 0, 0];
    const b: Vector = scaled([1 / 2, root / 2, 0], 2);
    const c: Vector = scaled([1 / 2, root / 6, Math.sqrt(2 / 3)], 3);
    const normal = cross(minus(b, a), minus(c, a));
    return (25 * dot(a, normal) ** 2) / dot(normal, normal);
  },
  'jeeadvanced-2026-01-01-s1-mathematics-11': () =>
    (64 / Math.PI ** 2) *
    integral((x) => (Math.abs(x) * Math.sin(x) ** 4) / (1 + 3 ** Math.sin(x)), -Math.PI, Math.PI),
  // With the first term 1, the common difference from the three terms and the numbers of the terms from the ratio.
  'jeeadvanced-2026-01-01-s1-mathematics-12': () => {
    const d = bisect((step) => (1 + 4 * step) ** 2 - (1 + step) * (1 + 13 * step), 0.1, 10);
    const terms = integers(0, 5).map((power) => (1 + d) * ((1 + 4 * d) / (1 + d)) ** power);
    return total(terms.map((term) => (term - 1) / d + 1));
  },
  // Changes of sign for every k that can matter.
  'jeeadvanced-2026-01-01-s1-mathematics-13': () =>
    integers(-60, 60).filter(
      (k) => changes((x) => Math.abs(x) ** 3 - 3 * x ** 2 - 9 * Math.abs(x) + k) === 4,
    ).length,
  // Each quantity along a line; the projection is that of the two feet. List-II descends from 5.
  'jeeadvanced-2026-01-01-s1-mathematics-14': (question) => {
    const normal = cross([1, 2, 0], [0, 2, 1]);
    const steps = (from: Vector, direction: Vector): number =>
      bisect(
        (t) => dot(normal, plus(from, scaled(direction, t))) - dot(normal, [1, 1, 0]),
        -100,
        100,
      );
    const foot = (from: Vector): Vector => plus(from, scaled(normal, steps(from, normal)));
    const between = (a: Vector, b: Vector): number => length(plus(a, scaled(b, -1)));
    const values = {
      P: between([3, 1, 1], foot([3, 1, 1])),
      Q: plus(scaled(foot([5, 2, 1]), 2), [-5, -2, -1])[1],
      R: between(foot([1, 0, 1]), foot([5, 1, 2])),
      S: length(scaled([0, 3, 4], steps([2, 0, 1], [0, 3, 4]))),
    };
    const match = Object.entries(values).map(
      ([name, value]) => `(${name}) → (${decimal(6 - value)})`,
    );
    return onlyOption(question, (text) => text === match.join(', '));
  },
  // Changes of sign, from a little below 0 to a little above 2 pi.
  'jeeadvanced-2026-01-01-s2-mathematics-01': () =>
    changes(
      (x) => Math.sin(5 * x) - 4 * Math.sin(x) * Math.cos(2 * x) ** 2,
      -1e-3,
      2 * Math.PI + 1e-3,
    ),
  // The curve in small steps at right angles to its normals.
  'jeeadvanced-2026-01-01-s2-mathematics-04': () => {
    let y = 1;
    for (let x = 1; x < Math.SQRT2; x += 1e-5) y += (1e-5 * (x - y ** 2 / x)) / y;
    return y;
  },
  // The sum of the powers, one after the other.
  'jeeadvanced-2026-01-01-s2-mathematics-09': () => {
    let [a, b, c, d] = [1, 0, 0, 1];
    let difference = 0;
    for (let power = 1; power <= 20; power += 1) {
      [a, b, c, d] = [7 * a + 4 * b, -9 * a - 5 * b, 7 * c + 4 * d, -9 * c - 5 * d];
      difference += a - d;
    }
    return difference;
  },
  // All 2187 ways.
  'jeeadvanced-2026-01-01-s2-mathematics-10': () =>
    tuples([0, 1, 2], 7).filter((owners) => {
      const [a = 0, b = 0, c = 0] = [0, 1, 2].map(
        (student) => owners.filter((owner) => owner === student).length,
      );
      return a > b && b > 0 && c > 0;
    }).length,
  // The values of f on a fine grid, from those next to 0.
  'jeeadvanced-2026-01-01-s2-mathematics-11': () => {
    const h = 1e-5;
    const reach = (end: number): number[] => {
      const step = Math.sign(end) * h;
      const values = [0];
      for (let i = 0; i < Math.abs(end) / h; i += 1)
        values.push((values[i] ?? 0) - 12 * step + 3 * i * step ** 2 * (i + 1) * step);
      return values;
    };
    const values = [...reach(-3), ...reach(5)];
    return values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
  },
  // The point whose triangle has the inradius 2, from its sides.
  'jeeadvanced-2026-01-01-s2-mathematics-12': () => {
    const point = (t: number): [number, number] => [13 * Math.cos(t), 12 * Math.sin(t)];
    const inradius = (t: number): number => {
      const [x, y] = point(t);
      return (10 * y) / (10 + Math.hypot(x - 5, y) + Math.hypot(x + 5, y));
    };
    return Math.hypot(...point(bisect((t) => inradius(t) - 2, 0, Math.PI / 2))) ** 2;
  },
  // The greater modulus of the roots for all pairs that can matter.
  'jeeadvanced-2026-01-01-s2-mathematics-13': () => {
    const greatest = (p: number, q: number): number =>
      p ** 2 < 4 * q ? Math.sqrt(q) : (Math.abs(p) + Math.sqrt(p ** 2 - 4 * q)) / 2;
    return integers(-9, 9).flatMap((p) => integers(-9, 9).filter((q) => greatest(p, q) < 2)).length;
  },
  // All 1296 matrices.
  'jeeadvanced-2026-01-01-s2-mathematics-14': () =>
    tuples([0, 1, 2, 3, 4, 5], 4).filter(
      ([a = 0, b = 0, c = 0, d = 0]) =>
        a * a + b * c === 5 * a &&
        a * b + b * d === 5 * b &&
        c * a + d * c === 5 * c &&
        c * b + d * d === 5 * d,
    ).length,
  'jeeadvanced-2024-01-01-s2-mathematics-01': () => decimal(seriesWon(0), 2),
  'jeeadvanced-2024-01-01-s2-mathematics-02': () =>
    decimal((0.4 * seriesWon(-1)) / seriesWon(0), 2),
  // f(x)/x from its derivative, at every x.
  'jeeadvanced-2026-01-01-s2-mathematics-15': () => {
    const f = (x: number): number => x * (1 - 1 / Math.E + integral((t) => Math.exp(-t), 1, x));
    return decimal(integral(f, 1, 2), 2);
  },
  // All 216 outcomes.
  'jeeadvanced-2026-01-01-s2-mathematics-08': (question) => {
    const all = tuples([1, 2, 3, 4, 5, 6], 3);
    const e = (dice: number[]): boolean => total(dice) % 3 === 0;
    const f = (dice: number[]): boolean => new Set(dice).size === 3;
    const g = (dice: number[]): boolean => dice.some((number) => number % 3 === 0);
    const part = (test: (dice: number[]) => boolean): number => all.filter(test).length / 216;
    const both = part((dice) => e(dice) && f(dice));
    const either = part((dice) => e(dice) || f(dice));
    const near = (a: number, b: number): boolean => Math.abs(a - b) < 1e-9;
    return optionsWhere(question, (text) => {
      if (text.includes('independent')) return near(both, part(e) * part(f));
      if (text.includes('cup')) return near(either, 2 / 3);
      if (text.includes('mid')) return near(part((dice) => f(dice) && g(dice)) / part(f), 19 / 27);
      return all.every((dice) => !(e(dice) && f(dice)) || g(dice));
    }).join(',');
  },
  // Components, with a along the x-axis: r has the first one of b, and its second one is searched for.
  'jeeadvanced-2026-01-01-s2-mathematics-16': () => {
    const [first, second] = [6 / 2, Math.sqrt(7 ** 2 - (6 / 2) ** 2)];
    const r = (y: number): Vector => [first, y, 2 * y];
    const y = bisect((at) => plus(r(at), cross(r(at), [2, 0, 0]))[1] - second, 0, 10);
    return length(r(y)) ** 2;
  },
};

/** The probability that A wins the match, with a lead of so many games, in at most `games` games. */
function seriesWon(lead: number, games = 24): number {
  if (Math.abs(lead) === 2 || games === 0) return Number(lead === 2);
  return 0.6 * seriesWon(lead + 1, games - 1) + 0.4 * seriesWon(lead - 1, games - 1);
}

function integers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** How often `f` changes its sign on a fine grid. */
function changes(f: Real, low = -9.9, high = 10): number {
  const points = integers(0, 20_000).map(
    (index) => f(low + ((high - low) * (index + 0.3)) / 20_000) < 0,
  );
  return points.filter((isNegative, index) => index > 0 && isNegative !== points[index - 1]).length;
}
