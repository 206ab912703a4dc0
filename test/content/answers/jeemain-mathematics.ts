import assert from 'node:assert/strict';
import type { Question } from '../../../build/content/types.ts';
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
  // Bisect for the p that makes the diagonal 6 with the roots taken from the formula; real roots need p >= 2.
  'jeemain-2024-01-27-s1-mathematics-01': () => {
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
  // Any matrix with the given characteristic equation will do: a companion matrix, and one similar to it.
  'jeemain-2024-01-27-s1-mathematics-02': () => {
    const companion: Matrix = [
      [0, -1],
      [1, 4],
    ];
    const change: Matrix = [
      [2, 1],
      [3, 5],
    ];
    const values = [companion, product(product(change, companion), inverse(change))].map((matrix) => {
      const square = product(matrix, matrix);
      return determinant(sum(square, inverse(square)));
    });
    assertSame(values);
    return values[0] ?? Number.NaN;
  },
  // The peak by bisection of the numeric slope, then the integral of the absolute difference.
  'jeemain-2024-01-27-s1-mathematics-03': () => {
    const curve = (x: number) => 3 * x * x - x ** 3;
    const peak = bisect((x) => slope(curve, x), 1, 3);
    const chord = (x: number) => (curve(peak) / peak) * x;
    return integral((x) => Math.abs(curve(x) - chord(x)), 0, peak);
  },
  // Reflect the incident direction in the plane that each option is normal to: v - 2 (v.n) n / (n.n).
  'jeemain-2024-01-27-s1-mathematics-04': (question) => {
    const incident: Vector = [2, 3, 6];
    const reflected: Vector = [6, 3, -2];
    return onlyOption(question, (text) => {
      const normal = vector(text);
      const image = plus(incident, scaled(normal, (-2 * dot(incident, normal)) / dot(normal, normal)));
      return length(minus(image, reflected)) < 1e-9;
    });
  },
  // All 3^6 distributions; book 0 is the atlas, book 1 the dictionary, shelf 0 the bottom one.
  'jeemain-2024-01-27-s1-mathematics-05': () => {
    const allowed = tuples([0, 1, 2], 6).filter(
      (shelves) => new Set(shelves).size === 3 && shelves[0] === 0 && shelves[1] !== 0,
    );
    return allowed.length;
  },
  // Two different sets of eight readings with the given mean and variance lead to the same result.
  'jeemain-2024-01-27-s1-mathematics-06': () => {
    const variances = [
      [12, 12, 12, 12, 18, 18, 18, 18],
      [15, 15, 15, 15, 15, 15, 9, 21],
    ].map((readings) => {
      assert.equal(mean(readings), 15);
      assert.equal(variance(readings), 9);
      return variance([...readings.map((x) => 50 - 2 * x), 16, 24]);
    });
    assertSame(variances);
    return variances[0] ?? Number.NaN;
  },
  // All roots by Newton's method in two real unknowns from a grid of starts, then the shoelace formula.
  'jeemain-2024-01-27-s2-mathematics-01': () => {
    const equation = ([x, y]: Point): Point => {
      let power: Point = [1, 0];
      for (let factor = 0; factor < 5; factor += 1) {
        power = [power[0] * x - power[1] * y, power[0] * y + power[1] * x];
      }
      return [power[0] - 16 * x, power[1] + 16 * y];
    };
    const roots = newtonRoots(equation, 3).filter((root) => Math.hypot(...root) > 1e-6);
    roots.sort((first, second) => Math.atan2(first[1], first[0]) - Math.atan2(second[1], second[0]));
    return polygonArea(roots);
  },
  // Bayes' theorem over all eight patterns of announcements.
  'jeemain-2024-01-27-s2-mathematics-02': () => {
    const joint = (prior: number, announcesRain: number) =>
      prior *
      total(
        tuples([0, 1], 3)
          .filter((pattern) => total(pattern) === 2)
          .map((pattern) => pattern.reduce((chance, rain) => chance * (rain ? announcesRain : 1 - announcesRain), 1)),
      );
    const rain = joint(1 / 3, 4 / 5);
    const dry = joint(2 / 3, 1 / 5);
    return rain / (rain + dry);
  },
  // x = 1 gives f(1) = 1. With F the integral, f = (F + x^3) / x^2 and F' = x f: Runge-Kutta from F(1) = 0.
  'jeemain-2024-01-27-s2-mathematics-03': () => {
    const f = (x: number, area: number) => (area + x ** 3) / (x * x);
    const area = rungeKutta((x, value) => x * f(x, value), 1, 0, 2);
    return f(2, area);
  },
  // The half chord from the length of the string alone: peg to peg, along the chord, and back to the far peg.
  'jeemain-2024-01-27-s2-mathematics-04': () => {
    const half = bisect((height) => 6 + height + Math.hypot(6, height) - 16, 0, 16);
    return 2 * half;
  },
  // Bisect for the ratio d / a that gives the geometric progression, scale by the total, and walk the weeks.
  'jeemain-2024-01-27-s2-mathematics-05': () => {
    const term = (ratio: number, week: number) => 1 + (week - 1) * ratio;
    const ratio = bisect((r) => term(r, 5) ** 2 - term(r, 2) * term(r, 11), 1e-6, 100);
    const weeks = Array.from({ length: 100 }, (_, index) => index + 1);
    const first = 231 / total(weeks.slice(0, 11).map((week) => term(ratio, week)));
    const found = weeks.find((week) => first * term(ratio, week) > 60 + 1e-6);
    return found ?? Number.NaN;
  },
  // Minimise the distance over both parameters by alternate steps; bisect for p.
  'jeemain-2024-01-27-s2-mathematics-06': () => {
    const along: Vector = [1, 2, 2];
    const across: Vector = [2, 1, -2];
    const shortest = (p: number) => {
      let [s, t] = [0, 0];
      const gap = () => minus(plus([1, 2, 3], scaled(along, s)), plus([p, -1, 5], scaled(across, t)));
      for (let round = 0; round < 200; round += 1) {
        s -= dot(gap(), along) / dot(along, along);
        t += dot(gap(), across) / dot(across, across);
      }
      return length(gap());
    };
    assert.ok(shortest(0) < 6);
    return bisect((p) => shortest(p) - 6, 0, 100);
  },
  // Both areas by numeric integration at smaller and smaller angles.
  'jeemain-2024-01-29-s1-mathematics-01': (question) => {
    const ratio = (angle: number) => {
      const underArc = integral((turn) => Math.sin(turn) ** 2, 0, angle);
      // The chord at height y lies left of the arc by sqrt(1 - y^2) - (1 - y tan(angle / 2)).
      const height = Math.sin(angle);
      const segment = integral((y) => Math.sqrt(1 - y * y) - (1 - y * Math.tan(angle / 2)), 0, height);
      return underArc / segment;
    };
    assert.ok(Math.abs(ratio(0.02) - ratio(0.01)) < 1e-3);
    return optionStating(question, ratio(0.01), 0.001);
  },
  // Coordinates with A at the origin: C found on the semicircle by its distance from B, the angle from vectors.
  'jeemain-2024-01-29-s1-mathematics-02': () => {
    const on = (turn: number): Vector => [5 + 5 * Math.cos(turn), 5 * Math.sin(turn), 0];
    const b: Vector = [10, 0, 0];
    const c = on(bisect((turn) => length(minus(on(turn), b)) - 6, 0, Math.PI));
    const toA = minus([0, 0, 0], c);
    const toD = minus([4, 0, 0], c);
    return length(cross(toA, toD)) / dot(toA, toD);
  },
  // Centres of many touching discs as points; x^2 / a^2 - y^2 / b^2 = 1 through two, checked on all.
  'jeemain-2024-01-29-s1-mathematics-03': () => {
    const centres = [2, 3, 5, 8, 13, 40].map((radius): Point => {
      const height = (x: number) => Math.sqrt(Math.max(0, (1 + radius) ** 2 - (5 - x) ** 2));
      const x = bisect((at) => Math.hypot(at + 5, height(at)) - (7 + radius), 4 - radius, 6 + radius);
      return [x, height(x)];
    });
    const [first, last] = [centres[0], centres.at(-1)];
    assert.ok(first && last);
    // Cramer's rule for u = 1 / a^2 and w = 1 / b^2 in u x^2 - w y^2 = 1.
    const scale = -(first[0] ** 2) * last[1] ** 2 + first[1] ** 2 * last[0] ** 2;
    const u = (-(last[1] ** 2) + first[1] ** 2) / scale;
    const w = (first[0] ** 2 - last[0] ** 2) / scale;
    for (const [x, y] of centres) assert.ok(Math.abs(u * x * x - w * y * y - 1) < 1e-6);
    return Math.sqrt(1 + u / w);
  },
  // With x = m + d and y = m - d: d from the length of the sum of the two unit vectors, by bisection.
  'jeemain-2024-01-29-s1-mathematics-04': () => {
    const length = Math.hypot(6 / 5, 2 / 5);
    const half = bisect((d) => 2 * Math.cos(d) - length, 0, Math.PI / 2);
    return Math.cos(2 * half);
  },
  // Expand (1 + 2x)^n by repeated multiplication, in integers, for every n up to 60.
  'jeemain-2024-01-29-s1-mathematics-05': () => {
    let coefficients = [1n];
    const found: bigint[] = [];
    for (let n = 1; n <= 60; n += 1) {
      const previous = coefficients;
      coefficients = Array.from({ length: n + 1 }, (_, k) => (previous[k] ?? 0n) + 2n * (previous[k - 1] ?? 0n));
      if (coefficients[5] === coefficients[6] && (coefficients[6] ?? 0n) !== 0n) {
        found.push(coefficients.filter((_, k) => k % 2 === 1).reduce((all, one) => all + one, 0n));
      }
    }
    assert.equal(found.length, 1);
    return String(found[0]);
  },
  // Midpoint rule with steps that end on the jumps.
  'jeemain-2024-01-29-s1-mathematics-06': () => midpoints((t) => 6 * Math.floor(t) * (t - Math.floor(t)), 0, 8, 80_000),
  // The share of instants at which the numeric velocities have opposite signs.
  'jeemain-2024-01-29-s2-mathematics-01': () => {
    const first = (t: number) => Math.acos(Math.cos(t));
    const second = (t: number) => Math.asin(Math.sin(t));
    return measure((t) => slope(first, t) * slope(second, t) < 0, 0, 2 * Math.PI);
  },
  // Every outcome of four spins, and the best of a fine grid of settings.
  'jeemain-2024-01-29-s2-mathematics-02': () => {
    const wins = tuples([0, 1], 4).filter((spins) => total(spins) === 3);
    const chance = (p: number) => total(wins.map((spins) => spins.reduce((all, red) => all * (red ? p : 1 - p), 1)));
    const settings = Array.from({ length: 10_001 }, (_, index) => index / 10_000);
    return Math.max(...settings.map(chance));
  },
  // All 120 orders of testing; after each test, count the pairs of dead cells that still fit what was seen.
  'jeemain-2024-01-29-s2-mathematics-03': () => {
    const cells = [0, 1, 2, 3, 4];
    const pairs = cells.flatMap((one) => cells.filter((two) => two > one).map((two) => [one, two]));
    const dead = [0, 1];
    const tests = permutations(cells).map((order) => {
      const known = cells.findIndex((done) => {
        const tested = order.slice(0, done);
        const fitting = pairs.filter((pair) => tested.every((cell) => pair.includes(cell) === dead.includes(cell)));
        return fitting.length === 1;
      });
      assert.ok(known > 0);
      return known;
    });
    assert.equal(tests.length, 120);
    return mean(tests);
  },
  // All functions from {1, 2, 3, 4} to {1, 2, 3, 4, 5}.
  'jeemain-2024-01-29-s2-mathematics-05': () => {
    const rising = tuples([1, 2, 3, 4, 5], 4).filter(
      ([first = 0, second = 0, third = 0, fourth = 0]) => first <= second && second < third && third <= fourth,
    );
    return rising.length;
  },
  // Concrete vectors with the given lengths and product, in two positions, and the vector product.
  'jeemain-2024-01-29-s2-mathematics-06': () => {
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
  'jeemain-2025-01-22-s1-mathematics-01': () => {
    const direction: Vector = [2, 2, -1];
    const near = (t: number) => {
      const point = plus([3, 1, 2], scaled(direction, t));
      return length(minus(point, [7, 2, 3])) <= 5;
    };
    return measure(near, -20, 20) * length(direction);
  },
  // a from equal numeric slopes on both sides of x = 1, b from equal heights.
  'jeemain-2025-01-22-s1-mathematics-02': () => {
    const upper = (x: number) => 4 - x * x;
    const a = bisect((value) => slope((x) => value / x, 1) - slope(upper, 1), -50, 50);
    const b = upper(1) - a;
    return a / 4 + b;
  },
  // Points of the locus by bisection on rays from the buoy; the farthest of them from the rock.
  'jeemain-2025-01-22-s1-mathematics-03': () => {
    const distances = Array.from({ length: 36_000 }, (_, index) => {
      const turn = (index * Math.PI) / 18_000;
      const at = (r: number): Point => [1 + r * Math.cos(turn), r * Math.sin(turn)];
      const r = bisect((radius) => 2 * radius - Math.hypot(at(radius)[0] - 4, at(radius)[1]), 0, 100);
      return Math.hypot(at(r)[0] - 3, at(r)[1] + 4);
    });
    return Math.max(...distances);
  },
  // Add up stage by stage until the additions no longer count.
  'jeemain-2025-01-22-s1-mathematics-04': () => {
    let [tiles, area, sum] = [1, 1, 0];
    for (let stage = 1; stage <= 200; stage += 1) {
      sum += tiles * area;
      [tiles, area] = [tiles * 5, area / 8];
    }
    return sum;
  },
  // Bisect for the height of the third corner C. H is on the perpendicular to OB, so C = (5, h), and on the
  // perpendicular through B to OC.
  'jeemain-2025-01-22-s1-mathematics-05': () => {
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
  // Multiply out all twenty powers.
  'jeemain-2025-01-22-s1-mathematics-06': () => {
    const matrix: Matrix = [
      [7, -4],
      [9, -5],
    ];
    let power: Matrix = [
      [1, 0],
      [0, 1],
    ];
    let entries = 0;
    for (let exponent = 1; exponent <= 20; exponent += 1) {
      power = product(power, matrix);
      entries += total(power.flat());
    }
    return entries;
  },
  // Chords through the focus by their direction; bisect for the one whose ends are at distances as 3 to 1.
  'jeemain-2025-01-22-s2-mathematics-01': () => {
    const ends = (angle: number): [number, number] => {
      // x = 3 + r cos, y = r sin in y^2 = 12 x: sin^2 r^2 - 12 cos r - 36 = 0.
      const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
      const root = Math.sqrt((12 * cosine) ** 2 + 4 * 36 * sine ** 2);
      return [(12 * cosine + root) / (2 * sine ** 2), (root - 12 * cosine) / (2 * sine ** 2)];
    };
    const angle = bisect((turn) => ends(turn)[0] - 3 * ends(turn)[1], 0.1, Math.PI / 2);
    const [far, near] = ends(angle);
    const fromDirectrix = (distance: number, turn: number) => 6 + distance * Math.cos(turn);
    assertSame([fromDirectrix(far, angle), 3 * fromDirectrix(near, angle + Math.PI)]);
    return far + near;
  },
  // Motions s(t) = 10 + p t + q t^2 + r t^3 that fit what is known, with several r; integrate t s''(t).
  'jeemain-2025-01-22-s2-mathematics-02': () => {
    const values = [-1, 0, 2.5].map((r) => {
      // 6 p + 36 q = 75 - 216 r and p + 12 q = 20 - 108 r.
      const q = (6 * (20 - 108 * r) - (75 - 216 * r)) / 36;
      const p = 20 - 108 * r - 12 * q;
      const s = (t: number) => 10 + p * t + q * t ** 2 + r * t ** 3;
      assertSame([s(6), 85]);
      assert.ok(Math.abs(slope(s, 6) - 20) < 1e-3);
      return integral((t) => t * (2 * q + 6 * r * t), 0, 6);
    });
    assertSame(values);
    return values[0] ?? Number.NaN;
  },
  // No unique prices: the determinant vanishes, which fixes m. Consistent: so do Cramer's other determinants.
  'jeemain-2025-01-22-s2-mathematics-03': () => {
    const bills = (m: number, n: number): [Vector, Vector, Vector, Vector] => [
      [1, 2, 4],
      [2, 1, 5],
      [1, 3, m],
      [70, 125, n],
    ];
    const m = bisect(
      (value) => {
        const [tea, samosa, sandwich] = bills(value, 0);
        return triple(tea, samosa, sandwich);
      },
      -100,
      100,
    );
    const n = bisect(
      (value) => {
        const [, samosa, sandwich, cost] = bills(m, value);
        return triple(cost, samosa, sandwich);
      },
      -10_000,
      10_000,
    );
    const [tea, samosa, sandwich, cost] = bills(m, n);
    assert.ok(Math.abs(triple(tea, cost, sandwich)) < 1e-6);
    assert.ok(Math.abs(triple(tea, samosa, cost)) < 1e-6);
    return n;
  },
  // The whole relation, pair by pair, and every statement tested on it.
  'jeemain-2025-01-22-s2-mathematics-04': (question) => {
    const set = Array.from({ length: 12 }, (_, index) => index + 1);
    const related = (a: number, b: number) => Number.isInteger(Math.sqrt(a * b));
    const classOf = (a: number) => set.filter((b) => related(a, b));
    const transitive = set.every((a) =>
      set.every((b) => set.every((c) => !related(a, b) || !related(b, c) || related(a, c))),
    );
    const facts = new Map([
      ['transitive', transitive],
      ['exactly $20$ elements', total(set.map((a) => classOf(a).length)) === 20],
      ['Exactly $3$ elements', classOf(1).length === 3],
      ['exactly $8$ equivalence classes', new Set(set.map((a) => classOf(a).join())).size === 8],
    ]);
    return onlyOption(question, (text) => {
      const stated = [...facts.keys()].filter((words) => text.includes(words));
      assert.equal(stated.length, 1, text);
      return facts.get(stated[0] ?? '') === false;
    });
  },
  // Try every height of the missing bar, then take the deviations student by student.
  'jeemain-2025-01-22-s2-mathematics-05': () => {
    const heights = Array.from({ length: 100 }, (_, height) => height);
    const classes = heights
      .map((height) => [2, 3, 6, height, 3, 2].flatMap((count, books) => new Array<number>(count).fill(books)))
      .filter((students) => Math.abs(mean(students) - 2.45) < 1e-9);
    const [students] = classes;
    assert.ok(students && classes.length === 1);
    const half = students.length / 2;
    const median = ((students[Math.ceil(half) - 1] ?? Number.NaN) + (students[Math.floor(half)] ?? Number.NaN)) / 2;
    return total(students.map((books) => Math.abs(books - median)));
  },
  // The numeric time derivative of the distance, x being 3 + 4 t.
  'jeemain-2025-01-22-s2-mathematics-06': () => {
    const distance = (t: number) => Math.hypot(3 + 4 * t, (3 + 4 * t) ** 1.5);
    return slope(distance, 0);
  },
};

/**
 * Withdrawn questions: each entry shows that the givens contradict each other, so that no answer is right.
 *
 * @throws AssertionError when some answer does fit the givens.
 */
export const jeemainMathematicsDropped: Readonly<Record<string, (question: Question) => void>> = {
  // The circle would have to touch the y-axis and pass through both points: with centre (h, k) in the first
  // quadrant and radius r, h = r, and both points are at the distance r from it. Search all centres for the
  // smallest mismatch of the three; it stays far from 0, so no ordinate is right.
  'jeemain-2024-01-29-s2-mathematics-04': (question) => {
    const radius = Number(/radius \$(\d+)\$/.exec(question.question)?.[1]);
    const cuts = [...question.question.matchAll(/\$\((\d+),0\)\$/g)].map(([, x]) => Number(x));
    assert.ok(radius > 0 && cuts.length === 2, 'the givens cannot be read');
    const mismatch = (h: number, k: number) =>
      Math.max(Math.abs(h - radius), ...cuts.map((x) => Math.abs(Math.hypot(x - h, k) - radius)));
    const reach = radius + Math.max(...cuts);
    let best = { h: reach / 2, k: reach / 2 };
    // A grid over the whole quadrant, then ever finer ones around the best point so far.
    for (let span = reach / 2; span > 1e-9; span /= 4) {
      const centre = best;
      for (let i = -100; i <= 100; i += 1) {
        for (let j = -100; j <= 100; j += 1) {
          const h = Math.max(0, centre.h + (i * span) / 100);
          const k = Math.max(0, centre.k + (j * span) / 100);
          if (mismatch(h, k) < mismatch(best.h, best.k)) best = { h, k };
        }
      }
    }
    const least = mismatch(best.h, best.k);
    assert.ok(least > 0.01, `${question.id}: the circle with centre (${best.h}, ${best.k}) fits all the givens`);
    // So do the exact conditions: where h = r, the two points ask for different ordinates.
    const squares = cuts.map((x) => radius ** 2 - (x - radius) ** 2);
    assert.ok(Math.abs((squares[0] ?? 0) - (squares[1] ?? 0)) > 0.01, `${question.id}: one ordinate fits both points`);
  },
};

type Point = [number, number];
type Matrix = [Point, Point];

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
function rungeKutta(f: (x: number, y: number) => number, low: number, start: number, high: number): number {
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

/** The distinct zeros of `f` that Newton's method finds from a grid of starts in the square of half side `reach`. */
function newtonRoots(f: (point: Point) => Point, reach: number): Point[] {
  const roots: Point[] = [];
  const step = 1e-6;
  for (let i = -20; i <= 20; i += 1) {
    for (let j = -20; j <= 20; j += 1) {
      let [x, y]: Point = [(i * reach) / 20 + 0.01, (j * reach) / 20 + 0.013];
      for (let round = 0; round < 200; round += 1) {
        const [u, v] = f([x, y]);
        const [ux, vx] = f([x + step, y]);
        const [uy, vy] = f([x, y + step]);
        const [a, b, c, d] = [(ux - u) / step, (uy - u) / step, (vx - v) / step, (vy - v) / step];
        x -= (d * u - b * v) / (a * d - b * c);
        y -= (a * v - c * u) / (a * d - b * c);
      }
      const converged = Math.hypot(...f([x, y])) < 1e-9;
      if (converged && roots.every((root) => Math.hypot(root[0] - x, root[1] - y) > 1e-6)) roots.push([x, y]);
    }
  }
  return roots;
}

/** The area of a polygon from its corners in order: the shoelace formula. */
function polygonArea(corners: readonly Point[]): number {
  const twice = corners.map(([x, y], index) => {
    const [nextX, nextY] = corners[(index + 1) % corners.length] ?? [0, 0];
    return x * nextY - nextX * y;
  });
  return Math.abs(total(twice)) / 2;
}

function variance(values: readonly number[]): number {
  const middle = mean(values);
  return mean(values.map((value) => (value - middle) ** 2));
}

function product([[a, b], [c, d]]: Matrix, [[e, f], [g, h]]: Matrix): Matrix {
  return [
    [a * e + b * g, a * f + b * h],
    [c * e + d * g, c * f + d * h],
  ];
}

function sum([[a, b], [c, d]]: Matrix, [[e, f], [g, h]]: Matrix): Matrix {
  return [
    [a + e, b + f],
    [c + g, d + h],
  ];
}

function determinant([[a, b], [c, d]]: Matrix): number {
  return a * d - b * c;
}

function inverse(matrix: Matrix): Matrix {
  const [[a, b], [c, d]] = matrix;
  const scale = determinant(matrix);
  return [
    [d / scale, -b / scale],
    [-c / scale, a / scale],
  ];
}

function triple(first: Vector, second: Vector, third: Vector): number {
  return dot(first, cross(second, third));
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
