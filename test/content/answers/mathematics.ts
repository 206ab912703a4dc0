/** Numerical methods, vectors and combinations that solutions share. */
import assert from 'node:assert/strict';

export type Vector = [number, number, number];

export type Real = (x: number) => number;

/** A zero of `f` between `low` and `high`, where it changes its sign. */
export function bisect(f: Real, low: number, high: number): number {
  const isRising = f(low) < 0;
  assert.ok(isRising ? f(high) > 0 : f(low) > 0 && f(high) < 0, 'no change of sign');
  let [from, to] = [low, high];
  for (let step = 0; step < 100; step += 1) {
    const middle = (from + to) / 2;
    if (f(middle) < 0 === isRising) from = middle;
    else to = middle;
  }
  return (from + to) / 2;
}

/** Simpson's rule. */
export function integral(f: Real, low: number, high: number): number {
  const pieces = 2000;
  const step = (high - low) / pieces;
  let area = f(low) + f(high);
  for (let index = 1; index < pieces; index += 1)
    area += f(low + index * step) * (index % 2 === 1 ? 4 : 2);
  return (area * step) / 3;
}

export function midpoints(f: Real, low: number, high: number, pieces: number): number {
  const step = (high - low) / pieces;
  let area = 0;
  for (let index = 0; index < pieces; index += 1) area += f(low + (index + 0.5) * step) * step;
  return area;
}

export function plus([a, b, c]: Vector, [d, e, f]: Vector): Vector {
  return [a + d, b + e, c + f];
}

export function minus(first: Vector, second: Vector): Vector {
  return plus(first, scaled(second, -1));
}

export function scaled([a, b, c]: Vector, factor: number): Vector {
  return [a * factor, b * factor, c * factor];
}

export function dot([a, b, c]: Vector, [d, e, f]: Vector): number {
  return a * d + b * e + c * f;
}

export function cross([a, b, c]: Vector, [d, e, f]: Vector): Vector {
  return [b * f - c * e, c * d - a * f, a * e - b * d];
}

export function length(vector: Vector): number {
  return Math.hypot(...vector);
}

/** All sequences of `count` values. */
export function tuples(values: readonly number[], count: number): number[][] {
  if (count === 0) return [[]];
  return tuples(values, count - 1).flatMap((start) => values.map((value) => [...start, value]));
}

export function permutations(values: readonly number[]): number[][] {
  if (values.length === 0) return [[]];
  return values.flatMap((value) =>
    permutations(values.filter((other) => other !== value)).map((rest) => [value, ...rest]),
  );
}

export function total(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

export function mean(values: readonly number[]): number {
  return total(values) / values.length;
}

export function assertSame(values: readonly number[]): void {
  const [first = Number.NaN] = values;
  for (const value of values)
    assert.ok(Math.abs(value - first) < 1e-6, `${values.join(' and ')} differ`);
}

/** The value at `x` of the broken line through `points`. */
export function between(x: number, points: ReadonlyArray<readonly [number, number]>): number {
  for (const [i, [right, rightValue]] of points.entries()) {
    const previous = points[i - 1];
    if (previous === undefined || x > right) continue;
    const [left, leftValue] = previous;
    return leftValue + ((rightValue - leftValue) * (x - left)) / (right - left);
  }
  throw new Error(`${x} is outside the graph`);
}

/** All gametes, equally likely, of a genotype with independent genes such as `['Aa', 'BB']`. */
export function gametesOf(genotype: readonly string[]): string[] {
  return genotype.reduce<string[]>(
    (gametes, gene) => gametes.flatMap((gamete) => [...gene].map((allele) => gamete + allele)),
    [''],
  );
}
