import { isDeepStrictEqual } from 'node:util';
import { placeOf } from '../content/file.ts';
import { compareTexts } from '../content/groups.ts';
import type { Question } from '../release/resources.ts';
import { schemas } from '../release/schemas.ts';
import { matchQuestions, type QuestionPair, withoutId } from './match.ts';
import type { Row, Section, Words } from './report.ts';
import { type ComparedFile, isTranslation, type PlacedQuestion, type Side } from './sides.ts';

/**
 * Compares content by what a release serves: formatting and property order make no difference. Files that a release
 * cannot serve are reported, and none of their questions counts as added or removed.
 *
 * @param old and `now` have every exam file that differs, and every shift in which a file differs
 * @returns the changes by kind, the most important first
 */
export function compareContent(old: Side, now: Side): Section[] {
  const matching = matchQuestions(old.questions, now.questions);
  const pairs = [...matching.pairs].sort((a, b) => byPlace(a.after, b.after));
  const edits = pairs
    .map((pair) => ({ question: pair.after, fields: changedFields(pair) }))
    .filter(({ fields }) => fields.length > 0);
  const diagrams = [...now.diagrams].flatMap(([path, digest]) =>
    (old.diagrams.get(path) ?? digest) === digest ? [] : path,
  );
  const added = [...now.paths].filter((path) => !old.paths.has(path));
  const removed = [...old.paths].filter((path) => !now.paths.has(path));
  const isPaper = (path: string) => placeOf(path).kind === 'paper';
  const sections: Section[] = [
    { title: 'Papers removed', isBreaking: true, rows: removed.filter(isPaper).map(pathRow) },
    {
      title: 'Translations removed',
      isBreaking: true,
      rows: removed.filter(isTranslation).map(pathRow),
    },
    {
      title: 'Questions removed',
      isBreaking: true,
      rows: comparable(matching.removed, now).map(questionRow),
    },
    { title: 'Questions renumbered', isBreaking: true, rows: renumberedRows(pairs, now) },
    { title: 'Answers changed', rows: pairs.filter(scoresOtherwise).map(answerRow) },
    { title: 'Marks of papers changed', rows: papersWithOtherMarks(old, now).map(pathRow) },
    { title: 'Files with a wrong lastUpdated', rows: staleRows(old, now) },
    { title: 'Files that cannot be compared', rows: faultRows(old, now) },
    { title: 'Papers added', rows: added.filter(isPaper).map(pathRow) },
    { title: 'Translations added', rows: added.filter(isTranslation).map(pathRow) },
    { title: 'Questions added', rows: comparable(matching.added, old).map(questionRow) },
    {
      title: 'Questions moved to another paper',
      rows: pairs
        .filter(
          ({ before, after }) =>
            before.question.id === after.question.id && before.path !== after.path,
        )
        .map(({ before, after }) => ({
          ...questionRow(after),
          note: ['from ', { quoted: before.path }],
        })),
    },
    {
      title: 'Questions edited',
      sum: fieldCounts(edits.flatMap(({ fields }) => fields)),
      rows: edits.map(({ question, fields }) => ({
        ...questionRow(question),
        note: [fields.map(nameOf).join(', ')],
      })),
    },
    { title: 'Passages', rows: passageRows(old, now) },
    { title: 'Translations of questions', rows: translationRows(old, now) },
    { title: 'Diagrams changed', rows: diagrams.map(pathRow) },
    { title: 'Exam and shift files', rows: detailRows(old, now) },
  ];
  return sections.filter(({ rows }) => rows.length > 0);
}

function pathRow(path: string): Row {
  return { path };
}

function questionRow({ path, question }: PlacedQuestion): Row {
  return { path, question: question.id };
}

/** Leaves out questions of papers that exist on the other side but cannot be served there. */
function comparable(questions: readonly PlacedQuestion[], other: Side): PlacedQuestion[] {
  return questions
    .filter(({ path }) => !other.paths.has(path) || other.files.has(path))
    .sort(byPlace);
}

function renumberedRows(pairs: readonly QuestionPair[], now: Side): Row[] {
  const ids = new Set(now.questions.map(({ question }) => question.id));
  return pairs
    .filter(({ before, after }) => before.question.id !== after.question.id)
    .map(({ before, after }) => {
      const notes: Words[] = [];
      if (before.path !== after.path) notes.push(['from ', { quoted: before.path }]);
      if (ids.has(before.question.id)) notes.push(['another question now has the old id']);
      return {
        path: after.path,
        before: [{ quoted: before.question.id }],
        after: [{ quoted: after.question.id }],
        note: notes.length > 0 ? joined(notes, '; ') : undefined,
      };
    });
}

function papersWithOtherMarks(old: Side, now: Side): string[] {
  const before = new Map(old.questions.map(({ path, paper }) => [path, paper]));
  const after = new Map(now.questions.map(({ path, paper }) => [path, paper]));
  return [...after].flatMap(([path, { marking }]) => {
    const other = before.get(path);
    return other && !isDeepStrictEqual(other.marking, marking) ? path : [];
  });
}

/** Passages that were added, removed or changed in a file that is on both sides. */
function passageRows(old: Side, now: Side): Row[] {
  const passagesById = ({ passages }: ComparedFile) =>
    new Map(passages.map((one) => [one.id, one]));
  return partChanges(old, now, passagesById, (path, id, change) => ({
    path,
    note: [{ quoted: id }, ` ${change}`],
  }));
}

/** Translated questions that were added, removed or changed. */
function translationRows(old: Side, now: Side): Row[] {
  const textsById = ({ questions }: ComparedFile, path: string) =>
    new Map(isTranslation(path) ? questions.map((question) => [question.id, question]) : []);
  return partChanges(old, now, textsById, (path, question, change) => ({
    path,
    question,
    note: [change],
  }));
}

/** @param partsOf returns parts of a paper or translation by their ids */
function partChanges(
  old: Side,
  now: Side,
  partsOf: (file: ComparedFile, path: string) => ReadonlyMap<string, unknown>,
  row: (path: string, id: string, change: 'added' | 'removed' | 'changed') => Row,
): Row[] {
  const changes: Row[] = [];
  for (const [path, file] of now.files) {
    const other = old.files.get(path);
    if (!other) continue;
    const before = partsOf(other, path);
    const after = partsOf(file, path);
    for (const [id, part] of after) {
      if (!before.has(id)) changes.push(row(path, id, 'added'));
      else if (!isDeepStrictEqual(before.get(id), part)) changes.push(row(path, id, 'changed'));
    }
    for (const id of before.keys()) if (!after.has(id)) changes.push(row(path, id, 'removed'));
  }
  return changes;
}

function staleRows(old: Side, { files }: Side): Row[] {
  const stale: Row[] = [];
  for (const [path, after] of files) {
    const before = old.files.get(path);
    if (!before) continue;
    const then = Date.parse(before.lastUpdated);
    const now = Date.parse(after.lastUpdated);
    if (now > then) continue;
    if (now === then && isDeepStrictEqual(before.content, after.content)) continue;
    const note =
      now < then ? 'the time went backwards' : 'the content changed, but the time did not';
    stale.push({
      path,
      before: [{ quoted: before.lastUpdated }],
      after: [{ quoted: after.lastUpdated }],
      note: [note],
    });
  }
  return stale;
}

/** The files that a release cannot serve, with their first problem. One that is the same on both sides did not change. */
function faultRows(old: Side, now: Side): Row[] {
  const rowsOf = (side: string, { faults }: Side, other: Side) =>
    [...faults]
      .filter(([path, fault]) => !isDeepStrictEqual(other.faults.get(path), fault))
      .map(([path, { line, message }]) => ({
        path,
        note: [`${side}, line ${line}: `, { quoted: message }],
      }));
  return [...rowsOf('at the ref', old, now), ...rowsOf('now', now, old)].sort((a, b) =>
    compareTexts(a.path, b.path),
  );
}

function detailRows(old: Side, now: Side): Row[] {
  const rows: Row[] = [];
  for (const [path, fields] of now.details) {
    if (!old.paths.has(path)) rows.push({ path, note: ['added'] });
    else if (old.details.has(path) && !isDeepStrictEqual(old.details.get(path), fields))
      rows.push({ path, note: ['changed'] });
  }
  for (const path of old.details.keys())
    if (!now.paths.has(path)) rows.push({ path, note: ['removed'] });
  return rows.sort((a, b) => compareTexts(a.path, b.path));
}

function byPlace(a: PlacedQuestion, b: PlacedQuestion): number {
  return compareTexts(a.path, b.path) || a.index - b.index;
}

/** Whether other responses to the question score than before. */
function scoresOtherwise(pair: QuestionPair): boolean {
  const before = pair.before.question;
  const after = pair.after.question;
  return (
    before.answer !== after.answer ||
    before.dropped !== after.dropped ||
    !isDeepStrictEqual(before.accepted?.toSorted(), after.accepted?.toSorted()) ||
    optionChangedSides(before, after)
  );
}

/** Whether an option's text started or stopped to score: options can swap texts under the same keys. */
function optionChangedSides(before: Question, after: Question): boolean {
  const old = optionsByScore(before);
  const now = optionsByScore(after);
  return (
    [...old.right].some((text) => now.wrong.has(text) && !now.right.has(text)) ||
    [...old.wrong].some((text) => now.right.has(text) && !old.right.has(text))
  );
}

function optionsByScore({ options, answer, accepted = [] }: Question) {
  const scoring = new Set([answer, ...accepted].flatMap((keys) => keys.split(',')));
  const texts = (scores: boolean) =>
    new Set(options.filter(({ key }) => scoring.has(key) === scores).map(({ value }) => value));
  return { right: texts(true), wrong: texts(false) };
}

function answerRow({ before, after }: QuestionPair): Row {
  return {
    ...questionRow(after),
    before: scoringWords(before.question),
    after: scoringWords(after.question),
  };
}

/** The fields that decide who scores: `A (metre), accepted: A and B, dropped`. */
function scoringWords({ answer, options, accepted = [], dropped }: Question): Words {
  const keys = new Set(answer.split(','));
  const texts = options.filter(({ key }) => keys.has(key)).map(({ value }) => value);
  const words: Words[number][] = [{ quoted: answer }];
  if (texts.length > 0) words.push(' (', ...listed(texts), ')');
  if (accepted.length > 0) words.push(', accepted: ', ...listed(accepted));
  if (dropped) words.push(', dropped');
  return words;
}

function listed(texts: readonly string[]): Words {
  const quotations = texts.map((quoted) => [{ quoted }]);
  return joined(quotations, ' and ');
}

function joined(parts: readonly Words[], separator: string): Words {
  return parts.flatMap((part, index) => (index === 0 ? part : [separator, ...part]));
}

/** The fields of a question that the API serves. */
const questionFields = Object.keys(schemas['Question']?.properties ?? {});

/** Fields under another name in the report. */
const fieldNames: Readonly<Record<string, string>> = {
  question: 'text',
  answerRange: 'range of answers',
  lang: 'language',
  marking: 'marks',
  accepted: 'order of accepted answers',
};

/** Fields that decide who scores, or that follow from other fields, passages and diagrams. */
const otherwiseReported = new Set(['id', 'answer', 'dropped', 'hasDiagram', 'passageChecksum']);

/** The name of a field in the report. */
function nameOf(field: string): string {
  return fieldNames[field] ?? field;
}

/** Counts the questions in which each field changed: `text 3, topic 1`. */
function fieldCounts(changed: readonly string[]): string {
  const counts = questionFields.map((field) => {
    const count = changed.filter((one) => one === field).length;
    return count > 0 ? [`${nameOf(field)} ${count}`] : [];
  });
  return counts.flat().join(', ');
}

/** The changed fields of a question itself. */
function changedFields(pair: QuestionPair): string[] {
  if (isDeepStrictEqual(pair.before.question, pair.after.question)) return [];
  const before: Readonly<Record<string, unknown>> = withoutId(pair.before.question);
  const after: Readonly<Record<string, unknown>> = withoutId(pair.after.question);
  return questionFields.filter((field) => {
    if (otherwiseReported.has(field) || isDeepStrictEqual(before[field], after[field]))
      return false;
    if (field === 'accepted') return !scoresOtherwise(pair);
    return field !== 'marking' || !hasMarksOfPaper(pair.before) || !hasMarksOfPaper(pair.after);
  });
}

function hasMarksOfPaper({ question, paper }: PlacedQuestion): boolean {
  return isDeepStrictEqual(question.marking, paper.marking);
}
