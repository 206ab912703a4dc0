import assert from 'node:assert/strict';
import type { Question } from '../../../build/content/written.ts';
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
import { onlyOption, optionStating, type Solutions } from './solution.ts';

export const jeemainMathematics: Solutions = {
  'jeemain-2024-01-01-s1-mathematics-06': () =>
    (Math.PI / 3 + rungeKutta((x, y) => (x + y) ** 2, 0, 0, Math.PI / 3)) ** 2,
  // With x = m + d and y = m - d: d from the length of the sum of the two unit vectors, by bisection.
  'jeemain-2024-01-01-s1-mathematics-01': () => {
    const length = Math.hypot(6 / 5, 2 / 5);
    const half = bisect((d) => 2 * Math.cos(d) - length, 0, Math.PI / 2);
    return Math.cos(2 * half);
  },
  'jeemain-2024-01-01-s1-mathematics-02': () => {
    const left = (x: number) => 4 - x * x;
    const a = bisect((value) => slope((x) => value / x, 1) - slope(left, 1), -50, 50);
    return a / 4 + left(1) - a;
  },
  // Points of the locus by bisection on rays from 1; the farthest of them from 3 - 4i.
  'jeemain-2024-01-01-s1-mathematics-03': () => {
    const distances = Array.from({ length: 3600 }, (_, index) => {
      const turn = (index * Math.PI) / 1800;
      const at = (r: number): Point => [1 + r * Math.cos(turn), r * Math.sin(turn)];
      const excess = ([x, y]: Point) => 2 * Math.hypot(x - 1, y) - Math.hypot(x - 4, y);
      const [x, y] = at(bisect((r) => excess(at(r)), 0, 100));
      return Math.hypot(x - 3, y + 4);
    });
    return Math.max(...distances);
  },
  // All orders of the eight letters; those that differ only by equal letters are one arrangement.
  'jeemain-2024-01-01-s1-mathematics-05': () => {
    const words = permutations([0, 1, 2, 3, 4, 5, 6, 7]).map((order) =>
      order.map((place) => 'NAGALAND'[place]).join(''),
    );
    return new Set(words.filter((word) => !word.includes('AA'))).size;
  },
  // The centre of the circle with the radius 5, and the hyperbola through it with the fixed centres as foci.
  'jeemain-2026-04-01-s1-mathematics-14': () => {
    const x = ((5 + 7) ** 2 - (5 + 1) ** 2) / (4 * 5);
    const height = Math.sqrt((5 + 7) ** 2 - (x + 5) ** 2);
    const a = bisect((axis) => (x / axis) ** 2 - height ** 2 / (25 - axis ** 2) - 1, 0.1, 4.9);
    return 5 / a;
  },
  // Bisect for the p that makes the diagonal 6 with the roots taken from the formula; real roots need p >= 2.
  'jeemain-2026-04-01-s1-mathematics-02': () => {
    const sides = (p: number): [number, number] => {
      const root = Math.sqrt(Math.max(0, (p + 1) ** 2 - (p * p + 5)));
      return [p + 1 + root, p + 1 - root];
    };
    const p = bisect((value) => Math.hypot(...sides(value)) - 6, 2, 50);
    // Below p = -3 the roots are negative and no lengths.
    assert.ok(sides(-7).every((side) => side < 0));
    const [long, short] = sides(p);
    return long * short;
  },
  // The peak by bisection of the numeric slope, then the integral of the absolute difference.
  'jeemain-2026-04-01-s1-mathematics-09': () => {
    const curve = (x: number) => 3 * x * x - x ** 3;
    const peak = bisect((x) => slope(curve, x), 1, 3);
    const chord = (x: number) => (curve(peak) / peak) * x;
    return integral((x) => Math.abs(curve(x) - chord(x)), 0, peak);
  },
  // Reflect the incident direction in the plane that each option is normal to: v - 2 (v.n) n / (n.n).
  'jeemain-2026-04-01-s1-mathematics-16': (question) => {
    const incident: Vector = [2, 3, 6];
    const reflected: Vector = [6, 3, -2];
    return onlyOption(question, (text) => {
      const normal = vector(text);
      const image = plus(
        incident,
        scaled(normal, (-2 * dot(incident, normal)) / dot(normal, normal)),
      );
      return length(minus(image, reflected)) < 1e-9;
    });
  },
  // All 3^6 distributions; book 0 is the atlas, book 1 the dictionary, shelf 0 the bottom one.
  'jeemain-2026-04-01-s1-mathematics-21': () => {
    const allowed = tuples([0, 1, 2], 6).filter(
      (shelves) => new Set(shelves).size === 3 && shelves[0] === 0 && shelves[1] !== 0,
    );
    return allowed.length;
  },
  // x = 1 gives f(1) = 1. With F the integral, f = (F + x^3) / x^2 and F' = x f: Runge-Kutta from F(1) = 0.
  'jeemain-2026-04-01-s1-mathematics-11': () => {
    const f = (x: number, area: number) => (area + x ** 3) / (x * x);
    const area = rungeKutta((x, value) => x * f(x, value), 1, 0, 2);
    return f(2, area);
  },
  // The half chord from the length of the string alone: peg to peg, along the chord, and back to the far peg.
  'jeemain-2026-04-01-s1-mathematics-12': () => {
    const half = bisect((height) => 6 + height + Math.hypot(6, height) - 16, 0, 16);
    return 2 * half;
  },
  // Bisect for the ratio d / a that gives the geometric progression, scale by the total, and walk the weeks.
  'jeemain-2024-01-01-s1-mathematics-07': () => {
    const term = (ratio: number, week: number) => 1 + (week - 1) * ratio;
    const ratio = bisect((r) => term(r, 5) ** 2 - term(r, 2) * term(r, 11), 1e-6, 100);
    const weeks = Array.from({ length: 100 }, (_, index) => index + 1);
    const first = 231 / total(weeks.slice(0, 11).map((week) => term(ratio, week)));
    const found = weeks.find((week) => first * term(ratio, week) > 60 + 1e-6);
    return found ?? Number.NaN;
  },
  // Turn the point about the line by half a turn.
  'jeemain-2026-04-01-s1-mathematics-25': () => {
    const [start, along, point]: [Vector, Vector, Vector] = [
      [1, 0, 2],
      [2, 2, 1],
      [6, 2, 6],
    ];
    const t = dot(minus(point, start), along) / dot(along, along);
    return total(minus(scaled(plus(start, scaled(along, t)), 2), point));
  },
  // Both areas by numeric integration at smaller and smaller angles.
  'jeemain-2026-04-01-s1-mathematics-07': (question) => {
    const ratio = (angle: number) => {
      const underArc = integral((turn) => Math.sin(turn) ** 2, 0, angle);
      // The chord at height y lies left of the arc by sqrt(1 - y^2) - (1 - y tan(angle / 2)).
      const height = Math.sin(angle);
      const segment = integral(
        (y) => Math.sqrt(1 - y * y) - (1 - y * Math.tan(angle / 2)),
        0,
        height,
      );
      return underArc / segment;
    };
    assert.ok(Math.abs(ratio(0.02) - ratio(0.01)) < 1e-3);
    return optionStating(question, ratio(0.01), 0.001);
  },
  // Coordinates with A at the origin: C found on the semicircle by its distance from B, the angle from vectors.
  'jeemain-2026-04-01-s1-mathematics-19': () => {
    const on = (turn: number): Vector => [5 + 5 * Math.cos(turn), 5 * Math.sin(turn), 0];
    const b: Vector = [10, 0, 0];
    const c = on(bisect((turn) => length(minus(on(turn), b)) - 6, 0, Math.PI));
    const toA = minus([0, 0, 0], c);
    const toD = minus([4, 0, 0], c);
    return length(cross(toA, toD)) / dot(toA, toD);
  },
  // Expand (1 + 2x)^n by repeated multiplication, in integers, for every n up to 60.
  'jeemain-2026-04-01-s1-mathematics-22': () => {
    let coefficients = [1n];
    const found: bigint[] = [];
    for (let n = 1; n <= 60; n += 1) {
      const previous = coefficients;
      coefficients = Array.from(
        { length: n + 1 },
        (_, k) => (previous[k] ?? 0n) + 2n * (previous[k - 1] ?? 0n),
      );
      if (coefficients[5] === coefficients[6] && (coefficients[6] ?? 0n) !== 0n) {
        found.push(coefficients.filter((_, k) => k % 2 === 1).reduce((all, one) => all + one, 0n));
      }
    }
    assert.equal(found.length, 1);
    return String(found[0]);
  },
  // Midpoint rule with steps that end on the jumps.
  'jeemain-2024-01-01-s1-mathematics-08': () =>
    midpoints((t) => 6 * Math.floor(t) * (t - Math.floor(t)), 0, 8, 80_000),
  // The share of instants at which the numeric velocities have opposite signs.
  'jeemain-2026-04-01-s1-mathematics-20': () => {
    const first = (t: number) => Math.acos(Math.cos(t));
    const second = (t: number) => Math.asin(Math.sin(t));
    return measure((t) => slope(first, t) * slope(second, t) < 0, 0, 2 * Math.PI);
  },
  // Every outcome of four spins, and the best of a fine grid of settings.
  'jeemain-2026-04-01-s1-mathematics-08': () => {
    const wins = tuples([0, 1], 4).filter((spins) => total(spins) === 3);
    const chance = (p: number) =>
      total(wins.map((spins) => spins.reduce((all, red) => all * (red ? p : 1 - p), 1)));
    const settings = Array.from({ length: 10_001 }, (_, index) => index / 10_000);
    return Math.max(...settings.map(chance));
  },
  // All functions from {1, 2, 3, 4} to {1, 2, 3, 4, 5}.
  'jeemain-2026-04-01-s1-mathematics-23': () => {
    const rising = tuples([1, 2, 3, 4, 5], 4).filter(
      ([first = 0, second = 0, third = 0, fourth = 0]) =>
        first <= second && second < third && third <= fourth,
    );
    return rising.length;
  },
  // Concrete vectors with the given lengths and product, in two positions, and the vector product.
  'jeemain-2024-01-01-s1-mathematics-10': () => {
    const cosine = 4 / (3 * 2);
    const sine = Math.sqrt(1 - cosine * cosine);
    const positions: [Vector, Vector][] = [
      [
        [3, 0, 0],
        [2 * cosine, 2 * sine, 0],
      ],
      [[1, 2, 2], plus(scaled([1, 2, 2], (2 * cosine) / 3), scaled([2, 1, -2], (2 * sine) / 3))],
    ];
    const squares = positions.map(([a, b]) => {
      assertSame([length(a), 3]);
      assertSame([length(b), 2]);
      assertSame([dot(a, b), 4]);
      const c = cross(a, b);
      return length(cross(plus(a, c), plus(b, c))) ** 2;
    });
    assertSame(squares);
    return squares[0] ?? Number.NaN;
  },
  // Walk along the beam and measure the part within reach of the sensor.
  'jeemain-2026-04-01-s1-mathematics-15': () => {
    const direction: Vector = [2, 2, -1];
    const near = (t: number) => {
      const point = plus([3, 1, 2], scaled(direction, t));
      return length(minus(point, [7, 2, 3])) <= 5;
    };
    return measure(near, -20, 20) * length(direction);
  },
  // Add up stage by stage until the additions no longer count.
  'jeemain-2026-04-01-s1-mathematics-06': () => {
    let [tiles, area, sum] = [1, 1, 0];
    for (let stage = 1; stage <= 200; stage += 1) {
      sum += tiles * area;
      [tiles, area] = [tiles * 5, area / 8];
    }
    return sum;
  },
  // Bisect for the height of the third corner C. H is on the perpendicular to OB, so C = (5, h), and on the
  // perpendicular through B to OC.
  'jeemain-2024-01-01-s1-mathematics-09': () => {
    const h = bisect((height) => (5 - 14) * 5 + (3 - 0) * height, 1, 1000);
    const [o, b, c]: [Point, Point, Point] = [
      [0, 0],
      [14, 0],
      [5, h],
    ];
    // The third altitude, through O, passes through H too.
    assertSame([0, 5 * (c[0] - b[0]) + 3 * (c[1] - b[1])]);
    return polygonArea([o, b, c]);
  },
  // Try every height of the missing bar, then take the deviations student by student.
  'jeemain-2024-01-01-s1-mathematics-11': () => {
    const heights = Array.from({ length: 100 }, (_, height) => height);
    const classes = heights
      .map((height) =>
        [2, 3, 6, height, 3, 2].flatMap((count, books) => new Array<number>(count).fill(books)),
      )
      .filter((students) => Math.abs(mean(students) - 2.45) < 1e-9);
    const [students] = classes;
    assert.ok(students && classes.length === 1);
    const half = students.length / 2;
    const median =
      ((students[Math.ceil(half) - 1] ?? Number.NaN) + (students[Math.floor(half)] ?? Number.NaN)) /
      2;
    return total(students.map((books) => Math.abs(books - median)));
  },
  // The numeric time derivative of the distance, x being 3 + 4 t.
  'jeemain-2026-04-01-s1-mathematics-24': () => {
    const distance = (t: number) => Math.hypot(3 + 4 * t, (3 + 4 * t) ** 1.5);
    return slope(distance, 0);
  },
  // Bisect for half the difference of the ordinates with which the mid-point has the abscissa 5.
  'jeemain-2026-04-01-s1-mathematics-13': () => {
    const half = bisect((h) => ((6 + h) ** 2 + (6 - h) ** 2) / 24 - 5, 0, 100);
    return Math.hypot(2 * half, ((6 + half) ** 2 - (6 - half) ** 2) / 12);
  },
};

/**
 * Withdrawn questions: each entry shows that the givens contradict each other, so that no answer is right.
 *
 * @throws AssertionError when some answer does fit the givens.
 */
export const jeemainMathematicsDropped: Readonly<Record<string, (question: Question) => void>> = {
  // The circle touches the y-axis, so its centre is (r, k), and both points ask for k² = r² − (x − r)².
  'jeemain-2024-01-01-s1-mathematics-04': (question) => {
    const radius = Number(/radius \$(\d+)\$/.exec(question.question)?.[1]);
    const cuts = [...question.question.matchAll(/\$\((\d+),0\)\$/g)].map(([, x]) => Number(x));
    assert.ok(radius > 0 && cuts.length === 2, 'the givens cannot be read');
    const squares = cuts.map((x) => radius ** 2 - (x - radius) ** 2);
    assert.ok(
      Math.abs((squares[0] ?? 0) - (squares[1] ?? 0)) > 0.01,
      `${question.id}: one ordinate fits both points`,
    );
  },
};

type Point = [number, number];

/** The derivative of `f` at `x` by a central difference. */
function slope(f: Real, x: number): number {
  const step = 1e-5;
  return (f(x + step) - f(x - step)) / (2 * step);
}

/** The total length of the part of the interval on which `test` holds. */
function measure(test: (x: number) => boolean, low: number, high: number): number {
  return midpoints((x) => (test(x) ? 1 : 0), low, high, 200_000);
}

/** y(high) for y' = f(x, y) with y(low) = start. */
function rungeKutta(
  f: (x: number, y: number) => number,
  low: number,
  start: number,
  high: number,
): number {
  const steps = 1000;
  const h = (high - low) / steps;
  let y = start;
  for (let step = 0; step < steps; step += 1) {
    const x = low + step * h;
    const k1 = f(x, y);
    const k2 = f(x + h / 2, y + (h / 2) * k1);
    const k3 = f(x + h / 2, y + (h / 2) * k2);
    const k4 = f(x + h, y + h * k3);
    y += (h / 6) * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return y;
}

/** The area of a polygon from its corners in order: the shoelace formula. */
function polygonArea(corners: readonly Point[]): number {
  const twice = corners.map(([x, y], index) => {
    const [nextX, nextY] = corners[(index + 1) % corners.length] ?? [0, 0];
    return x * nextY - nextX * y;
  });
  return Math.abs(total(twice)) / 2;
}

/** Reads `$4\hat{i}-3\hat{j}+\hat{k}$`. */
function vector(text: string): Vector {
  const part = (axis: string): number => {
    const sized = new RegExp(`([+-]?)(\\d*)\\\\hat\\{${axis}\\}`).exec(text);
    if (!sized) return 0;
    return (sized[1] === '-' ? -1 : 1) * (sized[2] ? Number(sized[2]) : 1);
  };
  return [part('i'), part('j'), part('k')];
}
