import { fileURLToPath } from 'node:url';
import type { Question } from '../../build/content/written.ts';
import { configFile, readBank } from '../../build/release/config.ts';
import { rawQuestions } from '../build/leaks/secrets.ts';

export const sampleContentDir = fileURLToPath(new URL('../../content', import.meta.url));

/** Its configuration. */
export const sampleBank = readBank(fileURLToPath(new URL(`../../${configFile}`, import.meta.url)));

/** The papers that anyone can read: a shift. */
export const samplePapers: ReadonlySet<string> = new Set(sampleBank.samples);

interface PlacedQuestion {
  readonly exam: string;
  readonly year: string;
  readonly shift: string;
  readonly subject: string;
  readonly question: Question;
}

/** Every question of the sample bank, with its place. */
export async function sampleQuestions(): Promise<PlacedQuestion[]> {
  const questions = await rawQuestions(sampleContentDir);
  return questions.map(({ exam, year, shift, subject, updated: _, ...question }) => {
    return { exam, year, shift, subject, question };
  });
}
