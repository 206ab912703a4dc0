import assert from 'node:assert/strict';
import { bisect, gametesOf } from './mathematics.ts';
import type { Solutions } from './solution.ts';

export const neetBiology: Solutions = {
  // Walk from compartment to compartment; every step crosses one bilayer. P has the folded inner membrane
  // of a mitochondrion, Q the envelope and thylakoids of a chloroplast, R the one membrane of a vacuole.
  'neet-2023-05-07-s1-biology-01': () => {
    const bilayers: [string, string][] = [
      ['mitochondrial matrix', 'mitochondrial intermembrane space'],
      ['mitochondrial intermembrane space', 'cytosol'],
      ['thylakoid lumen', 'stroma'],
      ['stroma', 'chloroplast intermembrane space'],
      ['chloroplast intermembrane space', 'cytosol'],
      ['vacuolar sap', 'cytosol'],
      ['perinuclear space', 'cytosol'],
      ['cytosol', 'cell wall'],
    ];
    return fewestSteps(bilayers, 'mitochondrial matrix', 'vacuolar sap');
  },
  // Gametes of the repulsion heterozygote Rh/rH with 20 % recombinants; every pair of gametes is formed.
  'neet-2023-05-07-s1-biology-02': () => {
    const recombinant = 20 / 100;
    const gametes: [string, number][] = [
      ['Rh', (1 - recombinant) / 2],
      ['rH', (1 - recombinant) / 2],
      ['RH', recombinant / 2],
      ['rh', recombinant / 2],
    ];
    let whiteSmooth = 0;
    let all = 0;
    for (const [egg, ofEgg] of gametes) {
      for (const [sperm, ofSperm] of gametes) {
        all += ofEgg * ofSperm;
        if (!/[RH]/.test(egg + sperm)) whiteSmooth += ofEgg * ofSperm;
      }
    }
    assert.ok(Math.abs(all - 1) < 1e-12);
    return whiteSmooth;
  },
  // Work back from the catfish to the energy that producers must fix, and from that to the area.
  'neet-2023-05-07-s1-biology-04': () => {
    const catfish = 9.0e4;
    const smallFish = catfish / 0.1;
    const netPrimary = smallFish / 0.1;
    const grossPrimary = netPrimary / (1 - 0.4);
    return grossPrimary / 25000;
  },
  // Pump for one minute, beat by beat, and find the remainder that gives the stated output.
  'neet-2023-05-07-s1-biology-05': () => {
    const pumpedInAMinute = (remainder: number) => {
      let pumped = 0;
      for (let beat = 0; beat < 50; beat += 1) pumped += 160 - remainder;
      return pumped;
    };
    return bisect((remainder) => pumpedInAMinute(remainder) - 5000, 0, 160);
  },
  // Enumerate the gametes of both parents, gene by gene, and count dominant alleles in the children.
  'neet-2023-05-07-s1-biology-08': () => {
    const shade = (genotype: string) => genotype.replace(/[a-z]/g, '').length;
    const father = ['Aa', 'Bb', 'Cc'];
    const mother = ['AA', 'Bb', 'cc'];
    assert.equal(shade(father.join('')), shade(mother.join('')));
    const children = gametesOf(father).flatMap((sperm) => gametesOf(mother).map((egg) => sperm + egg));
    const alike = children.filter((child) => shade(child) === shade(father.join('')));
    return alike.length / children.length;
  },
  // Chargaff's rule: try every number of A-T pairs, with two bonds each, beside G-C pairs with three.
  'neet-2024-05-05-s1-biology-02': () => {
    const pairs = Math.round(1.02e-6 / 0.34e-9);
    const fitting: number[] = [];
    for (let adenineThymine = 0; adenineThymine <= pairs; adenineThymine += 1) {
      if (2 * adenineThymine + 3 * (pairs - adenineThymine) === 7800) fitting.push(adenineThymine);
    }
    assert.equal(fitting.length, 1);
    // Each A-T pair holds one adenine among its two bases.
    return (100 * (fitting[0] ?? Number.NaN)) / (2 * pairs);
  },
  // Follow the nuclei and count the divisions: meiosis I and II, then the microspore's mitosis into a
  // vegetative and a generative nucleus, then the mitosis of the generative nucleus alone.
  'neet-2024-05-05-s1-biology-04': () => {
    const daughters: Record<string, [string, string]> = {
      'mother cell': ['dyad', 'dyad'],
      dyad: ['microspore', 'microspore'],
      microspore: ['vegetative', 'generative'],
      generative: ['male gamete', 'male gamete'],
    };
    const waiting = ['mother cell'];
    const final: string[] = [];
    let divisions = 0;
    for (let nucleus = waiting.pop(); nucleus !== undefined; nucleus = waiting.pop()) {
      const pair = daughters[nucleus];
      if (pair) {
        divisions += 1;
        waiting.push(...pair);
      } else {
        final.push(nucleus);
      }
    }
    // Four grains of three cells each.
    assert.equal(final.length, 4 * 3);
    return divisions;
  },
  // Bayes' rule over all genotypes of the pedigree, under each mode of inheritance. Only one mode explains
  // the pedigree, and the frequency of the allele in the population must not matter.
  'neet-2024-05-05-s1-biology-05': () => {
    const modes: Mode[] = [];
    for (const xLinked of [false, true]) {
      for (const dominant of [false, true]) modes.push({ xLinked, dominant });
    }
    const possible = modes.filter((mode) => heterozygousChild(mode, 0.1).evidence > 0);
    assert.deepEqual(possible, [{ xLinked: false, dominant: false }]);
    const [mode] = possible;
    assert.ok(mode);
    const [rare, common] = [heterozygousChild(mode, 0.01), heterozygousChild(mode, 0.4)];
    assert.ok(Math.abs(rare.probability - common.probability) < 1e-9);
    return rare.probability;
  },
  // Total lung capacity less all that can still be breathed in after a quiet expiration.
  'neet-2024-05-05-s1-biology-06': () => {
    const total = 4200 + 1300;
    const functionalResidual = total - 3100;
    // The other way: expiratory reserve and residual volume.
    const inspiratoryReserve = 3100 - 500;
    assert.equal(functionalResidual, 4200 - 500 - inspiratoryReserve + 1300);
    return functionalResidual;
  },
  // The endosperm has two polar nuclei of the mother and one male gamete.
  'neet-2024-06-23-s1-biology-01': () => {
    const endosperm = (mother: number, father: number) => mother / 2 + mother / 2 + father / 2;
    return Math.abs(endosperm(28, 14) - endosperm(14, 28));
  },
  // The r for which the logistic growth rate, scanned over all N up to K = 500, has the graph's maximum.
  'neet-2024-06-23-s1-biology-02': () => {
    const peak = (r: number) => {
      let highest = { n: 0, rate: 0 };
      for (let n = 0; n <= 500; n += 1) {
        const rate = r * n * (1 - n / 500);
        if (rate > highest.rate) highest = { n, rate };
      }
      return highest;
    };
    const r = bisect((trial) => peak(trial).rate - 50, 0, 5);
    assert.equal(peak(r).n, 250);
    return r;
  },
  // Cut the ring at all sites; pieces of equal length run in one band.
  'neet-2024-06-23-s1-biology-03': () => {
    const ring = 5000;
    const cuts = [400, 1900, 3100, 2500].sort((a, b) => a - b);
    const lengths = cuts.map((cut, index) => ((cuts[(index + 1) % cuts.length] ?? 0) - cut + ring) % ring);
    assert.equal(
      lengths.reduce((sum, length) => sum + length, 0),
      ring,
    );
    return new Set(lengths).size;
  },
  // Allele frequency from Hardy-Weinberg, then every mating among the brown rabbits.
  'neet-2024-06-23-s1-biology-05': () => {
    const a = Math.sqrt(1 / 16);
    const brown: [string, number][] = [
      ['AA', (1 - a) ** 2],
      ['Aa', 2 * a * (1 - a)],
    ];
    let white = 0;
    let all = 0;
    for (const [doe, ofDoe] of brown) {
      for (const [buck, ofBuck] of brown) {
        const young = [...doe].flatMap((egg) => [...buck].map((sperm) => egg + sperm));
        all += ofDoe * ofBuck;
        white += (ofDoe * ofBuck * young.filter((one) => one === 'aa').length) / young.length;
      }
    }
    return white / all;
  },
  // Sliding filaments: sample points along the sarcomere and measure where there is myosin but no actin.
  'neet-2024-06-23-s1-biology-06': () => {
    const thick = 1.6;
    const hZone = (sarcomere: number, thin: number) => {
      const samples = 200_000;
      let inside = 0;
      for (let index = 0; index < samples; index += 1) {
        const x = ((index + 0.5) / samples) * sarcomere;
        const myosin = Math.abs(x - sarcomere / 2) < thick / 2;
        const actin = x < thin || x > sarcomere - thin;
        if (myosin && !actin) inside += 1;
      }
      return (inside / samples) * sarcomere;
    };
    const thin = bisect((trial) => 0.6 - hZone(2.6, trial), 0.5, 1.3);
    return hZone(2.1, thin);
  },
};

/** The least number of links on a way between two places, by breadth-first search. */
function fewestSteps(links: readonly [string, string][], from: string, to: string): number {
  const seen = new Set([from]);
  for (let steps = 0, front = [from]; front.length > 0; steps += 1) {
    if (front.includes(to)) return steps;
    const next = front.flatMap((place) =>
      links.flatMap(([one, other]) => (one === place ? [other] : other === place ? [one] : [])),
    );
    front = [...new Set(next)].filter((place) => !seen.has(place));
    for (const place of front) seen.add(place);
  }
  assert.fail(`no way from ${from} to ${to}`);
}

/** How a condition is inherited; `d` is the allele behind it, `n` the other, `Y` the other sex chromosome. */
interface Mode {
  xLinked: boolean;
  dominant: boolean;
}

type Sex = 'man' | 'woman';

/** A genotype, as the allele from the mother and that from the father, with its probability. */
type Distribution = readonly [genotype: string, probability: number][];

/** The pedigree of neet-2024-05-05-s1-biology-05: how probable it is, and how probably III-1 is heterozygous. */
function heterozygousChild(mode: Mode, frequency: number): { evidence: number; probability: number } {
  const affected = (genotype: string) => {
    const disease = [...genotype].filter((allele) => allele === 'd').length;
    return disease === 2 || (disease === 1 && (mode.dominant || genotype.includes('Y')));
  };
  const founder = (sex: Sex): Distribution => {
    const alleles: [string, number][] = [
      ['n', 1 - frequency],
      ['d', frequency],
    ];
    const second: [string, number][] = mode.xLinked && sex === 'man' ? [['Y', 1]] : alleles;
    return alleles.flatMap(([one, ofOne]) =>
      second.map(([other, ofOther]): [string, number] => [one + other, ofOne * ofOther]),
    );
  };
  const child = (mother: string, father: string, sex?: Sex): Distribution => {
    const young = [...mother].flatMap((egg) => [...father].map((sperm) => egg + sperm));
    const ofSex = mode.xLinked && sex ? young.filter((one) => one.includes('Y') === (sex === 'man')) : young;
    return ofSex.map((one): [string, number] => [one, 1 / ofSex.length]);
  };
  const showing = (people: Distribution, condition: boolean) =>
    people.filter(([genotype]) => affected(genotype) === condition);

  let evidence = 0;
  let heterozygous = 0;
  for (const [i1, p1] of showing(founder('man'), false)) {
    for (const [i2, p2] of showing(founder('woman'), false)) {
      for (const [, p3] of showing(child(i2, i1, 'woman'), true)) {
        for (const [ii2, p4] of showing(child(i2, i1, 'man'), false)) {
          for (const [i3, p5] of showing(founder('man'), false)) {
            for (const [i4, p6] of showing(founder('woman'), true)) {
              for (const [ii3, p7] of showing(child(i4, i3, 'woman'), false)) {
                const pedigree = p1 * p2 * p3 * p4 * p5 * p6 * p7;
                evidence += pedigree;
                for (const [iii1, p8] of child(ii3, ii2)) {
                  if (iii1 === 'nd' || iii1 === 'dn') heterozygous += pedigree * p8;
                }
              }
            }
          }
        }
      }
    }
  }
  return { evidence, probability: heterozygous / evidence };
}
