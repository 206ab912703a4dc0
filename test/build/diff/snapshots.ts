import { contentAt, placeOf } from '../../../build/content/file.ts';
import type { Question } from '../../../build/content/written.ts';
import { compareContent } from '../../../build/diff/compare.ts';
import type { Section, Words } from '../../../build/diff/report.ts';
import { readSide, type Snapshot } from '../../../build/diff/sides.ts';
import { bytesOf, type FileContent, sampleQuestions, shiftPath } from '../bank-folder.ts';

export const physics = `${shiftPath}/physics.json`;
export const chemistry = `${shiftPath}/chemistry.json`;

export const oldMoment = '2024-06-01T10:00:00Z';
export const newMoment = '2024-07-01T10:00:00Z';

/** A question with a different text for each id, and these fields. */
export function question(id: string, fields: Partial<Question> = {}): Question {
  return {
    ...sampleQuestions.mcq,
    id,
    question: texts[id] ?? `What is known of ${id}?`,
    ...fields,
  };
}

/** Texts that are not similar. */
const texts: Readonly<Record<string, string>> = {
  q1: 'A stone falls freely from rest for two seconds. How far does it fall?',
  q2: 'Which of these gases has the largest molar mass at room temperature?',
  q3: 'The roots of a quadratic equation are equal. Its discriminant is then',
  q4: 'Where in a plant cell does photosynthesis take place?',
};

/** Files by path. A list of questions is a subject file with them. */
export type Papers = Readonly<Record<string, readonly Question[] | FileContent>>;

/** Compares papers. Those after the change have a new lastUpdated by default. */
export function compare(before: Papers, after: Papers): Promise<string[]> {
  return compareSnapshots(snapshot(before, oldMoment), snapshot(after, newMoment));
}

export async function compareSnapshots(before: Snapshot, after: Snapshot): Promise<string[]> {
  return linesOf(compareContent(await readSide(before), await readSide(after)));
}

export function snapshot(papers: Papers, lastUpdated: string): Snapshot {
  return {
    ...contentAt(Object.keys(papers).sort().map(placeOf)),
    read: (path) => {
      const paper = papers[path] ?? '';
      const isList = Array.isArray(paper);
      return Buffer.from(
        bytesOf(isList ? { lastUpdated, questions: paper } : (paper as FileContent)),
      );
    },
  };
}

/** A line for each change: `Questions moved to another paper: chemistry q8 (from physics)`. */
export function linesOf(sections: readonly Section[]): string[] {
  return sections.flatMap(({ title, rows }) =>
    rows.map(({ path, question, before = [], after = [], note = [] }) => {
      const change = before.length > 0 ? `${textOf(before)} -> ${textOf(after)}` : '';
      const words = [
        `${title}:`,
        nameOf(path),
        question,
        change,
        note.length > 0 ? `(${textOf(note)})` : '',
      ];
      return words.filter(Boolean).join(' ');
    }),
  );
}

function textOf(words: Words): string {
  return words.map((piece) => (typeof piece === 'string' ? piece : nameOf(piece.quoted))).join('');
}

function nameOf(path: string): string {
  return path.startsWith(shiftPath)
    ? path.slice(shiftPath.length + 1).replace(/\.json$/, '')
    : path;
}

/** The line on a file whose content has changed without its lastUpdated. */
export function stale(name: string, moment = oldMoment): string {
  const note = 'the content changed, but the time did not';
  return `Files with a wrong lastUpdated: ${name} ${moment} -> ${moment} (${note})`;
}
