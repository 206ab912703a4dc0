import { onlyOption, quantity, type Solutions } from './solution.ts';

export const neetChemistry: Solutions = {
  // Balance the iron and the oxygen atoms of a Fe + b O2 + c H2O -> Fe(OH)3, then scale to the oxygen there is.
  'neet-2023-05-07-s1-chemistry-01': () => {
    const hydroxide = { Fe: 1, O: 3, H: 3 };
    const water = hydroxide.H / 2;
    const oxygen = (hydroxide.O - water) / 2;
    const oxygenPresent = 1.8 / 5 / 24;
    return (oxygenPresent / oxygen) * hydroxide.Fe * 56;
  },
  // Arrhenius rates out of the hollow Y over each of the two peaks; the energy is that of the end less that of Y.
  'neet-2023-05-07-s1-chemistry-02': (question) => {
    const start = 80;
    const ways = [
      { product: 'X', peak: 120, end: 60 },
      { product: 'Z', peak: 160, end: 20 },
    ].map((way) => ({ ...way, rate: Math.exp((-(way.peak - start) * 1000) / (8.314 * 300)) }));
    const main = ways.reduce((best, way) => (way.rate > best.rate ? way : best));
    const change = main.end - start;
    const heat = change < 0 ? 'released' : 'absorbed';
    return onlyOption(
      question,
      (text) => text.startsWith(`Into ${main.product};`) && text.endsWith(heat) && quantity(text) === Math.abs(change),
    );
  },
  // Fill the molecular orbitals of the second shell and count bonding less antibonding electrons.
  'neet-2023-05-07-s1-chemistry-03': (question) => {
    const valence: Record<string, number> = { B: 3, C: 4, N: 5, O: 6, F: 7 };
    const bondOrder = (electrons: number): number => {
      // Sigma 2s, its antibonding partner, the three bonding and the three antibonding orbitals of 2p.
      const levels: [capacity: number, sign: number][] = [
        [2, 1],
        [2, -1],
        [6, 1],
        [6, -1],
      ];
      let left = electrons;
      let sum = 0;
      for (const [capacity, sign] of levels) {
        const here = Math.min(left, capacity);
        sum += sign * here;
        left -= here;
      }
      return sum / 2;
    };
    return onlyOption(question, (text) => {
      const [donor, acceptor] = [...text.matchAll(/\\mathrm\{([A-Z])_2\}/g)].map(([, element]) => {
        const electrons = valence[element ?? ''];
        if (electrons === undefined) throw new Error(`no molecule in ${text}`);
        return 2 * electrons;
      });
      if (donor === undefined || acceptor === undefined) throw new Error(`no pair of molecules in ${text}`);
      return bondOrder(donor - 1) > bondOrder(donor) && bondOrder(acceptor + 1) > bondOrder(acceptor);
    });
  },
  // Hund's rule in the octahedral field: unpaired electrons with a small and with a large splitting.
  'neet-2023-05-07-s1-chemistry-04': (question) => {
    const atomicNumber: Record<string, number> = { Cr: 24, Mn: 25, Fe: 26 };
    const spread = (electrons: number, orbitals: number): number =>
      electrons <= orbitals ? electrons : 2 * orbitals - electrons;
    const highSpin = (d: number): number => spread(d, 5);
    const lowSpin = (d: number): number => (d <= 6 ? spread(d, 3) : spread(d - 6, 2));
    return onlyOption(question, (text) => {
      const [, symbol, charge] = /\\mathrm\{([A-Z][a-z])\^\{(\d)\+\}\}/.exec(text) ?? [];
      const d = (atomicNumber[symbol ?? ''] ?? Number.NaN) - 18 - Number(charge);
      return highSpin(d) > 0 && lowSpin(d) === 0;
    });
  },
  // Cut each carbon skeleton at its double bond. An end that carries H is an aldehyde (silver mirror);
  // one bonded to a methyl group, or ethanal, gives iodoform.
  'neet-2023-05-07-s1-chemistry-05': (question) => {
    // Carbon atoms by number; bonds as pairs, the double bond first.
    const skeletons: Record<string, [number, number][]> = {
      'Hex-2-ene': [
        [2, 3],
        [1, 2],
        [3, 4],
        [4, 5],
        [5, 6],
      ],
      'Hex-1-ene': [
        [1, 2],
        [2, 3],
        [3, 4],
        [4, 5],
        [5, 6],
      ],
      'Hex-3-ene': [
        [3, 4],
        [1, 2],
        [2, 3],
        [4, 5],
        [5, 6],
      ],
      '2-Methylpent-2-ene': [
        [2, 3],
        [1, 2],
        [3, 4],
        [4, 5],
        [2, 6],
      ],
    };
    return onlyOption(question, (text) => {
      const [double, ...single] = skeletons[text] ?? [];
      if (!double) throw new Error(`no skeleton of ${text}`);
      const neighbours = (atom: number, without = 0): number[] =>
        single
          .filter((bond) => bond.includes(atom))
          .map(([a, b]) => (a === atom ? b : a))
          .filter((other) => other !== without);
      const branch = (atom: number, from = 0): string =>
        `(${neighbours(atom, from)
          .map((next) => branch(next, atom))
          .sort()
          .join('')})`;
      const products = double.map((carbonyl) => ({
        structure: branch(carbonyl),
        aldehyde: neighbours(carbonyl).length < 2,
        iodoform: neighbours(carbonyl).some((next) => neighbours(next, carbonyl).length === 0),
      }));
      const different = new Set(products.map(({ structure }) => structure)).size === 2;
      const mirrors = products.filter(({ aldehyde }) => aldehyde).length;
      return different && mirrors === 2 && products.filter(({ iodoform }) => iodoform).length === 1;
    });
  },
  // Compare pKa values: hydrogencarbonate takes out acids stronger than carbonic acid; dilute mineral acid takes
  // out bases whose conjugate acids are weaker than itself.
  'neet-2023-05-07-s1-chemistry-06': (question) => {
    const compounds = [
      { name: 'benzoic acid', acid: 4.2 },
      { name: '$p$-cresol', acid: 10.3 },
      { name: '$p$-toluidine', ammonium: 5.1 },
      { name: 'naphthalene' },
    ];
    const carbonicAcid = 6.4;
    const dilutedAcid = 1;
    const left = compounds.filter(
      ({ acid, ammonium }) =>
        !(acid !== undefined && acid < carbonicAcid) && !(ammonium !== undefined && ammonium > dilutedAcid),
    );
    return onlyOption(question, (text) =>
      compounds.every((compound) => text.toLowerCase().includes(compound.name) === left.includes(compound)),
    );
  },
  // Hess's law for the heat of one mole; then raise the mass until the drink has got its heat.
  'neet-2024-05-05-s1-chemistry-01': () => {
    const heatPerMole = -986 - (-635 - 286); // kJ
    let mass = 0;
    let temperatureRise = 0;
    while (temperatureRise < 26) {
      mass += 0.001;
      temperatureRise = (0.75 * (mass / 56) * -heatPerMole * 1000) / (250 * 4.2);
    }
    return mass;
  },
  // The hydroxide concentration from the pH and the ion product of water, then the solubility product.
  'neet-2024-05-05-s1-chemistry-02': () => {
    const hydroxide = 1e-14 / 10 ** -10.7;
    return 1.8e-11 / hydroxide ** 2;
  },
  // Slater's rules: the energy of the ion M+ less that of M2+, electron by electron of the outer shell.
  'neet-2024-05-05-s1-chemistry-03': (question) => {
    const names = ['sodium', 'magnesium', 'aluminium', 'silicon', 'phosphorus', 'sulphur', 'chlorine', 'argon'];
    const energy = (charge: number, electrons: number): number => {
      const shells = [Math.min(electrons, 2), Math.min(Math.max(electrons - 2, 0), 8), Math.max(electrons - 10, 0)];
      return shells.reduce((sum, count, index) => {
        const inner = index === 0 ? 0 : 0.85 * (shells[index - 1] ?? 0);
        const core = index === 2 ? (shells[0] ?? 0) : 0;
        const same = (index === 0 ? 0.3 : 0.35) * (count - 1);
        return sum - count * 13.6 * ((charge - inner - core - same) / (index + 1)) ** 2;
      }, 0);
    };
    const second = names.map((name, index) => {
      const charge = 11 + index;
      return { name, value: energy(charge, charge - 2) - energy(charge, charge - 1) };
    });
    second.sort((a, b) => a.value - b.value);
    return onlyOption(question, (text) => text === `Highest at ${second.at(-1)?.name}, lowest at ${second[0]?.name}`);
  },
  // Each OH group reacts when it is the stronger acid: compared with carbonic acid, water and (for sodium) any OH.
  'neet-2024-05-05-s1-chemistry-05': (question) => {
    const groups = { carboxyl: 4.7, phenol: 10, benzylAlcohol: 15.4 };
    const reagents = { hydrogencarbonate: 6.4, hydroxide: 14, sodium: 25 };
    const moles = Object.values(reagents).map((limit) => Object.values(groups).filter((acid) => acid < limit).length);
    return onlyOption(question, (text) => (text.match(/\d+/g) ?? []).map(Number).join() === moles.join());
  },
  // Follow 1000 molecules: inversion makes S of R, racemisation halves; the rotation is the mean of all.
  'neet-2024-05-05-s1-chemistry-06': () => {
    const rotation = { R: -13, S: 13 };
    let sum = 0;
    for (let i = 0; i < 1000; i += 1) {
      const inverted = i < 600;
      sum += inverted || i % 2 === 0 ? rotation.S : rotation.R;
    }
    return sum / 1000;
  },
  // Faraday's law for the zinc that dissolves; the oxide weighs more than this zinc by the oxygen taken in.
  'neet-2024-06-23-s1-chemistry-01': () => {
    const electrons = (0.002 * 1.93e5) / 96500;
    const zinc = electrons / 2;
    const oxideMass = zinc * (65 + 16);
    return (oxideMass - zinc * 65) * 1000;
  },
  // Raoult's law: pass water from the higher to the lower vapour pressure, little by little, until they are equal.
  'neet-2024-06-23-s1-chemistry-02': (question) => {
    const particles = { X: 0.03, Y: 0.03 * 3 };
    const pressure = (water: number, solute: number): number => water / 18 / (water / 18 + solute);
    let passed = 0; // g, from X to Y
    for (let i = 0; i < 100_000; i += 1) {
      const difference = pressure(100 - passed, particles.X) - pressure(100 + passed, particles.Y);
      passed += Math.sign(difference) * 0.001;
    }
    const direction = passed > 0 ? 'from X to Y' : 'from Y to X';
    return onlyOption(
      question,
      (text) => text.endsWith(direction) && Math.abs(quantity(text) - Math.abs(passed)) < 0.5,
    );
  },
  // Build each atom by the aufbau principle and count the nodes of the last subshell and its unpaired electrons.
  'neet-2024-06-23-s1-chemistry-03': (question) => {
    const subshells: { n: number; l: number }[] = [];
    for (let n = 1; n <= 7; n += 1) for (let l = 0; l < n; l += 1) subshells.push({ n, l });
    subshells.sort((a, b) => a.n + a.l - (b.n + b.l) || a.n - b.n);
    return onlyOption(question, (text) => {
      let left = Number(/Z = (\d+)/.exec(text)?.[1]);
      for (const { n, l } of subshells) {
        const orbitals = 2 * l + 1;
        if (left > 2 * orbitals) {
          left -= 2 * orbitals;
          continue;
        }
        const unpaired = left <= orbitals ? left : 2 * orbitals - left;
        return n - l - 1 === 2 && l === 1 && unpaired === 3;
      }
      return false;
    });
  },
  // Electrons taken per formula unit from the change of oxidation number; equal volumes of the iron solution.
  'neet-2024-06-23-s1-chemistry-04': () => {
    const oxidationNumber = (charge: number, oxygens: number, metals: number): number =>
      (charge + 2 * oxygens) / metals;
    const permanganate = oxidationNumber(-1, 4, 1) - 2;
    const dichromate = 2 * (oxidationNumber(-2, 7, 2) - 3);
    const fresh = 24 * permanganate;
    const aged = 18 * dichromate;
    return (100 * (fresh - aged)) / fresh;
  },
};
