import type { Question } from '../../../build/content/types.ts';
import { compareContent } from '../../../build/diff/compare.ts';
import type { ContentChanges } from '../../../build/diff/report.ts';
import type { FileValue, Snapshot } from '../../../build/diff/sides.ts';
import { sampleQuestions } from '../bank-folder.ts';

export const physics = 'neet/2024/2024-05-05-s1/physics.json';
export const chemistry = 'neet/2024/2024-05-05-s1/chemistry.json';

export const oldMoment = '2024-06-01T10:00:00Z';
export const newMoment = '2024-07-01T10:00:00Z';

/** A report without changes. */
export const noChanges: ContentChanges = {
  papers: { added: [], removed: [] },
  translations: { added: [], removed: [], questions: [] },
  marks: [],
  passages: [],
  added: [],
  removed: [],
  renumbered: [],
  moved: [],
  answers: [],
  edits: [],
  reordered: [],
  stale: [],
  diagrams: [],
  exams: [],
  incomparable: [],
};

/** A question with a different text for each id, and these fields. */
export function question(id: string, fields: Partial<Question> = {}): Question {
  return { ...sampleQuestions.mcq, id, question: texts[id] ?? `What is known of ${id}?`, ...fields };
}

/** Texts that are not similar. */
const texts: Readonly<Record<string, string>> = {
  q1: 'A stone falls freely from rest for two seconds. How far does it fall?',
  q2: 'Which of these gases has the largest molar mass at room temperature?',
  q3: 'The roots of a quadratic equation are equal. Its discriminant is then',
  q4: 'Where in a plant cell does photosynthesis take place?',
};

/** Papers by path. A list of questions is a subject file with them. */
export type Papers = Readonly<Record<string, readonly Question[] | object>>;

/** Compares papers. Those after the change have a new lastUpdated by default. */
export function compare(before: Papers, after: Papers): ContentChanges {
  return compareContent(snapshot(before, oldMoment), snapshot(after, newMoment));
}

export function snapshot(papers: Papers, lastUpdated: string, diagrams: Record<string, string> = {}): Snapshot {
  const files = Object.entries(papers).map(([path, paper]): [string, FileValue] => [
    path,
    { value: Array.isArray(paper) ? { lastUpdated, questions: paper } : paper },
  ]);
  return { files: new Map(files), diagrams: new Map(Object.entries(diagrams)) };
}
