import assert from 'node:assert/strict';
import {
  assertSame,
  bisect,
  dot,
  integral,
  length,
  mean,
  midpoints,
  minus,
  permutations,
  total,
  tuples,
  type Vector,
} from './mathematics.ts';
import { onlyOption, optionStating, quantity, type Solutions } from './solution.ts';

export const completeMathematics: Solutions = {
  'jeemain-2026-01-01-s1-mathematics-02': () => Math.cos(2 * Math.asin(3 / 5) + Math.acos(5 / 13)),
  // All choices of a term from each of the ten factors.
  'jeemain-2026-01-01-s1-mathematics-03': (question) => {
    const choices = tuples([2, -1], 9).map((powers) => ({
      power: total(powers),
      sign: (-1) ** powers.filter((p) => p < 0).length,
    }));
    const sum = (power: number) =>
      total(choices.filter((one) => one.power === power).map(({ sign }) => sign));
    return optionStating(question, sum(0) + 2 * sum(-3));
  },
  // The options are a factor, which may be missing, and the logarithm of a fraction.
  'jeemain-2026-01-01-s1-mathematics-05': (question) => {
    const value = integral((x) => 1 / (x * (x ** 3 + 1)), 1, 2);
    return onlyOption(question, (text) => {
      const [factor = '', fraction = ''] = text.split('\\log_e');
      const power = /frac/.test(factor)
        ? quantity(factor.replace(/frac(.)(.)/, 'frac{$1}{$2}'))
        : 1;
      const base = quantity(fraction.replace(/frac(\d)(\d)/, 'frac{$1}{$2}'));
      return Math.abs(base ** power - Math.exp(value)) < 1e-6;
    });
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
  // The height of the region at each x, added up.
  'jeemain-2026-01-01-s1-mathematics-11': () =>
    midpoints((x) => Math.max(0, 3 - Math.abs(x * x - 1)), -3, 3, 60_000),
  // Bisect for the point at which the triangle has this area.
  'jeemain-2026-01-01-s1-mathematics-12': () => {
    const x = bisect((at) => 5 * 3 * Math.sqrt((at * at) / 16 - 1) - 15, 4, 40);
    const y = 3 * Math.sqrt((x * x) / 16 - 1);
    return Math.hypot(x + 5, y) * Math.hypot(x - 5, y);
  },
  // Observations with these means and variances.
  'jeemain-2026-01-01-s1-mathematics-13': () => {
    const all = [9, 15]
      .flatMap((one) => Array<number>(10).fill(one))
      .concat([15, 19].flatMap((one) => Array<number>(15).fill(one)));
    return mean(all.map((one) => (one - mean(all)) ** 2));
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
    for (const x of [0, 0.3, 1])
      assertSame([f(x), 24 * x * x + integral((t) => (x + 2 * t) * f(t), 0, 1)]);
    return f(1);
  },
  // Turn a chord about the focus until one part is three times the other.
  'jeemain-2026-01-01-s1-mathematics-18': (question) => {
    const part = (turn: number) =>
      bisect((s) => (s * Math.sin(turn)) ** 2 - 12 * (3 + s * Math.cos(turn)), 0, 100);
    const turn = bisect((one) => part(one) - 3 * part(one + Math.PI), 0.5, 1.5);
    const area = (3 * Math.sin(turn) * (part(turn) + part(turn + Math.PI))) / 2;
    return optionStating(question, area);
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
    const values = new Set(
      range.flatMap((a) => range.filter((b) => a * b === a + b + 5).map((b) => a * b)),
    );
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
  // b = a and c = 2 a, without which there is no limit; bisect for a.
  'jeemain-2026-01-01-s1-mathematics-24': () => {
    const x = 1e-3;
    const quotient = (a: number) => (a * (Math.exp(2 * x) - Math.cos(x) - 2 * x)) / (x * x);
    return Math.round(4 * bisect((a) => quotient(a) - 10, 0, 100) * 10) / 10;
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
  'jeemain-2026-01-01-s1-mathematics-04': (question) => {
    const terms = Array.from({ length: 10 }, (_, n) => (2 * n + 3) / ((n + 1) * (n + 2)) ** 2);
    return optionStating(question, total(terms), 1e-4);
  },
};
