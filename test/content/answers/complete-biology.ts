import assert from 'node:assert/strict';
import { gametesOf, total } from './mathematics.ts';
import { numbers, onlyOption, optionStating, quantity, type Solutions } from './solution.ts';

export const completeBiology: Solutions = {
  // Count the listed methods that keep organisms or their cells away from the natural habitat.
  'neet-2026-01-01-s1-biology-03': (question) => {
    const listed = /conservation: (.*)\?/.exec(question.question)?.[1]?.split(', ') ?? [];
    const inSitu = ['sacred grove', 'biosphere reserve', 'national park'];
    assert.equal(listed.length, 8);
    assert.ok(inSitu.every((method) => listed.includes(method)));
    return listed.filter((method) => !inSitu.includes(method)).length;
  },
  // Balance C, H and O of the complete oxidation.
  'neet-2026-01-01-s1-biology-04': () => {
    const acid = { c: 4, h: 6, o: 5 };
    const carbonDioxide = acid.c;
    const water = acid.h / 2;
    const oxygen = (2 * carbonDioxide + water - acid.o) / 2;
    return carbonDioxide / oxygen;
  },
  // Chromosomes after the homologues separate, and chromatids from the amount of DNA in interval S.
  'neet-2026-01-01-s1-biology-05': (question) => {
    const diploid = 16;
    const perChromatid = 6 / diploid;
    const chromosomes = diploid / 2;
    const chromatids = 6 / perChromatid;
    const each = { 1: 'one chromatid', 2: 'two chromatids' }[chromatids / chromosomes];
    assert.ok(each);
    return onlyOption(question, (text) => quantity(text) === chromosomes && text.endsWith(each));
  },
  // Every pair of gametes of both parents.
  'neet-2026-01-01-s1-biology-06': () => {
    const offspring = cross(['Tt', 'Rr', 'Yy'], ['tt', 'Rr', 'Yy']);
    const wanted = offspring.filter((one) => one.includes('T') && !one.includes('R') && !one.includes('Y'));
    return wanted.length / offspring.length;
  },
  'neet-2026-01-01-s1-biology-07': (question) => {
    const fish = 400;
    return optionStating(question, fish + 0.3 * fish + 18 - 0.12 * fish - 30, 1e-6);
  },
  // Divide every cell in every cycle, and count the divisions.
  'neet-2026-01-01-s1-biology-09': () => {
    let cells = 1;
    let divisions = 0;
    for (let minutes = 90; minutes <= 7.5 * 60; minutes += 90) {
      divisions += cells;
      cells *= 2;
    }
    return divisions;
  },
  'neet-2026-01-01-s1-biology-13': (question) => {
    const leaves = { X: [8, 12], Y: [40, 46] } as const;
    const faster = (rate: (from: number, to: number) => number) => (rate(...leaves.X) > rate(...leaves.Y) ? 'X' : 'Y');
    const absolute = faster((from, to) => to - from);
    const relative = faster((from, to) => (to - from) / from);
    assert.notEqual(absolute, relative);
    return onlyOption(question, (text) =>
      text.startsWith(`${absolute} has the higher absolute growth rate, and ${relative} has the higher relative`),
    );
  },
  // The parental classes of a test cross are the two frequent ones.
  'neet-2026-01-01-s1-biology-17': () => {
    const classes = [421, 409, 88, 82].sort((a, b) => a - b);
    const all = total(classes);
    assert.equal(all, 1000);
    return (100 * total(classes.slice(0, 2))) / all;
  },
  // Fit C to the first forest.
  'neet-2026-01-01-s1-biology-25': () => {
    const c = 60 / 10 ** 0.2;
    return c * 320 ** 0.2;
  },
  // Carriers that the steps from pyruvate to oxaloacetate load. Check: oxidation of C3H4O3 to carbon dioxide
  // frees 4 * 3 + 4 - 2 * 3 = 10 electrons, and every carrier takes two.
  'neet-2026-01-01-s1-biology-26': (question) => {
    const steps = [
      ['pyruvate', 'acetyl CoA', 'NADH'],
      ['isocitrate', 'oxoglutarate', 'NADH'],
      ['oxoglutarate', 'succinyl CoA', 'NADH'],
      ['succinyl CoA', 'succinate', 'GTP'],
      ['succinate', 'fumarate', 'FADH'],
      ['malate', 'oxaloacetate', 'NADH'],
    ];
    const count = (carrier: string) => steps.filter(([, , product]) => product === carrier).length;
    assert.equal(2 * (count('NADH') + count('FADH')), 4 * 3 + 4 - 2 * 3);
    const expected = `$${count('NADH')}$ NADH, $${count('FADH')}$ $\\mathrm{FADH_2}$ and $${count('GTP')}$ GTP`;
    return onlyOption(question, (text) => text === expected);
  },
  // Sets of chromosomes: persistent nucellus, two polar nuclei with one male gamete, cell of the embryo sac.
  'neet-2026-01-01-s1-biology-35': (question) => {
    const haploid = 24 / 2;
    const counts = [2, 3, 1].map((sets) => sets * haploid);
    return onlyOption(question, (text) => counts.join() === numbers(text).join());
  },
  // Replicate molecules as pairs of strands until light and hybrid molecules have the stated ratio.
  'neet-2026-01-01-s1-biology-36': () => {
    let molecules = ['15 15'];
    for (let minutes = 20; minutes <= 200; minutes += 20) {
      molecules = molecules.flatMap((pair) => pair.split(' ').map((strand) => `${strand} 14`));
      const light = molecules.filter((pair) => pair === '14 14').length;
      if (light === 7 * (molecules.length - light)) return minutes;
    }
    assert.fail('the ratio does not occur');
  },
  // Compare the pre-reproductive with the reproductive group.
  'neet-2026-01-01-s1-biology-42': (question) => {
    const alt = question.diagrams?.[0]?.alt ?? '';
    const populations = [...alt.matchAll(/([PQR]): (\d+), (\d+), \d+/g)].map(
      ([, name, young, adult]) => `${name}: ${trend(Number(young) / Number(adult))}`,
    );
    assert.equal(populations.length, 3);
    return onlyOption(question, (text) => text === populations.join('; '));
  },
  // Read the mRNA from the question, delete its fourth base and translate up to the first stop codon.
  'neet-2026-01-01-s1-biology-43': (question) => {
    const bases = /\\mathrm\{([ACGU]+)\}/.exec(question.question)?.[1];
    assert.ok(bases);
    const length = (mrna: string) => {
      const codons = mrna.match(/.../g) ?? [];
      const stop = codons.findIndex((codon) => ['UAA', 'UAG', 'UGA'].includes(codon));
      assert.ok(codons[0] === 'AUG' && stop > 0);
      return stop;
    };
    assert.equal(length(bases), 4);
    return length(bases.slice(0, 3) + bases.slice(4));
  },
  'neet-2026-01-01-s1-biology-46': (question) => {
    const filtrate = 0.125 * 60 * 24;
    return optionStating(question, 100 * (1 - 1.8 / filtrate), 1e-6);
  },
  // Run the pump, three sodium ions for two potassium ions, until 150 sodium ions have left.
  'neet-2026-01-01-s1-biology-48': (question) => {
    let [sodium, potassium] = [0, 0];
    while (sodium < 150) {
      sodium += 3;
      potassium += 2;
    }
    assert.equal(sodium, 150);
    const lost = sodium - potassium;
    return onlyOption(
      question,
      (text) => quantity(text) === potassium && text.endsWith(`loses $${lost}$ positive charges`),
    );
  },
  // The heart rate from the times of the peaks; the last wave of a beat is the repolarisation.
  'neet-2026-01-01-s1-biology-56': (question) => {
    const alt = question.diagrams?.[0]?.alt ?? '';
    const times = /tall peaks are at (.*) s\. In/.exec(alt)?.[1] ?? '';
    const [first, second, third] = numbers(times);
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    assert.equal(second - first, third - second);
    const rate = 60 / (second - first);
    return onlyOption(question, (text) => quantity(text) === rate && text.endsWith('repolarisation of the ventricles'));
  },
  // Saturations at 40 mmHg are read from the graph. A curve that lies to the right belongs to warmer blood.
  'neet-2026-01-01-s1-biology-60': (question) => {
    const alt = question.diagrams?.[0]?.alt ?? '';
    const [p, q] = [...alt.matchAll(/through (\d+) percent at 40 mmHg/g)].map(([, percent]) => Number(percent));
    assert.ok(p && q && q < p);
    const delivered = (saturation: number) => (20 * (95 - saturation)) / 100;
    const more = delivered(q) - delivered(p);
    return onlyOption(question, (text) => quantity(text) === more && text.includes('higher temperature'));
  },
  // Read the table, and add the two phagocytic types.
  'neet-2026-01-01-s1-biology-65': (question) => {
    const rows = [...question.question.matchAll(/\| (\w+) \| \$(\d+)\\,\\%\$ \|/g)];
    const share = new Map(rows.map(([, type, percent]) => [type, Number(percent)]));
    assert.equal(total([...share.values()]), 100);
    const phagocytic = total(['Neutrophils', 'Monocytes'].map((type) => share.get(type) ?? Number.NaN));
    return optionStating(question, (phagocytic / 100) * 8000, 1e-6);
  },
  'neet-2026-01-01-s1-biology-68': () => {
    const perMinute = (4 / 100) * 5000;
    return 0.7 * perMinute;
  },
  // Three chains of any length with 153 residues in all: a bond between neighbours only.
  'neet-2026-01-01-s1-biology-69': (question) => {
    const bonds = (chains: number[]) => total(chains.map((residues) => residues - 1));
    assert.equal(bonds([51, 51, 51]), bonds([100, 23, 30]));
    return optionStating(question, bonds([51, 51, 51]), 1e-6);
  },
  // Every pair of gametes, and two sexes.
  'neet-2026-01-01-s1-biology-71': () => {
    const offspring = cross(['Ai'], ['AB']).flatMap((child) => [`${child} boy`, `${child} girl`]);
    const wanted = offspring.filter((child) => /^(BB|Bi|iB) boy$/.test(child));
    return wanted.length / offspring.length;
  },
  // Copy every strand in every cycle; a copy starts with a primer.
  'neet-2026-01-01-s1-biology-72': (question) => {
    let strands = Array.from({ length: 8 }, () => 'original');
    for (let cycle = 0; cycle < 5; cycle += 1) strands = strands.flatMap((strand) => [strand, 'with primer']);
    return optionStating(question, strands.filter((strand) => strand === 'with primer').length, 1e-6);
  },
  // Follow the X chromosome with the allele (d) through the pedigree; n is the normal one.
  'neet-2026-01-01-s1-biology-77': () => {
    const children = (mother: string, father: string) =>
      [...mother].flatMap((egg) => [...father].map((sperm) => egg + sperm));
    const daughters = (all: string[]) => all.filter((child) => !child.includes('Y'));
    const colourBlindBoy = (child: string) => child.includes('Y') && child.includes('d');
    let boys = 0;
    let all = 0;
    for (const ii1 of daughters(children('nn', 'dY'))) {
      for (const iii2 of daughters(children(ii1, 'nY'))) {
        for (const iv1 of children(iii2, 'nY')) {
          all += 1;
          if (colourBlindBoy(iv1)) boys += 1;
        }
      }
    }
    return boys / all;
  },
  // The father has every band of the child that the mother does not have.
  'neet-2026-01-01-s1-biology-79': (question) => {
    const alt = question.diagrams?.[0]?.alt ?? '';
    const bands = (lane: string) =>
      numbers(new RegExp(`${lane}: (.*?) kb`).exec(alt)?.[1] ?? assert.fail(`no lane ${lane}`));
    const fromFather = bands('Child C').filter((band) => !bands('mother M').includes(band));
    assert.ok(fromFather.length > 0);
    return onlyOption(question, (text) => fromFather.every((band) => bands(text).includes(band)));
  },
  'neet-2026-01-01-s1-biology-88': (question) => {
    const thorax = { vertebrae: 12, ribs: 2 * 12, sternum: 1 };
    return optionStating(question, total(Object.values(thorax)), 1e-6);
  },
  // Carry out the remaining divisions of each cell.
  'neet-2026-01-01-s1-biology-90': () => {
    const divide = (cells: number, divisions: number) => cells * 2 ** divisions;
    return divide(30, 2) + divide(20, 1);
  },
};

/** What the ratio of pre-reproductive to reproductive individuals says about a population. */
function trend(ratio: number): string {
  if (ratio > 1.2) return 'expanding';
  return ratio < 0.8 ? 'declining' : 'stable';
}

/** The genotypes of all equally likely offspring; the genes of the parents assort independently. */
function cross(mother: readonly string[], father: readonly string[]): string[] {
  return gametesOf(mother).flatMap((egg) => gametesOf(father).map((sperm) => egg + sperm));
}
