import type { Question } from '../../../build/content/types.ts';
import { bisect, integral } from './mathematics.ts';
import { found, numbers, onlyOption, optionStating, quantity, type Solutions, statements } from './solution.ts';

const faraday = 96500;

export const completeChemistry: Solutions = {
  // A reaction is spontaneous if the couple whose oxidised form is on the left has the higher potential.
  'neet-2026-01-01-s1-chemistry-01': (question) => {
    const couples = [
      { oxidised: 'Ag+', reduced: 'Ag', potential: 0.8 },
      { oxidised: 'Fe^3+', reduced: 'Fe^2+', potential: 0.77 },
      { oxidised: 'I2', reduced: 'I-', potential: 0.54 },
      { oxidised: 'Cu^2+', reduced: 'Cu', potential: 0.34 },
      { oxidised: 'Sn^4+', reduced: 'Sn^2+', potential: 0.15 },
    ];
    return onlyOption(question, (text) => {
      const reactants = /\\ce\{(.*) ->/.exec(text)?.[1] ?? '';
      const left = reactants.split(' + ').map((species) => species.replace(/^2/, ''));
      const cathode = found(couples.find(({ oxidised }) => left.includes(oxidised)));
      const anode = found(couples.find(({ reduced }) => left.includes(reduced)));
      return cathode.potential > anode.potential;
    });
  },
  // Intercept and slope of the line through two points of the graph, as the alternative text states them.
  'neet-2026-01-01-s1-chemistry-02': (question) => {
    const points = [...described(question).matchAll(/\((\d+), (-[\d.]+)\)/g)].map(([, time, log]) => ({
      time: Number(time),
      log: Number(log),
    }));
    const first = found(points.at(0));
    const last = found(points.at(-1));
    const slope = (last.log - first.log) / (last.time - first.time);
    const start = 10 ** (first.log - slope * first.time);
    return -slope * Math.LN10 * start;
  },
  // A complex is chiral if no rotation turns it into its mirror image.
  'neet-2026-01-01-s1-chemistry-03': (question) => {
    const [up, down, front, back, left, right] = [0, 1, 2, 3, 4, 5];
    // The corners around cobalt: front left is front, front right is right, and so on around it.
    const drawn: Record<string, Octahedron> = {
      P: octahedron({ [up]: 'Cl', [down]: 'Cl' }, [left, front], [right, back]),
      Q: octahedron({ [up]: 'Cl', [back]: 'Cl' }, [left, front], [right, down]),
      R: octahedron({
        ...{ [up]: 'Cl', [front]: 'Cl', [right]: 'Cl' },
        ...{ [left]: 'NH3', [back]: 'NH3', [down]: 'NH3' },
      }),
    };
    return onlyOption(question, (text) =>
      Object.entries(drawn).every(([name, complex]) => isChiral(complex) === text.includes(name)),
    );
  },
  // The C-H bonds at the neighbours of the positive carbon atom, from the hydrogen atoms of each carbon atom.
  'neet-2026-01-01-s1-chemistry-07': (question) => {
    const carbocations = [
      { hydrogens: [3, 3, 0, 2, 3], positive: 2, bonds: ['0-2', '1-2', '2-3', '3-4'] },
      { hydrogens: [3, 1, 1, 3, 3], positive: 1, bonds: ['0-1', '1-2', '2-3', '2-4'] },
    ];
    const counts = carbocations.map(({ hydrogens, positive, bonds }) =>
      hydrogens.reduce((sum, count, carbon) => {
        const next = bonds.includes(`${carbon}-${positive}`) || bonds.includes(`${positive}-${carbon}`);
        return sum + (next ? count : 0);
      }, 0),
    );
    return onlyOption(question, (text) => numbers(text).join() === counts.join());
  },
  // Kohlrausch's law, then the degree of dissociation.
  'neet-2026-01-01-s1-chemistry-09': (question) => {
    const infinite = 426 + 90 - 126;
    const dissociated = 15.6 / infinite;
    return optionStating(question, -Math.log10(0.01 * dissociated), 0.003);
  },
  // The solubility product at the concentration of OH- that the buffer keeps.
  'neet-2026-01-01-s1-chemistry-10': () => 1.8e-11 / 10 ** (2 * (12 - 14)),
  // VSEPR: the lone pairs of the central atom from its valence electrons, the charge and its bonds.
  'neet-2026-01-01-s1-chemistry-12': (question) => {
    const species: Record<string, { valence: number; charge: number; atoms: number }> = {
      ClF3: { valence: 7, charge: 0, atoms: 3 },
      'ICl4-': { valence: 7, charge: -1, atoms: 4 },
      SF4: { valence: 6, charge: 0, atoms: 4 },
      'H3O+': { valence: 6, charge: 1, atoms: 3 },
    };
    const shapes: Record<string, string> = {
      '3 atoms, 2 lone pairs': 'T-shaped',
      '4 atoms, 2 lone pairs': 'Square planar',
      '4 atoms, 1 lone pairs': 'See-saw',
      '3 atoms, 1 lone pairs': 'Trigonal pyramidal',
    };
    return matched(question, (left, right) => {
      const { valence, charge, atoms } = found(species[left.replace(/[$\\{}]|ce/g, '')]);
      const pairs = (valence - charge - atoms) / 2;
      return shapes[`${atoms} atoms, ${pairs} lone pairs`] === right;
    });
  },
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
  // Compare measured values: bond angles, -pKa in water, first ionisation enthalpies and enthalpies of the
  // bonds between like atoms.
  'neet-2026-01-01-s1-chemistry-18': (question) => {
    const data: Record<string, Record<string, number>> = {
      'Bond angle': { NH3: 107.8, PH3: 93.6, AsH3: 91.8, SbH3: 91.3 },
      'Acid strength in water': { HF: -3.2, HCl: 7, HBr: 9, HI: 10 },
      'First ionisation enthalpy': { B: 801, Al: 577, Ga: 579, In: 558 },
      'Tendency to catenation': { C: 348, Si: 297, Ge: 260 },
    };
    return onlyOption(question, (text) => {
      const values = found(data[text.split(':')[0] ?? '']);
      const listed = [...text.matchAll(/\\ce\{(\w+)\}/g)].map(([, name = '']) => found(values[name]));
      const sorted = listed.toSorted((a, b) => (text.includes('<') ? a - b : b - a));
      return listed.join() !== sorted.join();
    });
  },
  // Sulphur is 32 parts of 233 of barium sulphate.
  'neet-2026-01-01-s1-chemistry-19': () => ((0.233 * 32) / (137 + 32 + 4 * 16) / 0.25) * 100,
  // Find K from the first vessel; then let the second one react until Q equals it.
  'neet-2026-01-01-s1-chemistry-20': () => {
    const constant = 0.6 ** 2 / (0.8 - 0.6) ** 2;
    const reacted = bisect((x) => (1 + x) ** 2 - constant * (1 - x) ** 2, 0, 1);
    return 1 + reacted;
  },
  // Bonds between the carbon atoms of the chain by order, and hydrogen atoms from the free valences.
  'neet-2026-01-01-s1-chemistry-24': (question) => {
    const orders = [2, 2, 1, 3];
    const used = [0, 1, 2, 3, 4].map((carbon) => (orders[carbon - 1] ?? 0) + (orders[carbon] ?? 0));
    const hydrogens = used.reduce((sum, valences) => sum + 4 - valences, 0);
    const pi = orders.reduce((sum, order) => sum + order - 1, 0);
    const linear = used.filter((_, carbon) => {
      const piBonds = Math.max((orders[carbon - 1] ?? 1) - 1, 0) + Math.max((orders[carbon] ?? 1) - 1, 0);
      return piBonds === 2;
    }).length;
    const counts = [orders.length + hydrogens, pi, linear];
    return onlyOption(question, (text) => numbers(text).join() === counts.join());
  },
  // Molarity depends on the volume; the molality of the solution follows from its density.
  'neet-2026-01-01-s1-chemistry-25': (question) => {
    const water = 1.04 * 1000 - 58.5; // g per litre
    return statements(question, true, 1 / (water / 1000) < 1);
  },
  // Rydberg's formula for the levels that the alternative text states.
  'neet-2026-01-01-s1-chemistry-30': (question) => {
    const [p = [], q = []] = [...described(question).matchAll(/from n = (\d) to n = (\d)/g)].map(([, from, to]) => [
      Number(from),
      Number(to),
    ]);
    const wavenumber = ([from = 0, to = 0]: readonly number[]): number => 1 / to ** 2 - 1 / from ** 2;
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
  // Moles of oxygen atoms from the atomic masses.
  'neet-2026-01-01-s1-chemistry-37': (question) => {
    const molar: Record<string, { mass: number; oxygen: number }> = {
      CO2: { mass: 12 + 2 * 16, oxygen: 2 },
      H2O: { mass: 2 + 16, oxygen: 1 },
      H2SO4: { mass: 2 + 32 + 4 * 16, oxygen: 4 },
      CaCO3: { mass: 40 + 12 + 3 * 16, oxygen: 3 },
    };
    const oxygen = (text: string): number => {
      const compound = found(molar[compoundIn(text)]);
      return (quantity(text) / compound.mass) * compound.oxygen;
    };
    const most = Math.max(...question.options.map(({ value = '' }) => oxygen(value)));
    return onlyOption(question, (text) => oxygen(text) === most);
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
    return onlyOption(question, (text) => text === `$${apart.toFixed(1)}\\,\\mathrm{cm}$; ${p < q ? 'P' : 'Q'}`);
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
    const falls = points.map(([, value], index) => Number(value) - Number(points[index + 1]?.[1] ?? value));
    const nobleGas = falls.indexOf(Math.max(...falls));
    const charge = (mark: string): number => Math.abs(points.findIndex(([, , name]) => name === mark) - nobleGas);
    return onlyOption(question, (text) => text === `$\\mathrm{M_${charge('X')}X_${charge('M')}}$`);
  },
  // The volume at E gives the concentration, salt and acid at the other point the pKa, and the pH at E the indicator.
  'jeemain-2026-01-01-s1-chemistry-10': (question) => {
    const alt = described(question);
    const [, at = 0, ph = 0] = (/\((\d+) mL, ([\d.]+)\)/.exec(alt) ?? []).map(Number);
    const [, equivalence = 0, end = 0] = (/E at (\d+) mL and pH ([\d.]+)/.exec(alt) ?? []).map(Number);
    const concentration = (equivalence * 0.1) / 25;
    const pKa = ph - Math.log10(at / (equivalence - at));
    const indicators = { 'methyl orange': [3.1, 4.4], phenolphthalein: [8.2, 10] } as const;
    const indicator = Object.entries(indicators).find(([, [from, to]]) => from < end && end < to);
    return onlyOption(
      question,
      (text) => text === `$${concentration.toFixed(3)}\\,\\mathrm{M}$; $${pKa.toFixed(1)}$; ${indicator?.[0]}`,
    );
  },
  // The work against the pressure, along both ways, for n R T = 1.
  'jeemain-2026-01-01-s1-chemistry-14': () => integral((volume) => 1 / volume, 0.1, 1) / (1 - 0.1),
  // Measured pKa values.
  'jeemain-2026-01-01-s1-chemistry-17': (question) => {
    const pKa: Record<string, number> = { P: 4.47, Q: 4.2, R: 7.15, S: 10.26, T: 3.44 };
    return ordered(question, (name) => -found(pKa[name]), '>');
  },
  // Fill the d orbitals in a strong and in a weak octahedral field.
  'jeemain-2026-01-01-s1-chemistry-18': (question) => {
    const highSpin = (d: number): number => spread(d, 5);
    const lowSpin = (d: number): number => (d <= 6 ? spread(d, 3) : spread(d - 6, 2));
    const unpaired: Record<string, number> = {
      Fe: lowSpin(26 - 18 - 3),
      Co: highSpin(27 - 18 - 3),
      Ni: highSpin(28 - 18 - 2),
      Cr: highSpin(24 - 18 - 3),
    };
    return matched(question, (left, right) => {
      const metal = /Fe|Co|Ni|Cr/.exec(left)?.[0] ?? '';
      return Math.abs(moment(found(unpaired[metal])) - quantity(right)) < 0.01;
    });
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

/** The first formula in `\ce{...}`. */
function compoundIn(text: string): string {
  return /\\ce\{(\w+)\}/.exec(text)?.[1] ?? '';
}

/** Unpaired electrons of `electrons` in orbitals of equal energy. */
function spread(electrons: number, orbitals: number): number {
  return electrons <= orbitals ? electrons : 2 * orbitals - electrons;
}

/** Spin-only magnetic moment in Bohr magnetons. */
function moment(unpaired: number): number {
  return Math.sqrt(unpaired * (unpaired + 2));
}

/** The option with the pairs of the table's rows that belong together. */
function matched(question: Question, belong: (left: string, right: string) => boolean): string {
  const rows = [...question.question.matchAll(/^\| \(?([A-Da-d])[.)] (.+?) \| \(?([IV]+)[.)] (.+?) \|$/gm)];
  const pairs = rows.map(([, letter, left = '']) => {
    const partners = rows.filter(([, , , , right = '']) => belong(left, right));
    if (partners.length !== 1) throw new Error(`${question.id}: ${left} has ${partners.length} partners`);
    return `${letter}-${partners[0]?.[3]}`;
  });
  return onlyOption(question, (text) => text.replaceAll(/[()]/g, '').replaceAll('–', '-') === pairs.join(', '));
}

/** The option that lists its names in the order of their values. */
function ordered(question: Question, quantityOf: (name: string) => number, sign: '<' | '>'): string {
  return onlyOption(question, (text) => {
    const values = [...text.matchAll(/[P-T](?=[ }])/g)].map(([name]) => quantityOf(name));
    return values.every((value, index) => {
      const next = values[index + 1];
      return next === undefined || (sign === '<' ? value < next : value > next);
    });
  });
}

/** The ligand at each corner; the two ends of a chelate ligand have the same number. */
type Octahedron = readonly string[];

// Corners 0 and 1 are opposite to each other, and 2 and 3, 4 and 5.
const quarterTurns = [
  [0, 1, 4, 5, 3, 2],
  [2, 3, 1, 0, 4, 5],
] as const;

function octahedron(single: Record<number, string>, ...chelates: [number, number][]): Octahedron {
  const corners = Array.from({ length: 6 }, (_, corner) => single[corner] ?? '');
  for (const [index, ends] of chelates.entries()) {
    for (const end of ends) corners[end] = `en${index}`;
  }
  return corners;
}

/** A name that two complexes share if a rotation turns one into the other. */
function canonical(complex: Octahedron): string {
  const reached = new Map<string, Octahedron>();
  const queue = [complex];
  for (let next = queue.pop(); next; next = queue.pop()) {
    const key = renumbered(next).join();
    if (reached.has(key)) continue;
    reached.set(key, next);
    for (const turn of quarterTurns) {
      const from = next;
      queue.push(turn.map((corner) => found(from[corner])));
    }
  }
  return found([...reached.keys()].sort()[0]);
}

/** The same complex with its chelate ligands numbered in the order of the corners. */
function renumbered(complex: Octahedron): string[] {
  const seen: string[] = [];
  return complex.map((ligand) => {
    if (!ligand.startsWith('en')) return ligand;
    if (!seen.includes(ligand)) seen.push(ligand);
    return `en${seen.indexOf(ligand)}`;
  });
}

function isChiral(complex: Octahedron): boolean {
  const mirrored = [complex[1], complex[0], ...complex.slice(2)].map((ligand) => found(ligand));
  return canonical(mirrored) !== canonical(complex);
}
