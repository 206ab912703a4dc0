import type { Question } from '../../../build/content/written.ts';
import { bisect, integral } from './mathematics.ts';
import {
  found,
  numbers,
  onlyOption,
  optionStating,
  type Solutions,
  statements,
} from './solution.ts';

const faraday = 96500;

export const completeChemistry: Solutions = {
  // Intercept and slope of the line through two points of the graph, as the alternative text states them.
  'neet-2026-01-01-s1-chemistry-02': (question) => {
    const points = [...described(question).matchAll(/\((\d+), (-[\d.]+)\)/g)].map(
      ([, time, log]) => ({
        time: Number(time),
        log: Number(log),
      }),
    );
    const first = found(points.at(0));
    const last = found(points.at(-1));
    const slope = (last.log - first.log) / (last.time - first.time);
    const start = 10 ** (first.log - slope * first.time);
    return -slope * Math.LN10 * start;
  },
  // Kohlrausch's law, then the degree of dissociation.
  'neet-2026-01-01-s1-chemistry-09': (question) => {
    const infinite = 426 + 90 - 126;
    const dissociated = 15.6 / infinite;
    return optionStating(question, -Math.log10(0.01 * dissociated), 0.003);
  },
  // The solubility product at the concentration of OH- that the buffer keeps.
  'neet-2026-01-01-s1-chemistry-10': () => 1.8e-11 / 10 ** (2 * (12 - 14)),
  // Planar conjugated rings with 4n + 2 pi electrons.
  'neet-2026-01-01-s1-chemistry-13': (question) => {
    const rings = [
      { name: 'cyclopropenyl cation', electrons: 2, planar: true },
      { name: 'cyclopentadienyl cation', electrons: 4, planar: true },
      { name: 'cycloheptatrienyl cation', electrons: 6, planar: true },
      { name: 'cyclooctatetraene', electrons: 8, planar: false },
      { name: 'pyrrole', electrons: 4 + 2, planar: true },
    ].filter(({ name }) => question.question.includes(name));
    const aromatic = rings.filter(({ electrons, planar }) => planar && electrons % 4 === 2);
    return aromatic.length;
  },
  // Sulphur is 32 parts of 233 of barium sulphate.
  'neet-2026-01-01-s1-chemistry-19': () => ((0.233 * 32) / (137 + 32 + 4 * 16) / 0.25) * 100,
  // Find K from the first vessel; then let the second one react until Q equals it.
  'neet-2026-01-01-s1-chemistry-20': () => {
    const constant = 0.6 ** 2 / (0.8 - 0.6) ** 2;
    const reacted = bisect((x) => (1 + x) ** 2 - constant * (1 - x) ** 2, 0, 1);
    return 1 + reacted;
  },
  // Molarity depends on the volume; the molality of the solution follows from its density.
  'neet-2026-01-01-s1-chemistry-25': (question) => {
    const water = 1.04 * 1000 - 58.5; // g per litre
    return statements(question, true, 1 / (water / 1000) < 1);
  },
  // Rydberg's formula for the levels that the alternative text states.
  'neet-2026-01-01-s1-chemistry-30': (question) => {
    const [p = [], q = []] = [...described(question).matchAll(/from n = (\d) to n = (\d)/g)].map(
      ([, from, to]) => [Number(from), Number(to)],
    );
    const wavenumber = ([from = 0, to = 0]: readonly number[]): number =>
      1 / to ** 2 - 1 / from ** 2;
    return wavenumber(p) / wavenumber(q);
  },
  // The electrons, then the charges, then the hydrogen atoms; the oxygen atoms have to agree.
  'neet-2026-01-01-s1-chemistry-32': (question) => {
    const balanced = [1, 2, 3, 4].flatMap((chromium) => {
      const hypochlorite = (chromium * (6 - 3)) / (1 - -1);
      const hydroxide = 2 * chromium + hypochlorite - hypochlorite; // -b - c = -2a - b
      const water = (3 * chromium + hydroxide) / 2;
      const oxygen = 3 * chromium + hypochlorite + hydroxide - 4 * chromium - water;
      const ratio = [chromium, hypochlorite, hydroxide];
      return oxygen === 0 && Number.isInteger(hypochlorite) ? [ratio.join()] : [];
    });
    return onlyOption(question, (text) => numbers(text).join() === balanced[0]);
  },
  // An orbital has n - l - 1 radial and l angular nodes.
  'neet-2026-01-01-s1-chemistry-33': (question) =>
    matched(question, (left, right) => {
      const [, n = '', letter = ''] = /(\d)([spdf])/.exec(left) ?? [];
      const l = 'spdf'.indexOf(letter);
      return numbers(right).join() === [Number(n) - l - 1, l].join();
    }),
  // Raoult's law for A and B, each with half of the total pressure; their mole fractions in the liquid sum to 1.
  'neet-2026-01-01-s1-chemistry-34': () => 1 / (0.5 / 60 + 0.5 / 240),
  // Bonds broken less bonds formed, over all bonds of the molecules.
  'neet-2026-01-01-s1-chemistry-36': (question) => {
    const row = question.question.split('mol^{-1}}')[1] ?? '';
    const [cc2 = 0, cc = 0, ch = 0, hbr = 0, cbr = 0] = numbers(row);
    const reactants = cc2 + 4 * ch + hbr;
    const products = cc + 5 * ch + cbr;
    return reactants - products;
  },
  // The work done by the gas is the sum of the areas under the three straight lines.
  'neet-2026-01-01-s1-chemistry-38': (question) => {
    const corners = [...described(question).matchAll(/\((\d) L, (\d) bar\)/g)].map(([, v, p]) => ({
      v: Number(v),
      p: Number(p),
    }));
    const work = corners.reduce((sum, from, index) => {
      const to = found(corners[(index + 1) % corners.length]);
      return sum + ((from.p + to.p) / 2) * (to.v - from.v);
    }, 0);
    return work * 100;
  },
  // What is left of the acid, and the salt, in the equation of Henderson and Hasselbalch.
  'neet-2026-01-01-s1-chemistry-39': (question) => {
    const salt = 40 * 0.2;
    const acid = 50 * 0.2 - salt;
    return optionStating(question, 4.8 + Math.log10(salt / acid), 0.005);
  },
  // Particles in 1 kg of water, against 0.10 mol dissolved.
  'neet-2026-01-01-s1-chemistry-40': () => (0.2232 / 1.86 - 0.1) ** 2 / (0.2 - 0.2232 / 1.86),
  // Chloride ions for each formula unit are those outside the square brackets.
  'neet-2026-01-01-s1-chemistry-41': (question) => {
    const compound = 4.05 / (195 + 4 * 35.5 + 4 * (14 + 3));
    const free = 2.87 / (108 + 35.5) / compound;
    return onlyOption(question, (text) => {
      const [, outside = ''] = text.split(']');
      const chloride = /^Cl(\d?)/.exec(outside);
      return Math.round(free) === (chloride ? Number(chloride[1] || 1) : 0);
    });
  },
  // The orders from the experiments that differ in one concentration.
  'neet-2026-01-01-s1-chemistry-44': () => {
    const experiments = [
      { a: 0.2, b: 0.1, rate: 4e-4 },
      { a: 0.4, b: 0.1, rate: 8e-4 },
      { a: 0.4, b: 0.3, rate: 7.2e-3 },
    ] as const;
    const [first, second, third] = experiments;
    const orderA = Math.log(second.rate / first.rate) / Math.log(second.a / first.a);
    const orderB = Math.log(third.rate / second.rate) / Math.log(third.b / second.b);
    return first.rate * (0.1 / first.a) ** orderA * (0.2 / first.b) ** orderB;
  },
  // Distances from the base line grow with that of the solvent front; the strongest adsorption goes with the smallest.
  'jeemain-2026-01-01-s1-chemistry-02': (question) => {
    const height = (name: string): number =>
      Number(new RegExp(`${name}[^\\d]* ([\\d.]+) cm`).exec(described(question))?.[1]);
    const [base, front] = [height('base line'), height('solvent front')];
    const [p, q] = [height('spot of P') - base, height('spot of Q') - base];
    const apart = (Math.abs(q - p) * (13 - base)) / (front - base);
    return onlyOption(
      question,
      (text) => text === `$${apart.toFixed(1)}\\,\\mathrm{cm}$; ${p < q ? 'P' : 'Q'}`,
    );
  },
  // Hess's law with the free energies of the half-reactions.
  'jeemain-2026-01-01-s1-chemistry-03': () => {
    const toMetal = -3 * faraday * -0.34; // In3+ + 3e- -> In
    const toIndiumI = -2 * faraday * -0.44; // In3+ + 2e- -> In+
    const fromIndiumI = toMetal - toIndiumI; // In+ + e- -> In
    return (2 * fromIndiumI - toIndiumI) / 1000;
  },
  // The largest fall is from a noble gas to an alkali metal; count the groups from there.
  'jeemain-2026-01-01-s1-chemistry-06': (question) => {
    const points = [...described(question).matchAll(/(\d{3,4})(?:, marked (\w))?/g)];
    const falls = points.map(
      ([, value], index) => Number(value) - Number(points[index + 1]?.[1] ?? value),
    );
    const nobleGas = falls.indexOf(Math.max(...falls));
    const charge = (mark: string): number =>
      Math.abs(points.findIndex(([, , name]) => name === mark) - nobleGas);
    return onlyOption(question, (text) => text === `$\\mathrm{M_${charge('X')}X_${charge('M')}}$`);
  },
  // The work against the pressure, along both ways, for n R T = 1.
  'jeemain-2026-01-01-s1-chemistry-14': () => integral((volume) => 1 / volume, 0.1, 1) / (1 - 0.1),
  // Measured pKa values.
  'jeemain-2026-01-01-s1-chemistry-17': (question) => {
    const pKa: Record<string, number> = { P: 4.47, Q: 4.2, R: 7.15, S: 10.26, T: 3.44 };
    return ordered(question, (name) => -found(pKa[name]), '>');
  },
  // All sodium of both salts ends as NaCl: two equations for their amounts, by mass and by the gas.
  'jeemain-2026-01-01-s1-chemistry-21': () => {
    const bicarbonate = (2 * 1.24) / (18 + 44);
    const carbonate = (5.48 - bicarbonate * 84) / 106;
    return ((bicarbonate + 2 * carbonate) / 0.5) * 1000;
  },
  'jeemain-2026-01-01-s1-chemistry-22': () => {
    const hydroxide = (3.86 * 25 * 60) / faraday; // mol in 500 mL
    return ((hydroxide / 0.5) * 50) / 0.15;
  },
  // The energy for which k changes between the two points as the graph shows.
  'jeemain-2026-01-01-s1-chemistry-23': () =>
    bisect((energy) => ((energy * 1000) / 8.3) * (2.8e-3 - 2.2e-3) - (2 - -4), 1, 1000),
  'jeemain-2026-01-01-s1-chemistry-24': () => {
    const splitting = 0.12 / 500e-9 / 1000; // kJ per mole
    const barycentre = (3 * 0 + 2 * splitting) / 5; // above the lower level
    return barycentre;
  },
  'jeemain-2026-01-01-s1-chemistry-25': () => {
    const iron = 5 * 20 * 0.01; // mmol in 25 mL
    const sample = 4900 * (25 / 250); // mg
    return ((iron * 392) / sample) * 100;
  },
};

/** The alternative text of the question's diagram. */
function described(question: Question): string {
  return found(question.diagrams?.[0]?.alt);
}

/** The option with the pairs of the table's rows that belong together. */
function matched(question: Question, belong: (left: string, right: string) => boolean): string {
  const rows = [
    ...question.question.matchAll(/^\| \(?([A-Da-d])[.)] (.+?) \| \(?([IV]+)[.)] (.+?) \|$/gm),
  ];
  const pairs = rows.map(([, letter, left = '']) => {
    const partners = rows.filter(([, , , , right = '']) => belong(left, right));
    if (partners.length !== 1)
      throw new Error(`${question.id}: ${left} has ${partners.length} partners`);
    return `${letter}-${partners[0]?.[3]}`;
  });
  return onlyOption(
    question,
    (text) => text.replaceAll(/[()]/g, '').replaceAll('–', '-') === pairs.join(', '),
  );
}

/** The option that lists its names in the order of their values. */
function ordered(
  question: Question,
  quantityOf: (name: string) => number,
  sign: '<' | '>',
): string {
  return onlyOption(question, (text) => {
    const values = [...text.matchAll(/[P-T](?=[ }])/g)].map(([name]) => quantityOf(name));
    return values.every((value, index) => {
      const next = values[index + 1];
      return next === undefined || (sign === '<' ? value < next : value > next);
    });
  });
}
