import { bisect } from './mathematics.ts';
import { decimal, type Solutions } from './solution.ts';

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
  // Every aldehyde as enolate and as carbonyl; the double bond has two different groups at both ends.
  'jeeadvanced-2026-01-01-s1-chemistry-03': () => {
    const aldehydes = [
      { name: 'ethanal', onAlpha: 'H', onCarbonyl: 'CH3' },
      { name: 'propanal', onAlpha: 'CH3', onCarbonyl: 'CH2CH3' },
    ];
    const products = new Set(
      aldehydes.flatMap((enolate) =>
        aldehydes.flatMap((carbonyl) => {
          const ends: [string, string][] = [
            [enolate.onAlpha, 'CHO'],
            [carbonyl.onCarbonyl, 'H'],
          ];
          const forms = ends.every(([a, b]) => a !== b) ? ['E', 'Z'] : [''];
          return forms.map((form) => `${JSON.stringify(ends)} ${form}`);
        }),
      ),
    );
    return products.size;
  },
  // Gibbs energy and entropy, the entropy from the emf at two temperatures.
  'jeeadvanced-2026-01-01-s1-chemistry-04': () => {
    const emf = (kelvin: number): number => 1.015 - 5e-4 * (kelvin - 298);
    const gibbs = (kelvin: number): number => -2 * 96500 * emf(kelvin);
    const entropy = -(gibbs(299) - gibbs(297)) / 2;
    return decimal(Math.abs(gibbs(298) + 298 * entropy) / 1000, 1);
  },
};
