import { bisect, tuples } from './mathematics.ts';
import { decimal, type Solutions } from './solution.ts';

export const jeeAdvancedChemistry: Solutions = {
  // The argon with which the partial pressures have the same quotient as without it, at a total pressure of 1.
  'jeeadvanced-2026-01-01-s1-chemistry-01': () => {
    const quotient = (part: number, argon: number): number => {
      const amount = 1 + part + argon;
      return (part / amount) ** 2 / ((1 - part) / amount);
    };
    return bisect((argon) => quotient(0.75, argon) - quotient(0.5, 0), 0, 100);
  },
  // Z at two low pressures, from the volume, with a such that Z stays 1 at 500 K.
  'jeeadvanced-2026-01-01-s1-chemistry-04': () => {
    const factor = (kelvin: number, a: number, p = 1e-3): number => {
      const gas = 0.083 * kelvin;
      return (
        (p *
          bisect(
            (volume) => gas / (volume - 0.04) - a / volume ** 2 - p,
            gas / p / 2,
            (2 * gas) / p,
          )) /
        gas
      );
    };
    const a = bisect((one) => factor(500, one) - 1, 0, 10);
    return Number(((factor(1000, a) - 1) / 1e-3).toPrecision(2));
  },
  // Every aldehyde as enolate and as carbonyl; the double bond has two different groups at both ends.
  'jeeadvanced-2026-01-01-s1-chemistry-08': () => {
    const aldehydes = [
      { onAlpha: 'H', onCarbonyl: 'CH3' },
      { onAlpha: 'CH3', onCarbonyl: 'CH2CH3' },
    ];
    const ends = aldehydes.flatMap(({ onAlpha }) =>
      aldehydes.map(({ onCarbonyl }) => [onAlpha, 'CHO', onCarbonyl, 'H'] as const),
    );
    return ends.reduce((count, [a, b, c, d]) => count + (a !== b && c !== d ? 2 : 1), 0);
  },
  // The constant at which the silver left free gives the emf.
  'jeeadvanced-2026-01-01-s1-chemistry-09': () => {
    const ammonia = (50 * 0.28 - 2 * 50 * 0.04) / 100;
    const free = (log: number): number => (50 * 0.04) / 100 / ammonia ** 2 / 10 ** log;
    return 10 ** bisect((log) => 0.06 * Math.log10(0.1 / free(log)) - 0.36, 0, 20) * 1e-6;
  },
  // Atoms bonded to the central atom and its lone pairs: T-shaped and bent molecules are planar and polar.
  'jeeadvanced-2026-01-01-s1-chemistry-10': () => {
    const shapes = ['4 2', '3 2', '3 1', '3 2', '5 1', '4 1', '2 2', '2 1', '3 0'];
    return shapes.filter((shape) => ['3 2', '2 2', '2 1'].includes(shape)).length;
  },
  // The rate constant from the reading of 70 kPa at 30 min.
  'jeeadvanced-2026-01-01-s1-chemistry-11': () => {
    const total = (k: number, t: number): number => 100 - (100 - 40) * Math.exp(-k * t);
    const k = bisect((rate) => total(rate, 30) - 70, 1e-6, 1);
    return bisect((t) => total(k, t) - 92.5, 0, 1000);
  },
  'jeeadvanced-2026-01-01-s1-chemistry-12': () => {
    const [ketone, product] = [8 * 12 + 8 + 16, 6 * 12 + 4 + 14 + 3 * 80];
    return [0.8, 0.75, 0.8, 1].reduce((amount, share) => amount * share, 50 / ketone) * product;
  },
  // The electrons that iron gives, three for each chromium.
  'jeeadvanced-2026-01-01-s1-chemistry-13': () => {
    const chromium = (0.024 * 0.25 * (250 / 25)) / 3;
    return (100 * ((chromium / 2) * 224)) / 2.8;
  },
  // The orbital has one radial and one angular node.
  'jeeadvanced-2026-01-01-s2-chemistry-01': () => 13.6 * 4 * (1 - 1 / (1 + 1 + 1) ** 2),
  'jeeadvanced-2026-01-01-s2-chemistry-04': () => 0.04 * (3 / 4) * 3,
  // In kilograms and metres: what 1000 cells lack, in formula units of five ions.
  'jeeadvanced-2026-01-01-s2-chemistry-09': () => {
    const formula = ((8 / 8) * 0.039 + 0.024 + (6 / 2) * 0.019) / 6e23;
    return (1 + 1 + 3) * 1000 * (1 - (3075 * (2 * 200e-12) ** 3) / formula);
  },
  'jeeadvanced-2026-01-01-s2-chemistry-10': () =>
    bisect((ice) => (1.86 * (0.2 + 0.2 + 0.2)) / (1 - ice / 1000) - 1.24, 0, 999),
  // For each choice of the donor atoms one trans form and two cis forms, mirror images of each other.
  'jeeadvanced-2026-01-01-s2-chemistry-11': () =>
    tuples([0, 1], 2).length * ['trans', 'cis Δ', 'cis Λ'].length,
  // Carbon atoms in the benzene ring, in C=O and in C=C.
  'jeeadvanced-2026-01-01-s2-chemistry-12': () =>
    [6 + 2, 6 + 1, 6 + 2].reduce((sum, count) => sum + count, 0),
  // The sides of OH on the four carbons; the last is on the right. Turned, an acid has the order and the sides reversed.
  'jeeadvanced-2026-01-01-s2-chemistry-13': () => {
    const turned = (acid: number[]): number[] => acid.map((side) => 1 - side).reverse();
    const mirrored = (acid: number[]): number[] => acid.map((side) => 1 - side);
    const name = (acid: number[]): string => [String(acid), String(turned(acid))].sort().join('=');
    const acids = tuples([0, 1], 3).map((sides) => [...sides, 1]);
    return new Set(acids.filter((acid) => name(acid) !== name(mirrored(acid))).map(name)).size;
  },
  // Balance of electrons: all xenon ends as Xe, by taking electrons from O2 first and then from iodide.
  'jeeadvanced-2026-01-01-s2-chemistry-14': () => {
    const xenon = 4.14 / 207;
    const trioxide = bisect(
      (left) => 4 * (xenon - left) - 2 * left - (3 / 4) * (xenon - left) * 4,
      0,
      xenon,
    );
    return (1000 * (6 * trioxide)) / 0.1;
  },
  // Gibbs energy and entropy, from the points of the graph at 288, 298 and 308 K.
  'jeeadvanced-2026-01-01-s2-chemistry-15': () => {
    const gibbs = (emf: number): number => -2 * 96500 * emf;
    const entropy = -(gibbs(1.01) - gibbs(1.02)) / (308 - 288);
    return decimal(-(gibbs(1.015) + 298 * entropy) / 1000, 2);
  },
  // The part of the first isomer from the loss of water, and its chloride ions and those of the second one.
  'jeeadvanced-2026-01-01-s2-chemistry-16': () => {
    const amount = 26.65 / 266.5;
    const first = bisect((part) => (part + 2 * (amount - part)) * 18 - 2.34, 0, amount);
    return (1000 * (2 * first + (amount - first))) / 0.5;
  },
  'jeeadvanced-2024-01-01-s2-chemistry-01': () =>
    decimal(((8.9 * 0.8) / 178) * (12 + 1 + 3 * 127), 2),
  'jeeadvanced-2024-01-01-s2-chemistry-02': () => decimal(((8.9 * 0.8 * 0.75) / 178) * 2 * 108, 2),
};
