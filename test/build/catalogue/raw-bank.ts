import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Question, SubjectFile } from '../../../build/content/types.ts';

/** A question of a content file, with the path of the file. */
export interface RawQuestion extends Question {
  readonly exam: string;
  readonly year: string;
  readonly shift: string;
  readonly subject: string;
  /** The lastUpdated of its file. */
  readonly updated: string;
}

/** Reads every question of a content folder, without any code of the build. */
export async function rawQuestions(contentDir: string): Promise<RawQuestion[]> {
  const paths = await readdir(contentDir, { recursive: true });
  const papers = paths
    .map((path) => path.split(sep))
    // Not translations.
    .filter((parts) => parts.length === 4 && /^[^.]+\.json$/.test(parts[3] ?? ''));
  const questions = await Promise.all(
    papers.map(async ([exam = '', year = '', shift = '', file = '']) => {
      const text = await readFile(join(contentDir, exam, year, shift, file), 'utf8');
      const paper: SubjectFile = JSON.parse(text);
      const place = {
        exam,
        year,
        shift,
        subject: file.slice(0, -'.json'.length),
        updated: paper.lastUpdated,
      };
      return paper.questions.map((question) => ({ ...question, ...place }));
    }),
  );
  return questions.flat();
}

/** Counts questions by kind. */
export function countBy(
  questions: readonly RawQuestion[],
  kindOf: (question: RawQuestion) => string,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const question of questions) {
    const kind = kindOf(question);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}
