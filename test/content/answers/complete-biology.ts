import assert from 'node:assert/strict';
import { gametesOf } from './mathematics.ts';
import { numbers, onlyOption, type Solutions } from './solution.ts';

export const completeBiology: Solutions = {
  // Every pair of gametes of both parents.
  'neet-2026-01-01-s1-biology-06': () => {
    const offspring = cross(['Tt', 'Rr', 'Yy'], ['tt', 'Rr', 'Yy']);
    const wanted = offspring.filter(
      (one) => one.includes('T') && !one.includes('R') && !one.includes('Y'),
    );
    return wanted.length / offspring.length;
  },
  // Sets of chromosomes: persistent nucellus, two polar nuclei with one male gamete, cell of the embryo sac.
  'neet-2026-01-01-s1-biology-35': (question) => {
    const haploid = 24 / 2;
    const counts = [2, 3, 1].map((sets) => sets * haploid);
    return onlyOption(question, (text) => counts.join() === numbers(text).join());
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
  // Every pair of gametes, and two sexes.
  'neet-2026-01-01-s1-biology-71': () => {
    const offspring = cross(['Ai'], ['AB']).flatMap((child) => [`${child} boy`, `${child} girl`]);
    const wanted = offspring.filter((child) => /^(BB|Bi|iB) boy$/.test(child));
    return wanted.length / offspring.length;
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
