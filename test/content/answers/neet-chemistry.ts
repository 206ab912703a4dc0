import { bisect } from './mathematics.ts';
import { onlyOption, type Solutions } from './solution.ts';

export const neetChemistry: Solutions = {
  // Balance the iron and the oxygen atoms of a Fe + b O2 + c H2O -> Fe(OH)3, then scale to the oxygen there is.
  'neet-2024-01-01-s1-chemistry-01': () => {
    const hydroxide = { Fe: 1, O: 3, H: 3 };
    const water = hydroxide.H / 2;
    const oxygen = (hydroxide.O - water) / 2;
    const oxygenPresent = 1.8 / 5 / 24;
    return (oxygenPresent / oxygen) * hydroxide.Fe * 56;
  },
  // Hess's law for the heat of one mole; then raise the mass until the drink has got its heat.
  'neet-2024-03-01-s1-chemistry-07': () => {
    const heatPerMole = -986 - (-635 - 286); // kJ
    let mass = 0;
    let temperatureRise = 0;
    while (temperatureRise < 26) {
      mass += 0.001;
      temperatureRise = (0.75 * (mass / 56) * -heatPerMole * 1000) / (250 * 4.2);
    }
    return mass;
  },
  // The extent at which the quotient of the amounts is the equilibrium constant.
  'neet-2024-03-01-s1-chemistry-11': () =>
    2 + 2 * bisect((x) => (2 + 2 * x) ** 2 - 64 * (1 - x) ** 2, 0, 1),
  // Each OH group reacts when it is the stronger acid: compared with carbonic acid, water and (for sodium) any OH.
  'neet-2024-03-01-s1-chemistry-08': (question) => {
    const groups = { carboxyl: 4.7, phenol: 10, benzylAlcohol: 15.4 };
    const reagents = { hydrogencarbonate: 6.4, hydroxide: 14, sodium: 25 };
    const moles = Object.values(reagents).map(
      (limit) => Object.values(groups).filter((acid) => acid < limit).length,
    );
    return onlyOption(
      question,
      (text) => (text.match(/\d+/g) ?? []).map(Number).join() === moles.join(),
    );
  },
  // Follow 1000 molecules: inversion makes S of R, racemisation halves; the rotation is the mean of all.
  'neet-2024-03-01-s1-chemistry-13': () => {
    const rotation = { R: -13, S: 13 };
    let sum = 0;
    for (let i = 0; i < 1000; i += 1) {
      const inverted = i < 600;
      sum += inverted || i % 2 === 0 ? rotation.S : rotation.R;
    }
    return sum / 1000;
  },
  // Faraday's law for the zinc that dissolves; the oxide weighs more than this zinc by the oxygen taken in.
  'neet-2024-03-01-s1-chemistry-04': () => {
    const electrons = (0.002 * 1.93e5) / 96500;
    const zinc = electrons / 2;
    const oxideMass = zinc * (65 + 16);
    return (oxideMass - zinc * 65) * 1000;
  },
  // Electrons taken per formula unit from the change of oxidation number; equal volumes of the iron solution.
  'neet-2024-03-01-s1-chemistry-12': () => {
    const oxidationNumber = (charge: number, oxygens: number, metals: number): number =>
      (charge + 2 * oxygens) / metals;
    const permanganate = oxidationNumber(-1, 4, 1) - 2;
    const dichromate = 2 * (oxidationNumber(-2, 7, 2) - 3);
    const fresh = 24 * permanganate;
    const aged = 18 * dichromate;
    return (100 * (fresh - aged)) / fresh;
  },
};
