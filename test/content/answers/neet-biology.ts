import assert from 'node:assert/strict';
import { bisect, gametesOf } from './mathematics.ts';
import type { Solutions } from './solution.ts';

export const neetBiology: Solutions = {
  // Work back from the catfish to the energy that producers must fix, and from that to the area.
  'neet-2024-01-01-s1-biology-03': () => {
    const catfish = 9.0e4;
    const smallFish = catfish / 0.1;
    const netPrimary = smallFish / 0.1;
    const grossPrimary = netPrimary / (1 - 0.4);
    return grossPrimary / 25000;
  },
  // Pump for one minute, beat by beat, and find the remainder that gives the stated output.
  'neet-2024-01-01-s1-biology-06': () => {
    const pumpedInAMinute = (remainder: number) => {
      let pumped = 0;
      for (let beat = 0; beat < 50; beat += 1) pumped += 160 - remainder;
      return pumped;
    };
    return bisect((remainder) => pumpedInAMinute(remainder) - 5000, 0, 160);
  },
  // Enumerate the gametes of both parents, gene by gene, and count dominant alleles in the children.
  'neet-2024-01-01-s1-biology-10': () => {
    const shade = (genotype: string) => genotype.replace(/[a-z]/g, '').length;
    const father = ['Aa', 'Bb', 'Cc'];
    const mother = ['AA', 'Bb', 'cc'];
    assert.equal(shade(father.join('')), shade(mother.join('')));
    const children = gametesOf(father).flatMap((sperm) =>
      gametesOf(mother).map((egg) => sperm + egg),
    );
    const alike = children.filter((child) => shade(child) === shade(father.join('')));
    return alike.length / children.length;
  },
  // Chargaff's rule: try every number of A-T pairs, with two bonds each, beside G-C pairs with three.
  'neet-2024-03-01-s1-biology-08': () => {
    const pairs = Math.round(1.02e-6 / 0.34e-9);
    const fitting: number[] = [];
    for (let adenineThymine = 0; adenineThymine <= pairs; adenineThymine += 1) {
      if (2 * adenineThymine + 3 * (pairs - adenineThymine) === 7800) fitting.push(adenineThymine);
    }
    assert.equal(fitting.length, 1);
    // Each A-T pair holds one adenine among its two bases.
    return (100 * (fitting[0] ?? Number.NaN)) / (2 * pairs);
  },
  // Total lung capacity less all that can still be breathed in after a quiet expiration.
  'neet-2024-03-01-s1-biology-10': () => {
    const total = 4200 + 1300;
    const functionalResidual = total - 3100;
    // The other way: expiratory reserve and residual volume.
    const inspiratoryReserve = 3100 - 500;
    assert.equal(functionalResidual, 4200 - 500 - inspiratoryReserve + 1300);
    return functionalResidual;
  },
  // The endosperm has two polar nuclei of the mother and one male gamete.
  'neet-2024-03-01-s1-biology-06': () => {
    const endosperm = (mother: number, father: number) => mother / 2 + mother / 2 + father / 2;
    return Math.abs(endosperm(28, 14) - endosperm(14, 28));
  },
  // Cut the ring at all sites; pieces of equal length run in one band.
  'neet-2024-03-01-s1-biology-09': () => {
    const ring = 5000;
    const cuts = [400, 1900, 3100, 2500].sort((a, b) => a - b);
    const lengths = cuts.map(
      (cut, index) => ((cuts[(index + 1) % cuts.length] ?? 0) - cut + ring) % ring,
    );
    assert.equal(
      lengths.reduce((sum, length) => sum + length, 0),
      ring,
    );
    return new Set(lengths).size;
  },
};
