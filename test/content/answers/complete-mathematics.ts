import assert from 'node:assert/strict';
import {
  assertSame,
  bisect,
  cross,
  dot,
  integral,
  length,
  mean,
  midpoints,
  minus,
  permutations,
  plus,
  type Real,
  scaled,
  total,
  tuples,
  type Vector,
} from './mathematics.ts';
import { onlyOption, optionStating, type Solutions, statements } from './solution.ts';

export const completeMathematics: Solutions = {
  // Add the pairs that symmetry and transitivity require until none is missing; then the same with all (a, a).
  'jeemain-2026-01-01-s1-mathematics-01': () => {
    const given: Point[] = [
      [1, 2],
      [2, 3],
      [4, 5],
      [6, 6],
    ];
    const closed = (start: readonly Point[]) => {
      const pairs = new Map(start.map((pair) => [pair.join(), pair]));
      for (let size = -1; size !== pairs.size; ) {
        size = pairs.size;
        for (const [a, b] of [...pairs.values()]) {
          pairs.set(`${b},${a}`, [b, a]);
          for (const [c, d] of [...pairs.values()]) if (b === c) pairs.set(`${a},${d}`, [a, d]);
        }
      }
      return pairs.size - given.length;
    };
    const all = [1, 2, 3, 4, 5, 6, 7].map((a): Point => [a, a]);
    return closed(given) + closed([...given, ...all]);
  },
  'jeemain-2026-01-01-s1-mathematics-02': () => Math.cos(2 * Math.asin(3 / 5) + Math.acos(5 / 13)),
  // All choices of a term from each of the ten factors.
  'jeemain-2026-01-01-s1-mathematics-03': (question) => {
    const choices = tuples([2, -1], 9).map((powers) => ({
      power: total(powers),
      sign: (-1) ** powers.filter((p) => p < 0).length,
    }));
    const sum = (power: number) => total(choices.filter((one) => one.power === power).map(({ sign }) => sign));
    return optionStating(question, sum(0) + 2 * sum(-3));
  },
  // Simpson's rule on both sides of the corner at 0.
  'jeemain-2026-01-01-s1-mathematics-05': () => {
    const f = (x: number) => (3 * x * x + Math.abs(x)) / (1 + 5 ** x);
    return integral(f, -2, 0) + integral(f, 0, 2);
  },
  // Each function on a fine grid: strictly monotonic or not, and reaching both far below and far above 0.
  'jeemain-2026-01-01-s1-mathematics-08': (question) => {
    const functions: Record<string, Real> = {
      A: (x) => x ** 3 - 3 * x,
      B: (x) => x / (1 + Math.abs(x)),
      C: (x) => x * Math.abs(x),
      D: (x) => x * x * Math.exp(-x),
    };
    const kind = (f: Real) => {
      const values = Array.from({ length: 40_001 }, (_, index) => f((index - 20_000) / 1000));
      const isOneOne = values.every((value, at) => at === 0 || value > (values[at - 1] ?? Number.NaN));
      const isOnto = Math.min(...values) < -100 && Math.max(...values) > 100;
      return isOneOne ? (isOnto ? 'I' : 'II') : isOnto ? 'III' : 'IV';
    };
    const match = Object.entries(functions).map(([name, f]) => `${name}-${kind(f)}`);
    return onlyOption(question, (text) => text.replace(/[()]/g, '') === match.join(', '));
  },
  // The greatest and the least distance of w from the centre of the ellipse.
  'jeemain-2026-01-01-s1-mathematics-09': () => {
    const distances = Array.from({ length: 3600 }, (_, index) => {
      const turn = (index * Math.PI) / 1800;
      const [x, y] = [2 * Math.cos(turn), 2 * Math.sin(turn)];
      const square = x * x + y * y;
      return Math.hypot(x + (3 * x) / square, y - (3 * y) / square);
    });
    const ratio = Math.min(...distances) / Math.max(...distances);
    return Math.sqrt(1 - ratio * ratio);
  },
  // f by adding up its derivative in small steps.
  'jeemain-2026-01-01-s1-mathematics-10': () => {
    const corners: Point[] = [
      [0, 2],
      [2, -2],
      [4, -2],
      [6, 2],
      [8, 4],
    ];
    const derivative = (x: number) => {
      const at = corners.findIndex(([end]) => end >= x);
      const [[a, u], [b, v]] = [corners[at - 1] ?? [0, 2], corners[at] ?? [0, 2]];
      return u + ((v - u) * (x - a)) / (b - a);
    };
    const values = [0];
    for (let step = 0; step < 8000; step += 1)
      values.push((values[step] ?? 0) + derivative((step + 0.5) / 1000) / 1000);
    return Math.max(...values) - Math.min(...values);
  },
  // The height of the region at each x, added up.
  'jeemain-2026-01-01-s1-mathematics-11': () => midpoints((x) => Math.max(0, 3 - Math.abs(x * x - 1)), -3, 3, 60_000),
  // Bisect for the point of the ellipse that is on the hyperbola; the angle from its vectors to the foci.
  'jeemain-2026-01-01-s1-mathematics-12': () => {
    const focus = Math.sqrt(25 - 16);
    const point = (turn: number): Point => [5 * Math.cos(turn), 4 * Math.sin(turn)];
    const difference = (turn: number) => {
      const [x, y] = point(turn);
      return Math.hypot(x + focus, y) - Math.hypot(x - focus, y);
    };
    const [x, y] = point(bisect((turn) => difference(turn) - (2 * focus) / 1.5, 0, Math.PI / 2));
    const product = (x + focus) * (x - focus) + y * y;
    return product / (Math.hypot(x + focus, y) * Math.hypot(x - focus, y));
  },
  // Observations with these means and variances.
  'jeemain-2026-01-01-s1-mathematics-13': () => {
    const all = [9, 15]
      .flatMap((one) => Array<number>(10).fill(one))
      .concat([15, 19].flatMap((one) => Array<number>(15).fill(one)));
    return mean(all.map((one) => (one - mean(all)) ** 2));
  },
  // Both determinants for many skew-symmetric matrices.
  'jeemain-2026-01-01-s1-mathematics-14': (question) => {
    const entries = [-3, -1.5, -1, -0.2, 0, 0.7, 1, 2];
    const matrices = tuples(entries, 3).filter((above) => above.some((entry) => entry !== 0));
    const rows = (diagonal: number, [a = 0, b = 0, c = 0]: readonly number[]): [Vector, Vector, Vector] => [
      [diagonal, a, b],
      [-a, diagonal, c],
      [-b, -c, diagonal],
    ];
    const size = ([first, second, third]: [Vector, Vector, Vector]) => dot(first, cross(second, third));
    const isFirst = matrices.every((above) => Math.abs(size(rows(0, above))) < 1e-12);
    const isSecond = matrices.some((above) => size(rows(1, above)) < 1);
    return statements(question, isFirst, isSecond);
  },
  // Where the slopes of neighbouring short chords differ.
  'jeemain-2026-01-01-s1-mathematics-15': () => {
    const f = (x: number) => Math.abs(Math.abs(x * x - 4) - 3);
    const step = 1e-4;
    let corners = 0;
    let last = Number.NEGATIVE_INFINITY;
    for (let index = -50_000; index <= 50_000; index += 1) {
      const x = index * step;
      const change = (f(x + step) - 2 * f(x) + f(x - step)) / step;
      if (Math.abs(change) < 0.5) continue;
      if (x - last > 10 * step) corners += 1;
      last = x;
    }
    return corners;
  },
  // The solution in small steps, each with the slope in its middle.
  'jeemain-2026-01-01-s1-mathematics-16': () => {
    const slope = (x: number, y: number) => (x * x + 3 * y * y) / (2 * x * y);
    let y = 1;
    for (let x = 1; x < 1.99995; x += 1e-4) y += 1e-4 * slope(x + 5e-5, y + 5e-5 * slope(x, y));
    return y;
  },
  // The two integrals are unknowns of two linear equations; the result is put into the equation again.
  'jeemain-2026-01-01-s1-mathematics-17': () => {
    const moment = (power: number) => integral((t) => t ** power, 0, 1);
    // a = 24 m2 + a m1 + 2 b m0 and b = 24 m3 + a m2 + 2 b m1.
    const [p, q, u] = [1 - moment(1), -2 * moment(0), 24 * moment(2)];
    const [r, s, v] = [-moment(2), 1 - 2 * moment(1), 24 * moment(3)];
    const scale = p * s - q * r;
    const [a, b] = [(u * s - q * v) / scale, (p * v - u * r) / scale];
    const f = (x: number) => 24 * x * x + a * x + 2 * b;
    for (const x of [0, 0.3, 1]) assertSame([f(x), 24 * x * x + integral((t) => (x + 2 * t) * f(t), 0, 1)]);
    return f(1);
  },
  // Turn a chord about the focus until one part is three times the other.
  'jeemain-2026-01-01-s1-mathematics-18': (question) => {
    const part = (turn: number) => bisect((s) => (s * Math.sin(turn)) ** 2 - 12 * (3 + s * Math.cos(turn)), 0, 100);
    const turn = bisect((one) => part(one) - 3 * part(one + Math.PI), 0.5, 1.5);
    const area = (3 * Math.sin(turn) * (part(turn) + part(turn + Math.PI))) / 2;
    return optionStating(question, area);
  },
  // The least distance over both parameters, by alternate steps; it grows with lambda from its zero on.
  'jeemain-2026-01-01-s1-mathematics-19': () => {
    const first: Vector = [2, 1, 2];
    const second: Vector = [1, 2, -2];
    const distance = (lambda: number) => {
      let [s, t] = [0, 0];
      const gap = () => minus(plus([1, 2, -1], scaled(first, s)), plus([3, 1, lambda], scaled(second, t)));
      for (let round = 0; round < 100; round += 1) {
        s -= dot(gap(), first) / 9;
        t += dot(gap(), second) / 9;
      }
      return length(gap());
    };
    return bisect((lambda) => distance(lambda) - 4, 5, 50);
  },
  // All 220 draws.
  'jeemain-2026-01-01-s1-mathematics-20': () => {
    const cards = Array.from({ length: 12 }, (_, index) => index + 1);
    const draws = tuples(cards, 3).filter(([a = 0, b = 0, c = 0]) => a < b && b < c);
    assert.equal(draws.length, 220);
    const fitting = draws.filter((draw) => total(draw) % 3 === 0);
    const right = fitting.filter((draw) => draw.some((number) => number % 3 === 0));
    return right.length / fitting.length;
  },
  // All 5040 permutations.
  'jeemain-2026-01-01-s1-mathematics-21': () => {
    const found = permutations([1, 2, 3, 4, 5, 6, 7]).filter(
      ([first = 0, second = 0, third = 0]) => second - first === third - second,
    );
    return found.length;
  },
  // All pairs of integers in a wide range whose sum and product agree on m.
  'jeemain-2026-01-01-s1-mathematics-22': () => {
    const range = Array.from({ length: 401 }, (_, index) => index - 200);
    const values = new Set(range.flatMap((a) => range.filter((b) => a * b === a + b + 5).map((b) => a * b)));
    return total([...values]);
  },
  // All 729 matrices, squared.
  'jeemain-2026-01-01-s1-mathematics-23': () => {
    const found = tuples([-1, 0, 1], 6).filter(([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]) => {
      const rows: Vector[] = [
        [a, d, e],
        [d, b, f],
        [e, f, c],
      ];
      const columns = rows;
      return total(rows.map((row, at) => dot(row, columns[at] ?? [0, 0, 0]))) === 4;
    });
    return found.length;
  },
  // The changes of sign a little below and a little above each k, which differ where the graph only touches.
  'jeemain-2026-01-01-s1-mathematics-24': () => {
    const f = (x: number) => Math.abs(x ** 3 - 3 * x ** 2 - 9 * x);
    const values = Array.from({ length: 20_001 }, (_, index) => f(index / 1000 - 10));
    const count = (k: number) => values.filter((value, at) => (value - k) * ((values[at + 1] ?? value) - k) < 0).length;
    const integers = Array.from({ length: 100 }, (_, k) => k);
    return integers.filter((k) => count(k - 1e-3) === 4 && count(k + 1e-3) === 4).length;
  },
  // Both parameters from x and y by Cramer's rule; k from z.
  'jeemain-2026-01-01-s1-mathematics-25': () => {
    // 2 s - t = 1 and 2 s - 2 t = -2.
    const scale = 2 * -2 - -1 * 2;
    const [s, t] = [(1 * -2 - -1 * -2) / scale, (2 * -2 - 2 * 1) / scale];
    const point: Vector = [2 + t, -2 + 2 * t, 7 - 2 * t];
    const k = bisect((value) => value - s - point[2], -100, 100);
    assertSame([length(minus(point, [1 + 2 * s, 2 * s, k - s])), 0]);
    return dot(point, point);
  },
};

type Point = [number, number];
