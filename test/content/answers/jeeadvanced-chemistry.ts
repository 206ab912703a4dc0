import { bisect } from './mathematics.ts';
import type { Solutions } from './solution.ts';

export const jeeAdvancedChemistry: Solutions = {
  // Balance of charge, with the three constants of the acid.
  'jeeadvanced-2026-01-01-s1-chemistry-01': () => {
    const volume = 0.05 + 0.075;
    const [acid, sodium] = [(0.05 * 0.2) / volume, (0.075 * 0.2) / volume];
    const charge = (ph: number): number => {
      const hydrogen = 10 ** -ph;
      const [first, second, third] = [10 ** -2.1, 10 ** -7.2, 10 ** -12.3];
      const shares = [hydrogen ** 3, hydrogen ** 2 * first, hydrogen * first * second, first * second * third];
      const all = shares.reduce((sum, share) => sum + share, 0);
      const negative = shares.reduce((sum, share, count) => sum + (count * acid * share) / all, 0);
      return hydrogen + sodium - 1e-14 / hydrogen - negative;
    };
    return bisect(charge, 0, 14);
  },
  // Z at two low pressures, from the volume, with a such that Z stays 1 at 500 K.
  'jeeadvanced-2026-01-01-s1-chemistry-04': () => {
    const factor = (kelvin: number, a: number, p = 1e-3): number => {
      const gas = 0.083 * kelvin;
      return (p * bisect((volume) => gas / (volume - 0.04) - a / volume ** 2 - p, gas / p / 2, (2 * gas) / p)) / gas;
    };
    const a = bisect((one) => factor(500, one) - 1, 0, 10);
    return Number(((factor(250, a) - 1) / 1e-3).toPrecision(2));
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
  // Valence electrons, less the charge and the electrons in bonds (two to =O), in pairs.
  'jeeadvanced-2026-01-01-s1-chemistry-10': () => {
    const species: [electrons: number, charge: number, oxygen: number, halogen: number][] = [
      [8, 0, 0, 2],
      [8, 0, 0, 4],
      [8, 0, 1, 2],
      [8, 0, 3, 0],
      [7, 0, 0, 3],
      [7, 0, 0, 5],
      [7, 1, 0, 2],
      [7, -1, 0, 4],
    ];
    return species.filter(([n, charge, oxygen, halogen]) => (n - charge - 2 * oxygen - halogen) / 2 === 2).length;
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
};
