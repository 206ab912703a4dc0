import type { Difficulty } from '../../content/content.ts';

/** Easiest first: the order of every chart and table. */
export const difficulties = ['easy', 'medium', 'hard'] as const satisfies readonly Difficulty[];

/** How many questions there are of each difficulty. */
export type Tally = Readonly<Record<Difficulty, number>>;

/** All these tallies as one. */
export function sumOf(tallies: Iterable<Tally>): Tally {
  const sum = { easy: 0, medium: 0, hard: 0 };
  for (const tally of tallies) {
    for (const difficulty of difficulties) sum[difficulty] += tally[difficulty];
  }
  return sum;
}

/** All questions of a tally. */
export function totalOf(tally: Tally): number {
  return difficulties.reduce((total, difficulty) => total + tally[difficulty], 0);
}
