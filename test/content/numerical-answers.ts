/** What numerical sample questions ask for, calculated from their texts in another way than in their solutions. */
import type { Question } from '../../build/content/written.ts';

type Calculation = (question: Question) => number;

/** Simpson's rule. */
function integral(f: (x: number) => number, low: number, high: number): number {
  const pieces = 2000;
  const step = (high - low) / pieces;
  let area = f(low) + f(high);
  for (let index = 1; index < pieces; index += 1)
    area += f(low + index * step) * (index % 2 === 1 ? 4 : 2);
  return (area * step) / 3;
}

/** All sequences of `count` values. */
function tuples(values: readonly number[], count: number): number[][] {
  if (count === 0) return [[]];
  return tuples(values, count - 1).flatMap((start) => values.map((value) => [...start, value]));
}

function total(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

/** By paper and number of the question. */
export const calculations: Readonly<Record<string, Readonly<Record<string, Calculation>>>> = {
  'jeeadvanced-2024-01-01-s2-chemistry': {
    '01': () => ((8.9 * 0.8) / 178) * (12 + 1 + 3 * 127),
    '02': () => ((8.9 * 0.8 * 0.75) / 178) * 2 * 108,
  },
  'jeeadvanced-2024-01-01-s2-mathematics': {
    // Two games decide, or the match begins anew.
    '01': () => 0.6 ** 2 / (0.6 ** 2 + 0.4 ** 2),
    // After a lost game the next one has to be won.
    '02': () => 0.4 * 0.6,
  },
  'jeeadvanced-2024-01-01-s2-physics': {
    // The magnetic force is 2 N at 1 m/s.
    '01': () => (0.6 * (0.4 * 10 - 2 * 1.5)) / (0.4 + 0.6) + 2 * 1.5,
    '02': () => integral((t) => 2 * (2 * (1 - Math.exp(-2 * t))) ** 2, 0, 0.5),
  },
  'jeeadvanced-2026-01-01-s1-chemistry': {
    // Two enolates, two carbonyl groups, E and Z.
    '08': () => 2 * 2 * 2,
    '09': () => (0.02 / 0.1 ** 2 / (0.1 / 10 ** (0.36 / 0.06))) * 1e-6,
    // Bonds and lone pairs: T-shaped and bent molecules are planar and polar.
    '10': () =>
      ['4 2', '3 2', '3 1', '3 2', '5 1', '4 1', '2 2', '2 1', '3 0'].filter((shape) =>
        ['3 2', '2 2', '2 1'].includes(shape),
      ).length,
    // The rest halves in 30 min.
    '11': () => 30 * Math.log2((100 - 40) / (100 - 92.5)),
    '12': () => (50 / 120) * 0.8 * 0.75 * 0.8 * 330,
    // Three electrons for each chromium.
    '13': () => (100 * ((0.024 * 0.25 * (250 / 25)) / 3 / 2) * 224) / 2.8,
  },
  'jeeadvanced-2026-01-01-s1-mathematics': {
    '08': () => tuples([1, 2, 3], 6).filter((digits) => !/13|31/.test(digits.join(''))).length,
    '09': () => tuples([0, 1, 2, 3], 6).filter((powers) => total(powers) % 3 === 1).length,
    // The squares of the volume of a, b, c and of the area of the face.
    '10': () => (25 * (1 * 2 * 3) ** 2 * (1 + 2 / 8 - 3 / 4)) / (3 * 7 - 1.5 ** 2),
    // The integrands at x and -x add up to this.
    '11': () => (64 / Math.PI ** 2) * integral((x) => x * Math.sin(x) ** 4, 0, Math.PI),
    // The common difference is twice the first term, the ratio 3.
    '12': () => total([3, 9, 27, 81, 243, 729].map((term) => (term - 1) / 2 + 1)),
    // k is above 0 and below the 27 of the minimum at |x| = 3.
    '13': () => 27 - 0 - 1,
  },
  'jeeadvanced-2026-01-01-s1-physics': {
    // The energy of the capacitor, the share of its branch, and that of the resistor in it.
    '08': () => ((25 * (12 ** 2 - 6 ** 2)) / 2) * (6 / (12 + 6)) * (10 / 12),
    // Each half swing ends 2 μmg/k = 0.16 m closer.
    '09': () => 100 * (0.5 + 2 * (0.5 - 0.16) + 2 * (0.5 - 0.32) + (0.5 - 0.48)),
    // The torques of 16 N/m over 3 m and of 25 N/m over the part in water are equal.
    '10': () => 25 * Math.sqrt((16 * 3 ** 2) / 25) - 16 * 3,
    // The end of the rod has the inertia of 0.5 kg.
    '11': () => ((1 * 0.5) / (1 + 0.5)) * (12 ** 2 / 2),
    // At twice the frequency the reactance of the coil is doubled.
    '12': () => 5 * 2 * Math.sqrt((100 / 4) ** 2 - 20 ** 2),
    // Heat flows in until the volume is 2.5, and from C to A.
    '13': () => 200 * (1.5 * (2.5 * 1.5 - 3) + ((3 + 1.5) / 2) * 1.5 + 1.5 * (3 - 1)),
  },
  'jeeadvanced-2026-01-01-s2-chemistry': {
    // What 1000 cells lack, in formula units of five ions.
    '09': () => 5000 * (1 - (3075 * (2 * 200e-12) ** 3) / ((0.039 + 0.024 + 3 * 0.019) / 6e23)),
    '10': () => 1000 * (1 - (1.86 * 3 * 0.2) / 1.24),
    // Four choices of the donor atoms, each trans, cis Δ and cis Λ.
    '11': () => 4 * 3,
    // Carbon atoms in the benzene ring, in C=O and in C=C.
    '12': () => 6 + 2 + (6 + 1) + (6 + 2),
    // The sides of OH on four carbons. Turned, an acid has the order and the sides reversed.
    '13': () => {
      const name = (acid: number[]) =>
        [acid, acid.map((side) => 1 - side).reverse()].map(String).sort().join('=');
      const acids = tuples([0, 1], 3).map((sides) => [...sides, 1]);
      const mirrored = (acid: number[]) => acid.map((side) => 1 - side);
      return new Set(acids.filter((acid) => name(acid) !== name(mirrored(acid))).map(name)).size;
    },
    // A third of the xenon is left as trioxide.
    '14': () => (1000 * 6 * (4.14 / 207 / 3)) / 0.1,
    '15': () => 2 * 96.5 * (1.015 + (298 * (1.02 - 1.01)) / (308 - 288)),
    // 0.13 mol of water come from 0.07 mol of the first isomer and 0.03 mol of the second.
    '16': () => (1000 * (2 * (0.2 - 2.34 / 18) + (2.34 / 18 - 0.1))) / 0.5,
  },
  'jeeadvanced-2026-01-01-s2-mathematics': {
    // Both eigenvalues are 1: each power adds 12 to the difference.
    '09': () => 12 * ((20 * 21) / 2),
    '10': () =>
      tuples([0, 1, 2], 7).filter((owners) => {
        const [a = 0, b = 0, c = 0] = [0, 1, 2].map(
          (student) => owners.filter((owner) => owner === student).length,
        );
        return a > b && b > 0 && c > 0;
      }).length,
    // f(x) = x³ - 12x.
    '11': () => 5 ** 3 - 12 * 5 - (2 ** 3 - 12 * 2),
    // The inradius is y · 10 / 36.
    '12': () => 13 ** 2 * (1 - (7.2 / 12) ** 2) + 7.2 ** 2,
    // Both roots are inside the circle if |q| < 4 and 2|p| < 4 + q.
    '13': () => total([-3, -2, -1, 0, 1, 2, 3].map((q) => 2 * Math.ceil((4 + q) / 2) - 1)),
    '14': () =>
      tuples([0, 1, 2, 3, 4, 5], 4).filter(
        ([a = 0, b = 0, c = 0, d = 0]) =>
          a * a + b * c === 5 * a &&
          a * b + b * d === 5 * b &&
          c * a + d * c === 5 * c &&
          c * b + d * d === 5 * d,
      ).length,
    '15': () => integral((x) => x * (1 - Math.exp(-x)), 1, 2),
    '16': () => 3 ** 2 + 5 * ((7 ** 2 - 3 ** 2) / 5 ** 2),
  },
  'jeeadvanced-2026-01-01-s2-physics': {
    // Y decays as fast as it forms after a half-life of its own.
    '09': () => 100 * (1 - 0.5 ** 2 - 2 * (0.5 - 0.5 ** 2)),
    '10': () => Math.sqrt((9180 * 9) / 4 / 10.2) - Math.sqrt(9180 / 10.2),
    // After the first collision one body rests, the other has 3 m/s, and comes back.
    '11': () => 100 * ((4 * 3 - 3) / 6) * Math.sqrt(4 / 100),
    '12': () => (25 * (Math.log(8) / (3 + 2))) / (Math.log(2) / (2 / (1 / 3 + 1 / 2))),
    '13': () => ((2 * 3) / (2 + 3) / 2) * ((4 * 150) / 2 + (3 * 100) / 3) ** 2 * 1e-3,
    // The lines on both sides of those that coincide, from the description of the figure.
    '14': ({ diagrams }) => {
      const lines = (diagrams?.[0]?.alt ?? '').matchAll(
        /vernier line (\d+) .*?main-scale line (\d+)/g,
      );
      const zeros = Array.from(
        lines,
        ([, vernier, main]) => 10 * Number(main) - 9 * Number(vernier),
      );
      return (total(zeros.slice(2)) - total(zeros.slice(0, 2))) / 2;
    },
    '15': () => (8e-3 * (1e5 + 1.5e5) * 0.1) / 2 + 1.5 * 8e-3 * (1.5e5 * 0.4 - 1e5 * 0.3),
    '16': () => (100 * Math.sqrt(((0.8 * 0.4) ** 2 / (0.1 + 0.1)) * 3.2)) / 32,
  },
  'jeemain-2024-01-01-s1-chemistry': {
    // The lone pairs of the central atoms.
    '07': () => [3, 0, 1, 3, 1, 0, 0, 1].filter((pairs) => pairs !== 1).length,
    '08': () => (0.1 ** 2 / (1 - 0.1)) * ((1 - 0.01) / 0.01 ** 2),
    // The 4f electrons of the ions.
    '09': () => [0, 1, 6, 7, 7, 13, 14, 14].filter((electrons) => electrons % 7 === 0).length,
    '10': () => (100 * 18) / (4 * (4 + 2)),
    '11': () => (2 * 15 + 2 - 24) / 2 - 1.12 / 22.4 / (5.1 / (15 * 12 + 24)),
  },
  'jeemain-2024-01-01-s1-mathematics': {
    // The first term is 6, the difference 3.
    '07': () => Math.floor((60 - 6) / 3) + 2,
    '08': () => 6 * (1 + 2 + 3 + 4 + 5 + 6 + 7) * 0.5,
    '09': () => (14 * ((5 * (14 - 5)) / 3)) / 2,
    // The vector product c has the square 20, and c × (b - a) is perpendicular to it.
    '10': () => 20 + 20 * (3 ** 2 + 2 ** 2 - 2 * 4),
    // The missing bar is 4 students, the median 2 books.
    '11': () => 2 * 2 + 3 * 1 + 4 * 1 + 3 * 2 + 2 * 3,
  },
  'jeemain-2024-01-01-s1-physics': {
    '07': () => 2e-4 * 10 * ((2 * 10 * 0.6) / 10) * 1e6,
    // With 9.8 m/s² it is 294, and both are accepted.
    '08': () => (0.5 * 15 * 10 * 20) / 5,
    // Silent places are 1 m apart, on both sides of the middle.
    '09': () => 2 * Math.floor(7.5 / 2) + 1,
    '10': () => 2 / (1 - Math.sqrt(0.36)),
    '11': () => (1000 * (0.2015 - 0.1985) * 10) / (2 * 2 * 0.05),
  },
  'jeemain-2026-01-01-s1-chemistry': {
    // 0.04 mol of hydrogencarbonate.
    '21': () => ((0.04 + (2 * (5.48 - 0.04 * 84)) / 106) / 0.5) * 1000,
    '22': () => ((3.86 * 25 * 60) / 96500 / 0.5) * (50 / 0.15),
    '23': () => ((2 - -4) * 8.3) / (2.8 - 2.2),
    '24': () => (0.12 / 500e-9 / 1000) * (2 / 5),
    '25': () => ((5 * 20 * 0.01 * 392) / (4900 * (25 / 250))) * 100,
  },
  'jeemain-2026-01-01-s1-mathematics': {
    // Progressions with the differences 1, 2 and 3, up and down, and four numbers after them.
    '21': () => 2 * (5 + 3 + 1) * 24,
    // The pairs with (a - 1)(b - 1) = 6.
    '22': () => 2 * 7 + 3 * 4 + 0 * -5 + -1 * -2,
    // Two elements outside the diagonal and none in it, or one and two.
    '23': () => 3 * 4 + 3 * 2 * (3 * 4),
    '24': () => 4 * (10 / (2 + 0.5)),
    '25': () => 5 ** 2 + 4 ** 2 + 1 ** 2,
  },
  'jeemain-2026-01-01-s1-physics': {
    // The acceleration is 4 m/s².
    '21': () => 6 * (10 - 4) - 2 * (10 + 4),
    '22': () => Math.sqrt((2 * 9e9 * 5e-6 * 2e-6 * (1 / 0.3 - 1 / 0.5)) / 0.015),
    '23': () => ((10 / 2 + 4 / 1) / (1 / 2 + 1 / 1 + 3 / 4)) ** 2 * (3 / 4),
    '24': () =>
      100 * Math.sqrt((2 * (800 * 1.5 + 1000 * 2) * 10) / 1000) * Math.sqrt(2 * (0.8 / 10)),
    '25': () => (10 * 0.05 * 0.4) / (0.2 * 0.5) ** 2,
  },
  'jeemain-2026-04-01-s1-chemistry': {
    // Half of the molecules are NO2 at 40, and a quarter at the other pressure.
    '21': () => ((0.5 ** 2 / 0.5) * 40) / (0.25 ** 2 / 0.75),
    // The balance of charges with 8 H2O.
    '22': () => 2 - 2 * 2 + 2 * 8,
    // The two sites outside the plane of the chelate differ, in two ways, and so do those in it.
    '23': () => 2 * 2,
    // In the side chain, beside it, and cis and trans with their mirror images at the other two places.
    '24': () => 1 + 1 + 4 + 4,
    // Three of the six residues are heavier.
    '25': () => (6 * 5 * 4) / (3 * 2 * 1),
  },
  'jeemain-2026-04-01-s1-mathematics': {
    // The dictionary on one of two shelves, and one of the other four books on the last.
    '21': () => 2 * (3 ** 4 - 2 ** 4),
    // n = 8.
    '22': () => (3 ** 8 - 1) / 2,
    '23': () => (7 * 6 * 5) / (3 * 2 * 1),
    '24': () => ((2 * 3 + 3 * 3 ** 2) / (2 * Math.sqrt(3 ** 2 + 3 ** 3))) * 4,
    // The foot of the perpendicular is (5, 4, 4).
    '25': () => 2 * (5 + 4 + 4) - (6 + 2 + 6),
  },
  'jeemain-2026-04-01-s1-physics': {
    '21': () => ((450 + 50) / 450) ** 2 * 8.1,
    '22': () => 3350 - ((100 + 300) / 2) * (4 - 1) + 300 * (4 - 1),
    '23': () => (100 / 2) * (3 / Math.hypot(3, 4)),
    // Both faces, each with its power.
    '24': () => 4 / 3 / ((1.5 - 1) / 20 - 1 / 60 + (1.5 - 4 / 3) / 20),
    '25': () => 95 * 8.6 + 145 * 8.2 - (95 + 145 + 2) * 7.5,
  },
};
