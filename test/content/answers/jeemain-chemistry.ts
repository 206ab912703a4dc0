import { isDeepStrictEqual } from 'node:util';
import { bisect, integral } from './mathematics.ts';
import { only, onlyOption, quantity, type Solutions } from './solution.ts';

export const jeemainChemistry: Solutions = {
  // The oxidation numbers: manganese takes five electrons, each molecule of the peroxide gives two.
  'jeemain-2024-01-01-s1-chemistry-06': () => ((18 * 0.02 * 5) / 2 / 10) * (100 / 5),
  // Tries every proportion; the limiting ion decides how much water forms.
  'jeemain-2024-01-01-s1-chemistry-01': () => {
    let largest = 0;
    for (let base = 0; base <= 60; base += 0.01) {
      const water = Math.min(base * 0.5, 2 * (60 - base) * 0.5) / 1000;
      largest = Math.max(largest, (water * 57000) / (60 * 1.0 * 4.2));
    }
    return largest;
  },
  // Faraday's law, with the oxidation number of chromium in H2CrO4 from its charges.
  'jeemain-2024-01-01-s1-chemistry-03': () => {
    const electrons = 4 * 2 - 2 * 1;
    const seconds = bisect((t) => ((0.2 * 10 * t) / 96500 / electrons) * 52 - 5.2, 0, 1e6);
    return seconds / 3600;
  },
  // Two unknown amounts, two equations: copper is conserved, and the masses add up.
  'jeemain-2026-04-01-s1-chemistry-01': () => {
    const anhydrous = 63.5 + 32 + 4 * 16;
    const penta = anhydrous + 5 * 18;
    const tri = anhydrous + 3 * 18;
    const copper = 24.95 / penta;
    // n5 + n3 = copper, penta n5 + tri n3 = 22.25, by Cramer's rule.
    const n3 = (22.25 - penta * copper) / (tri - penta);
    return n3 * tri;
  },
  // Integrates dt = dp / p^n for the two half-lives, and finds the order n that gives their ratio.
  'jeemain-2026-04-01-s1-chemistry-08': () => {
    const halfLife = (initial: number, order: number): number =>
      integral((pressure) => pressure ** -order, initial / 2, initial);
    const order = bisect((n) => halfLife(20, n) / halfLife(80, n) - 60 / 30, 0, 3);
    return (180 / 20) ** order;
  },
  // Follows the carbon atoms: two in CaC2, six in benzene.
  'jeemain-2026-04-01-s1-chemistry-14': () => {
    const carbon = 2 * ((48 * 0.8) / (40 + 2 * 12));
    return ((carbon * 0.75) / 6) * (6 * 12 + 6);
  },
  // Fills the d levels for both spin states; spin-only moment squared is n(n + 2).
  'jeemain-2024-01-01-s1-chemistry-10': () => {
    const square = (levels: readonly number[]): number => unpaired(levels) * (unpaired(levels) + 2);
    const high = square(fillHighSpin(6, 5));
    const low = square(fillLowSpin(6, [3, 2]));
    return 100 * bisect((x) => x * high + (1 - x) * low - 18, 0, 1);
  },
  // Colours the ten sites of a flat ring (up or down at each of five atoms) and counts the colourings
  // that no rotation of the ring in space makes equal: enantiomers stay distinct.
  'jeemain-2026-04-01-s1-chemistry-24': () => {
    const sites = Array.from({ length: 10 }, (_, i) => i); // Site 2a is up and 2a + 1 down at atom a.
    const rotations: number[][] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      rotations.push(sites.map((s) => 2 * ((Math.floor(s / 2) + turn) % 5) + (s % 2)));
      rotations.push(sites.map((s) => 2 * ((10 - Math.floor(s / 2) + turn) % 5) + (1 - (s % 2))));
    }
    const colourings: string[][] = [];
    for (const methyl of sites) {
      // Either chlorine is in the side chain, or on a ring site other than that of the methyl group.
      colourings.push(sites.map((s) => (s === methyl ? 'CH2Cl' : 'H')));
      for (const chlorine of sites.filter((s) => s !== methyl)) {
        colourings.push(sites.map((s) => (s === methyl ? 'CH3' : s === chlorine ? 'Cl' : 'H')));
      }
    }
    return classes(colourings, rotations).size;
  },
  // Fills the split d levels of both complexes and adds up the energies of the electrons.
  'jeemain-2026-04-01-s1-chemistry-12': () => {
    const stabilisation = (lower: number, split: number): number => {
      // `lower` orbitals lie below; the mean energy of the five is zero.
      const below = (-(5 - lower) / 5) * split;
      return -fillHighSpin(7, 5).reduce(
        (sum, n, i) => sum + n * (i < lower ? below : below + split),
        0,
      );
    };
    return stabilisation(3, 9000) - stabilisation(2, 3300);
  },
  // Solves the Nernst equation of the whole cell for the solubility product.
  'jeemain-2026-04-01-s1-chemistry-07': (question) => {
    const electrode = (silver: number): number => 0.8 + 0.059 * Math.log10(silver);
    const reading = (product: number): number => electrode(0.01) - electrode(product / 0.01);
    const exponent = bisect((x) => reading(10 ** x) - 0.472, -25, -4);
    // The options are compared by their logarithms, as they are too small for `optionStating`.
    return onlyOption(question, (text) => Math.abs(Math.log10(quantity(text)) - exponent) < 0.01);
  },
  // Writes out all sequences of six residues (five bonds are cleaved) and weighs them.
  'jeemain-2026-04-01-s1-chemistry-25': () => {
    let masses = [0];
    for (let residue = 0; residue < 6; residue += 1)
      masses = masses.flatMap((mass) => [mass + 75, mass + 89]);
    return masses.filter((mass) => mass - 5 * 18 === 402).length;
  },
  // Mn(VI) splits into Mn(VII) and Mn(IV) so that electrons balance; Mn(VII) then goes to Mn(II).
  'jeemain-2026-04-01-s1-chemistry-11': () => {
    const permanganate = bisect((seven) => seven * (7 - 6) - (0.6 - seven) * (6 - 4), 0, 0.6);
    return permanganate * (7 - 2);
  },
  // Substitution of the three H atoms ortho and para to NH2, then NH2 is replaced by H.
  'jeemain-2026-04-01-s1-chemistry-17': () => {
    const mass = ({ c = 0, h = 0, n = 0, br = 0 }): number => 12 * c + h + 14 * n + 80 * br;
    const ring = 0.8 * 0.75 * (9.3 / mass({ c: 6, h: 7, n: 1 }));
    return ring * mass({ c: 6, h: 7 - 3 - 2 + 1, br: 3 });
  },
  // Mole fractions from the mean molar mass give Kp; the same again, solved for the pressure.
  'jeemain-2026-04-01-s1-chemistry-21': () => {
    const quotient = (mean: number, pressure: number): number => {
      const dioxide = bisect((x) => x * 46 + (1 - x) * 92 - mean, 0, 1);
      return (dioxide * pressure) ** 2 / ((1 - dioxide) * pressure);
    };
    const constant = quotient(69, 40);
    return bisect((pressure) => quotient(80.5, pressure) - constant, 1, 10_000);
  },
  // Degree of unsaturation, less the multiple bonds that take up hydrogen.
  'jeemain-2024-01-01-s1-chemistry-11': () => {
    const unsaturation = (2 * 15 + 2 - 24) / 2;
    const hydrogen = 1.12 / 22.4 / (5.1 / (15 * 12 + 24));
    return unsaturation - hydrogen;
  },
  // Raoult's law for both components, and Dalton's for the vapour, in two stages.
  'jeemain-2026-04-01-s1-chemistry-05': () => {
    const total = (x: number): number => 20 + (60 - 20) * x; // the line of the graph
    const vapour = (x: number): number => (x * total(1)) / (x * total(1) + (1 - x) * total(0));
    return vapour(vapour(0.4));
  },
  // FeS2 + x Fe3+ + y H2O -> (1 + x) Fe2+ + 2 SO4(2-) + 2y H+: oxygen gives y, then charge gives x.
  'jeemain-2026-04-01-s1-chemistry-22': () => {
    const water = (2 * 4) / 1;
    const fits = Array.from({ length: 50 }, (_, i) => i).filter(
      (x) => 3 * x === 2 * (1 + x) - 2 * 2 + 2 * water,
    );
    return only(fits);
  },
  // The reaction Gibbs energy, with the actual pressure of CO2, vanishes.
  'jeemain-2026-04-01-s1-chemistry-04': () => {
    const gibbs = (t: number): number => 178_000 - 160 * t + 8.314 * t * Math.log(0.1 / 1);
    return bisect(gibbs, 300, 3000);
  },
  // Lone pairs of the central atom from its valence electrons, the charge and the electrons that two neighbours take.
  'jeemain-2024-01-01-s1-chemistry-07': () => {
    const electrons = { I3: [8, 2], NO2plus: [4, 4], NO2: [6, 4], XeF2: [8, 2], SnCl2: [4, 2] };
    const others = { N3: [4, 4], BeCl2: [2, 2], O3: [6, 4] };
    const pairs = Object.values({ ...electrons, ...others }).map(
      ([own = 0, used = 0]) => (own - used) / 2,
    );
    return pairs.filter((count) => count === 0 || count === 3).length;
  },
  // Places the donor atoms in all ways at the corners of an octahedron, the chelate on neighbouring
  // corners; isomers that rotations do not bring to their mirror image are optically active.
  'jeemain-2026-04-01-s1-chemistry-23': () => {
    const corners = [
      [1, 0, 0],
      [-1, 0, 0],
      [0, 1, 0],
      [0, -1, 0],
      [0, 0, 1],
      [0, 0, -1],
    ];
    const movements = axisPermutations().map(({ determinant, move }) => ({
      determinant,
      sites: corners.map((corner) =>
        corners.findIndex((other) => isDeepStrictEqual(other, move(corner))),
      ),
    }));
    const rotations = movements
      .filter(({ determinant }) => determinant > 0)
      .map(({ sites }) => sites);
    const mirror = movements.find(({ determinant }) => determinant < 0)?.sites ?? [];
    const colourings = arrangements(['N', 'O', 'NH3', 'NH3', 'Cl', 'Cl']).filter((ligands) => {
      const nitrogen = corners[ligands.indexOf('N')] ?? [];
      const oxygen = corners[ligands.indexOf('O')] ?? [];
      return !isDeepStrictEqual(
        nitrogen,
        oxygen.map((x) => 0 - x),
      );
    });
    const isomers = classes(colourings, rotations);
    const active = [...isomers].filter(
      (isomer) => smallest(moved(isomer.split(' '), mirror), rotations) !== isomer,
    );
    return active.length;
  },
  // Arrhenius' law for both constants, scaled to be equal at 300 K.
  'jeemain-2026-04-01-s1-chemistry-06': () => {
    const constant = (energy: number, t: number): number =>
      Math.exp((-energy / 8.314) * (1 / t - 1 / 300));
    const [p, q] = [constant(50_000, 320), constant(80_000, 320)];
    return (100 * q) / (p + q);
  },
  // Nitrogen balance of the mixture, solved for the mass of melamine.
  'jeemain-2026-04-01-s1-chemistry-13': () => {
    const share = (6 * 14) / (3 * 12 + 6 * 1 + 6 * 14);
    const shown = (melamine: number): number => {
      const nitrogen = 700 * (0.24 / 6.25) + melamine * share;
      return 6.25 * (100 * (nitrogen / 1000));
    };
    return bisect((melamine) => shown(melamine) - 24, 0, 300);
  },
  // The dilution at which both solutions have the same ionisation constant.
  'jeemain-2024-01-01-s1-chemistry-08': () => {
    const constant = (concentration: number, part: number): number =>
      (concentration * part ** 2) / (1 - part);
    return bisect((volume) => constant(0.1 / volume, 0.1) - constant(0.1, 0.01), 1, 1000);
  },
  // The electrons beyond the xenon core (54) of these ions are all 4f electrons.
  'jeemain-2024-01-01-s1-chemistry-09': () => {
    const ions = [
      [58, 4],
      [59, 4],
      [62, 2],
      [63, 2],
      [65, 4],
      [69, 2],
      [70, 2],
      [71, 3],
    ] as const;
    return ions.filter(([z, charge]) => [0, 7, 14].includes(z - charge - 54)).length;
  },
};

/** Electrons in `orbitals` orbitals, one to each first. */
function fillHighSpin(electrons: number, orbitals: number): number[] {
  const filled = new Array<number>(orbitals).fill(0);
  for (let i = 0; i < electrons; i += 1) filled[i % orbitals] = (filled[i % orbitals] ?? 0) + 1;
  return filled;
}

/** Electrons in groups of orbitals, each group filled before the next. */
function fillLowSpin(electrons: number, groups: readonly number[]): number[] {
  let left = electrons;
  return groups.flatMap((orbitals) => {
    const here = Math.min(left, 2 * orbitals);
    left -= here;
    return fillHighSpin(here, orbitals);
  });
}

function unpaired(orbitals: readonly number[]): number {
  return orbitals.filter((electrons) => electrons === 1).length;
}

/** A permutation: the value at site i moves to site `to[i]`. */
function moved(colouring: readonly string[], to: readonly number[]): string[] {
  const result = [...colouring];
  to.forEach((site, i) => {
    result[site] = colouring[i] ?? '';
  });
  return result;
}

/** The first of all rotations of a colouring, in string order. */
function smallest(colouring: readonly string[], rotations: readonly (readonly number[])[]): string {
  return rotations.map((to) => moved(colouring, to).join(' ')).sort()[0] ?? '';
}

/** Colourings up to rotation. */
function classes(
  colourings: readonly string[][],
  rotations: readonly (readonly number[])[],
): Set<string> {
  return new Set(colourings.map((colouring) => smallest(colouring, rotations)));
}

/** All permutations of the items. Equal items can give equal permutations. */
function arrangements(items: readonly string[]): string[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, i) =>
    arrangements(items.toSpliced(i, 1)).map((rest) => [item, ...rest]),
  );
}

/** The 48 symmetries of a cube: each permutes the axes and changes signs. */
function axisPermutations(): {
  determinant: number;
  move: (vector: readonly number[]) => number[];
}[] {
  const orders = [
    { axes: [0, 1, 2], parity: 1 },
    { axes: [1, 2, 0], parity: 1 },
    { axes: [2, 0, 1], parity: 1 },
    { axes: [1, 0, 2], parity: -1 },
    { axes: [0, 2, 1], parity: -1 },
    { axes: [2, 1, 0], parity: -1 },
  ];
  return orders.flatMap(({ axes, parity }) =>
    [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => {
      const signs = [0, 1, 2].map((i) => ((bits >> i) % 2 === 0 ? 1 : -1));
      return {
        determinant: signs.reduce((product, sign) => product * sign, parity),
        // Adding zero turns -0 into 0.
        move: (vector) => axes.map((axis, i) => (vector[axis] ?? NaN) * (signs[i] ?? NaN) + 0),
      };
    }),
  );
}
