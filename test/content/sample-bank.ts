import { fileURLToPath } from 'node:url';
import type { Question } from '../../build/content/types.ts';
import { configFile, readBank as readConfiguredBank } from '../../build/release/bank.ts';
import { readBank } from '../build/read-bank.ts';

export const sampleContentDir = fileURLToPath(new URL('../../content', import.meta.url));

/** Its configuration. */
export const sampleBank = readConfiguredBank(fileURLToPath(new URL(`../../${configFile}`, import.meta.url)));

/** The paper that anyone can read. */
export const [samplePaper = ''] = sampleBank.samples;

export interface PlacedQuestion {
  readonly exam: string;
  readonly year: string;
  readonly shift: string;
  readonly subject: string;
  readonly question: Question;
}

/** Every question of the sample bank, with its place. */
export async function sampleQuestions(): Promise<PlacedQuestion[]> {
  const { papers } = await readBank(sampleContentDir);
  return papers.flatMap(({ exam, year, shift, subject, content }) =>
    (content?.questions ?? []).map((question) => ({ exam, year, shift, subject, question })),
  );
}
