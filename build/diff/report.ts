import { count } from '../report/wording.ts';

/** How the content changed for users of the API. Every list is sorted by path. */
export interface ContentChanges {
  readonly papers: { readonly added: readonly string[]; readonly removed: readonly string[] };
  readonly translations: {
    readonly added: readonly string[];
    readonly removed: readonly string[];
    /** Translated questions of files that are on both sides. */
    readonly questions: readonly PartChange[];
  };
  /** Papers with another marking of their own. */
  readonly marks: readonly string[];
  readonly passages: readonly PartChange[];
  readonly added: readonly QuestionPlace[];
  readonly removed: readonly QuestionPlace[];
  readonly renumbered: readonly Renumbering[];
  readonly moved: readonly Move[];
  readonly answers: readonly AnswerChange[];
  readonly edits: readonly Edit[];
  /** Papers with their questions in another order. */
  readonly reordered: readonly string[];
  readonly stale: readonly StalePaper[];
  /** Diagrams under the same path with other bytes. */
  readonly diagrams: readonly string[];
  readonly exams: readonly ExamChange[];
  readonly incomparable: readonly Incomparable[];
}

/** The changes since a commit. */
export interface ChangeReport extends ContentChanges {
  /** As given by the user. */
  readonly ref: string;
  /** The commit it resolves to, in hex. */
  readonly commit: string;
}

export interface QuestionPlace {
  readonly id: string;
  /** Path of its paper, relative to the content folder, with `/` as separator. */
  readonly path: string;
}

/** The same question under another id. */
interface Renumbering {
  readonly before: QuestionPlace;
  readonly after: QuestionPlace;
  /** Whether another question now has the old id. */
  readonly reused: boolean;
}

/** A question that moved to another paper and kept its id. */
interface Move {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** A question whose scoring changed. Its place is the one after the change. */
interface AnswerChange extends QuestionPlace {
  readonly before: Scoring;
  readonly after: Scoring;
}

/** The fields that decide who scores. */
export interface Scoring {
  readonly answer: string;
  /** Texts of the options in the answer; none for a numerical question. */
  readonly texts: readonly string[];
  /** Empty when only the answer scores. */
  readonly accepted: readonly string[];
  readonly dropped: boolean;
}

/** A question with edits that do not change scoring. Its place is the one after the change. */
interface Edit extends QuestionPlace {
  readonly fields: readonly Field[];
}

/** Names of fields in a subject file; `accepted` when only its order changed. */
export type Field = keyof typeof names;

/** A paper or translation with a wrong `lastUpdated`. */
export interface StalePaper {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** `same`: the content changed and the time did not. `earlier`: the time went backwards. */
  readonly fault: 'same' | 'earlier';
}

export interface ExamChange {
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed';
}

/** A change of a passage or of a translated question. */
export interface PartChange extends ExamChange {
  readonly id: string;
}

/** A file that cannot be compared, and why. */
export interface Incomparable {
  readonly path: string;
  readonly side: Side;
  /** A sentence. */
  readonly reason: string;
}

/** `before`: at the ref. `after`: in the working tree. */
export type Side = 'before' | 'after';

/** One kind of change, for a reader. */
export interface Section {
  readonly title: string;
  /** Whether a stored id or URL stops working. */
  readonly isBreaking?: boolean;
  /** Summary of the rows, where their number is not enough. */
  readonly sum?: string;
  readonly rows: readonly Row[];
}

export interface Row {
  /** Path of the file. */
  readonly path: string;
  readonly question?: string;
  readonly before?: Words;
  readonly after?: Words;
  readonly note?: Words;
}

/** Text of the report, and quotations from the content. */
export type Words = readonly (string | { readonly quoted: string })[];

/** Returns the sections of a report, the most important first; none when nothing changed. */
export function sectionsOf(report: ChangeReport): Section[] {
  const { papers, translations, removed, renumbered, answers, stale, incomparable, added, moved, edits } = report;
  const sections: Section[] = [
    { title: 'Papers removed', isBreaking: true, rows: papers.removed.map(pathRow) },
    { title: 'Translations removed', isBreaking: true, rows: translations.removed.map(pathRow) },
    { title: 'Questions removed', isBreaking: true, rows: removed.map(questionRow) },
    { title: 'Questions renumbered', isBreaking: true, rows: renumbered.map(renumberedRow) },
    { title: 'Answers changed', rows: answers.map(answerRow) },
    { title: 'Marks of papers changed', rows: report.marks.map(pathRow) },
    { title: 'Files with a wrong lastUpdated', rows: stale.map(staleRow) },
    { title: 'Files that cannot be compared', rows: incomparable.map(incomparableRow) },
    { title: 'Papers added', rows: papers.added.map(pathRow) },
    { title: 'Translations added', rows: translations.added.map(pathRow) },
    { title: 'Questions added', rows: added.map(questionRow) },
    {
      title: 'Questions moved to another paper',
      rows: moved.map(({ id, from, to }) => ({ path: to, question: id, note: ['from ', { quoted: from }] })),
    },
    {
      title: 'Questions edited',
      sum: fieldCounts(edits),
      rows: edits.map(({ path, id, fields }) => ({
        ...{ path, question: id },
        note: [fields.map((field) => names[field]).join(', ')],
      })),
    },
    {
      title: 'Passages',
      rows: report.passages.map(({ path, id, change }) => ({ path, note: [{ quoted: id }, ` ${change}`] })),
    },
    {
      title: 'Translations of questions',
      rows: translations.questions.map(({ path, id, change }) => ({ path, question: id, note: [change] })),
    },
    { title: 'Papers in another order', rows: report.reordered.map(pathRow) },
    { title: 'Diagrams changed', rows: report.diagrams.map(pathRow) },
    { title: 'Exam files', rows: report.exams.map(({ path, change }) => ({ path, note: [change] })) },
  ];
  return sections.filter(({ rows }) => rows.length > 0);
}

/** The number of changes that break what users stored, as `4 breaking changes`; undefined when there are none. */
export function breakingChanges(sections: readonly Section[]): string | undefined {
  const rows = sections.filter(({ isBreaking }) => isBreaking).flatMap((section) => section.rows);
  return rows.length === 0 ? undefined : count(rows.length, 'breaking change');
}

/** @param format a quotation */
export function formatWords(words: Words, format: (quotation: string) => string): string {
  return words.map((piece) => (typeof piece === 'string' ? piece : format(piece.quoted))).join('');
}

function pathRow(path: string): Row {
  return { path };
}

function questionRow({ path, id }: QuestionPlace): Row {
  return { path, question: id };
}

function renumberedRow({ before, after, reused }: Renumbering): Row {
  const notes: Words[] = [];
  if (before.path !== after.path) notes.push(['from ', { quoted: before.path }]);
  if (reused) notes.push(['another question now has the old id']);
  return {
    path: after.path,
    before: [{ quoted: before.id }],
    after: [{ quoted: after.id }],
    ...(notes.length > 0 && { note: joined(notes, '; ') }),
  };
}

function answerRow({ path, id, before, after }: AnswerChange): Row {
  return { path, question: id, before: scoringWords(before), after: scoringWords(after) };
}

function scoringWords({ answer, texts, accepted, dropped }: Scoring): Words {
  return [
    { quoted: answer },
    ...(texts.length > 0 ? [' (', ...listed(texts), ')'] : []),
    ...(accepted.length > 0 ? [', accepted: ', ...listed(accepted)] : []),
    ...(dropped ? [', dropped'] : []),
  ];
}

function listed(texts: readonly string[]): Words {
  return joined(
    texts.map((quoted) => [{ quoted }]),
    ' and ',
  );
}

function joined(parts: readonly Words[], separator: string): Words {
  return parts.flatMap((part, index) => (index === 0 ? part : [separator, ...part]));
}

function staleRow({ path, before, after, fault }: StalePaper): Row {
  const note = fault === 'same' ? 'the content changed, but the time did not' : 'the time went backwards';
  return { path, before: [{ quoted: before }], after: [{ quoted: after }], note: [note] };
}

function incomparableRow({ path, side, reason }: Incomparable): Row {
  return { path, note: [`${side === 'before' ? 'at the ref' : 'now'}: ${reason}`] };
}

const names = {
  type: 'type',
  question: 'text',
  number: 'number',
  section: 'section',
  passage: 'passage',
  options: 'options',
  topic: 'topic',
  difficulty: 'difficulty',
  diagrams: 'diagrams',
  answerRange: 'range of answers',
  marking: 'marks',
  solution: 'solution',
  accepted: 'order of accepted answers',
} as const;

/** Counts the questions in which each field changed: `text 3, topic 1`. */
function fieldCounts(edits: readonly Edit[]): string {
  const counts = Object.entries(names).map(([field, name]) => {
    const count = edits.filter(({ fields }) => fields.includes(field as Field)).length;
    return count > 0 ? [`${name} ${count}`] : [];
  });
  return counts.flat().join(', ');
}

/**
 * The beginning of a text, with `…` where something was left out.
 *
 * @param length in Unicode characters
 */
export function shortened(text: string, length: number): string {
  const characters = [...text.slice(0, 2 * (length + 1))];
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : text;
}
