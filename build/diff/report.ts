/** What a change of the content changes for those who use the API. Every list is in the order of its paths. */
export interface ContentChanges {
  readonly papers: { readonly added: readonly string[]; readonly removed: readonly string[] };
  readonly added: readonly QuestionPlace[];
  readonly removed: readonly QuestionPlace[];
  readonly renumbered: readonly Renumbering[];
  readonly moved: readonly Move[];
  readonly answers: readonly AnswerChange[];
  readonly edits: readonly Edit[];
  /** Papers whose questions stand in another order. */
  readonly reordered: readonly string[];
  readonly stale: readonly StalePaper[];
  /** Diagrams under the same path with other bytes. */
  readonly diagrams: readonly string[];
  readonly exams: readonly ExamChange[];
  readonly incomparable: readonly Incomparable[];
}

/** The changes since a commit. */
export interface ChangeReport extends ContentChanges {
  /** As it was asked for. */
  readonly ref: string;
  /** The commit that it names, in hex. */
  readonly commit: string;
}

export interface QuestionPlace {
  readonly id: string;
  /** Of its paper, inside the content folder, with `/` between its parts; so are all paths here. */
  readonly path: string;
}

/** A question that stayed what it is, under another id. */
interface Renumbering {
  readonly before: QuestionPlace;
  readonly after: QuestionPlace;
  /** Another question has the old id now. */
  readonly reused: boolean;
}

/** A question that went to another paper and kept its id. */
interface Move {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** A question for which other people score now. Its place is that after the change. */
interface AnswerChange extends QuestionPlace {
  readonly before: Scoring;
  readonly after: Scoring;
}

/** What decides who scores. */
export interface Scoring {
  readonly answer: string;
  /** The texts of the options that the answer names; none of a numerical question. */
  readonly texts: readonly string[];
  /** Empty where only the answer scores. */
  readonly accepted: readonly string[];
  readonly dropped: boolean;
}

/** A question whose content is another, whoever scores. Its place is that after the change. */
interface Edit extends QuestionPlace {
  readonly fields: readonly Field[];
}

/** By their names in a subject file; of `accepted` the order only, the rest of it decides who scores. */
export type Field = 'type' | 'question' | 'options' | 'topic' | 'difficulty' | 'diagrams' | 'accepted';

/** A paper that tells the time of its last change wrongly. */
export interface StalePaper {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** The content changed and the time did not, or the time went backwards. */
  readonly fault: 'same' | 'earlier';
}

export interface ExamChange {
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed';
}

/** What the report knows nothing of, and why. */
export interface Incomparable {
  readonly path: string;
  readonly side: Side;
  /** A sentence. */
  readonly reason: string;
}

/** At the ref, or in the working tree. */
export type Side = 'before' | 'after';

/** One kind of change, for a reader. */
export interface Section {
  readonly title: string;
  /** Who stored an id or an address does not find it again. */
  readonly isBreaking: boolean;
  /** What the rows come to, where their number does not tell it. */
  readonly sum?: string;
  readonly rows: readonly Row[];
}

export interface Row {
  /** Of the file that the row is about. */
  readonly path: string;
  readonly question?: string;
  readonly before?: Words;
  readonly after?: Words;
  readonly note?: Words;
}

/** The report's own words, and pieces that come from the content. */
export type Words = readonly (string | Quoted)[];

interface Quoted {
  readonly quoted: string;
}

/** The kinds of change that a report holds, the most important first; none when nothing changed. */
export function sectionsOf(report: ChangeReport): Section[] {
  const { papers, removed, renumbered, answers, stale, incomparable, added, moved, edits } = report;
  const sections: Section[] = [
    { title: 'Papers removed', isBreaking: true, rows: papers.removed.map(pathRow) },
    { title: 'Questions removed', isBreaking: true, rows: removed.map(questionRow) },
    { title: 'Questions renumbered', isBreaking: true, rows: renumbered.map(renumberedRow) },
    { title: 'Answers changed', isBreaking: false, rows: answers.map(answerRow) },
    { title: 'Papers with a wrong lastUpdated', isBreaking: false, rows: stale.map(staleRow) },
    { title: 'Not to be compared', isBreaking: false, rows: incomparable.map(incomparableRow) },
    { title: 'Papers added', isBreaking: false, rows: papers.added.map(pathRow) },
    { title: 'Questions added', isBreaking: false, rows: added.map(questionRow) },
    { title: 'Questions moved to another paper', isBreaking: false, rows: moved.map(movedRow) },
    { title: 'Questions edited', isBreaking: false, sum: fieldCounts(edits), rows: edits.map(editRow) },
    { title: 'Papers in another order', isBreaking: false, rows: report.reordered.map(pathRow) },
    { title: 'Diagrams changed', isBreaking: false, rows: report.diagrams.map(pathRow) },
    { title: 'Exam files', isBreaking: false, rows: report.exams.map(examRow) },
  ];
  return sections.filter(({ rows }) => rows.length > 0);
}

function pathRow(path: string): Row {
  return { path };
}

function questionRow({ path, id }: QuestionPlace): Row {
  return { path, question: id };
}

function renumberedRow({ before, after, reused }: Renumbering): Row {
  const note: (string | Quoted)[] = [];
  if (before.path !== after.path) note.push('from ', { quoted: before.path });
  if (reused) note.push(note.length > 0 ? '; ' : '', 'another question has the old id now');
  return {
    path: after.path,
    before: [{ quoted: before.id }],
    after: [{ quoted: after.id }],
    ...(note.length > 0 && { note }),
  };
}

function answerRow({ path, id, before, after }: AnswerChange): Row {
  return { path, question: id, before: scoringWords(before), after: scoringWords(after) };
}

function scoringWords({ answer, texts, accepted, dropped }: Scoring): Words {
  const words: (string | Quoted)[] = [{ quoted: answer }];
  if (texts.length > 0) words.push(' (', ...listed(texts), ')');
  if (accepted.length > 0) words.push(', accepted: ', ...listed(accepted));
  if (dropped) words.push(', dropped');
  return words;
}

function listed(texts: readonly string[]): Words {
  return texts.flatMap((quoted, index) => (index === 0 ? [{ quoted }] : [' and ', { quoted }]));
}

function staleRow({ path, before, after, fault }: StalePaper): Row {
  const note = fault === 'same' ? 'the content changed, the time did not' : 'the time went backwards';
  return { path, before: [{ quoted: before }], after: [{ quoted: after }], note: [note] };
}

function incomparableRow({ path, side, reason }: Incomparable): Row {
  return { path, note: [`${side === 'before' ? 'at the ref' : 'now'}: ${reason}`] };
}

function movedRow({ id, from, to }: Move): Row {
  return { path: to, question: id, note: ['from ', { quoted: from }] };
}

function editRow({ path, id, fields }: Edit): Row {
  return { path, question: id, note: [fields.map((field) => names[field]).join(', ')] };
}

function examRow({ path, change }: ExamChange): Row {
  return { path, note: [change] };
}

const names: Readonly<Record<Field, string>> = {
  type: 'type',
  question: 'text',
  options: 'options',
  topic: 'topic',
  difficulty: 'difficulty',
  diagrams: 'diagrams',
  accepted: 'order of accepted answers',
};

/** In how many questions each field changed: `text 3, topic 1`. */
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
