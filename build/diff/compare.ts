import { isDeepStrictEqual } from 'node:util';
import { compareTexts } from '../content/groups.ts';
import { schemas } from '../release/schemas.ts';
import fieldNames from './field-names.json' with { type: 'json' };
import { matchQuestions, type QuestionPair } from './match.ts';
import type { Row, Section, Words } from './report.ts';
import {
  type ComparedDiagram,
  type ComparedPaper,
  type ComparedQuestion,
  isTranslation,
  type ReadSide,
  readSide,
  type Snapshot,
  sortableTime,
} from './sides.ts';

/**
 * Compares content by what a release serves: formatting and property order make no difference. Files that cannot be
 * read are reported, and none of their questions counts as added or removed.
 *
 * @param before and `after` contain every file that differs, and every paper that uses a diagram that differs
 * @returns the changes by kind, the most important first
 */
export function compareContent(before: Snapshot, after: Snapshot): Section[] {
  const old = readSide('at the ref', before);
  const now = readSide('now', after);
  const matching = matchQuestions(old.questions, now.questions);
  const pairs = [...matching.pairs].sort((a, b) => byPlace(a.after, b.after));
  const edits = pairs
    .map((pair) => ({ question: pair.after, fields: changedFields(pair, before, after) }))
    .filter(({ fields }) => fields.length > 0);
  const diagrams = [...after.diagrams.keys()]
    .filter(
      (path) => before.diagrams.has(path) && before.diagrams.get(path) !== after.diagrams.get(path),
    )
    .sort();
  const added = [...now.paths].filter((path) => !old.paths.has(path));
  const removed = [...old.paths].filter((path) => !now.paths.has(path));
  const isPaper = (path: string) => !isTranslation(path);
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
    { title: 'Files with a wrong lastUpdated', rows: staleRows(old, now, new Set(diagrams)) },
    {
      title: 'Files that cannot be compared',
      rows: [...old.incomparable, ...now.incomparable].sort((a, b) => compareTexts(a.path, b.path)),
    },
    { title: 'Papers added', rows: added.filter(isPaper).map(pathRow) },
    { title: 'Translations added', rows: added.filter(isTranslation).map(pathRow) },
    { title: 'Questions added', rows: comparable(matching.added, old).map(questionRow) },
    {
      title: 'Questions moved to another paper',
      rows: pairs
        .filter(({ before, after }) => before.id === after.id && before.path !== after.path)
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
    { title: 'Translations of questions', rows: translationRows(old, now, pairs) },
    { title: 'Papers in another order', rows: reordered(pairs).map(pathRow) },
    { title: 'Diagrams changed', rows: diagrams.map(pathRow) },
    { title: 'Exam and shift files', rows: detailRows(before, after, old, now) },
  ];
  return sections.filter(({ rows }) => rows.length > 0);
}

function pathRow(path: string): Row {
  return { path };
}

function questionRow({ path, id }: ComparedQuestion): Row {
  return { path, question: id };
}

/** Leaves out questions of papers that exist on the other side but cannot be read there. */
function comparable(questions: readonly ComparedQuestion[], other: ReadSide): ComparedQuestion[] {
  return questions
    .filter(({ path }) => !other.paths.has(path) || other.papers.has(path))
    .sort(byPlace);
}

function renumberedRows(pairs: readonly QuestionPair[], now: ReadSide): Row[] {
  const ids = new Set(now.questions.map(({ id }) => id));
  return pairs
    .filter(({ before, after }) => before.id !== after.id)
    .map(({ before, after }) => {
      const notes: Words[] = [];
      if (before.path !== after.path) notes.push(['from ', { quoted: before.path }]);
      if (ids.has(before.id)) notes.push(['another question now has the old id']);
      return {
        path: after.path,
        before: [{ quoted: before.id }],
        after: [{ quoted: after.id }],
        note: notes.length > 0 ? joined(notes, '; ') : undefined,
      };
    });
}

function papersWithOtherMarks(old: ReadSide, now: ReadSide): string[] {
  return [...now.papers.keys()].filter((path) => {
    const before = old.papers.get(path);
    return before && before.served.get('marking') !== now.papers.get(path)?.served.get('marking');
  });
}

/** @param pairs in the order after the change */
function reordered(pairs: readonly QuestionPair[]): string[] {
  const last = new Map<string, number>();
  const found = new Set<string>();
  for (const { before, after } of pairs) {
    if (before.path !== after.path) continue;
    if (before.index < (last.get(after.path) ?? -1)) found.add(after.path);
    last.set(after.path, before.index);
  }
  return [...found];
}

/** Passages that were added, removed or changed in a file that is on both sides. */
function passageRows(old: ReadSide, now: ReadSide): Row[] {
  return partChanges(
    old,
    now,
    ({ passages }) => passages,
    (path, id, change) => ({
      path,
      note: [{ quoted: id }, ` ${change}`],
    }),
  );
}

/** Translated questions that were added, removed or changed. A question that was renumbered is the same. */
function translationRows(old: ReadSide, now: ReadSide, pairs: readonly QuestionPair[]): Row[] {
  const renumbered = new Map(
    pairs.map(({ before, after }) => [`${before.path} ${before.id}`, after.id]),
  );
  const textsById = ({ questions }: ComparedPaper, path: string, isOld: boolean) => {
    if (!isTranslation(path)) return new Map();
    const original = path.replace(/\.[^/]+$/, '.json');
    return new Map(
      questions.map(({ id, served, diagrams }) => {
        const idNow = (isOld && renumbered.get(`${original} ${id}`)) || id;
        const described = diagrams.map((diagram) => diagram.served);
        return [idNow, { ...Object.fromEntries(served), id: idNow, diagrams: described }];
      }),
    );
  };
  return partChanges(old, now, textsById, (path, question, change) => ({
    path,
    question,
    note: [change],
  }));
}

/** @param partsOf returns parts of a paper or translation by their ids */
function partChanges(
  old: ReadSide,
  now: ReadSide,
  partsOf: (paper: ComparedPaper, path: string, isOld: boolean) => ReadonlyMap<string, unknown>,
  row: (path: string, id: string, change: 'added' | 'removed' | 'changed') => Row,
): Row[] {
  const changes: Row[] = [];
  for (const [path, paper] of now.papers) {
    const other = old.papers.get(path);
    if (!other) continue;
    const before = partsOf(other, path, true);
    const after = partsOf(paper, path, false);
    for (const [id, part] of after) {
      if (!before.has(id)) changes.push(row(path, id, 'added'));
      else if (!isDeepStrictEqual(before.get(id), part)) changes.push(row(path, id, 'changed'));
    }
    for (const id of before.keys()) if (!after.has(id)) changes.push(row(path, id, 'removed'));
  }
  return changes;
}

function staleRows(old: ReadSide, { papers }: ReadSide, diagrams: ReadonlySet<string>): Row[] {
  const stale: Row[] = [];
  for (const [path, after] of papers) {
    const before = old.papers.get(path);
    if (!before) continue;
    const then = sortableTime(before.lastUpdated);
    const now = sortableTime(after.lastUpdated);
    if (then === undefined || now === undefined || now > then) continue;
    if (now === then && !servesOther(before, after, diagrams)) continue;
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

function servesOther(
  before: ComparedPaper,
  after: ComparedPaper,
  diagrams: ReadonlySet<string>,
): boolean {
  return (
    !isDeepStrictEqual(before.served, after.served) ||
    after.diagrams.some((path) => diagrams.has(path))
  );
}

function detailRows(before: Snapshot, after: Snapshot, old: ReadSide, now: ReadSide): Row[] {
  const rows: Row[] = [];
  for (const [path, fields] of now.details) {
    const fieldsBefore = old.details.get(path);
    if (!before.files.has(path)) rows.push({ path, note: ['added'] });
    else if (fieldsBefore && !isDeepStrictEqual(fieldsBefore, fields))
      rows.push({ path, note: ['changed'] });
  }
  for (const path of old.details.keys())
    if (!after.files.has(path)) rows.push({ path, note: ['removed'] });
  return rows.sort((a, b) => compareTexts(a.path, b.path));
}

function byPlace(a: ComparedQuestion, b: ComparedQuestion): number {
  return compareTexts(a.path, b.path) || a.index - b.index;
}

/** Whether other responses to the question score than before. */
function scoresOtherwise({ before, after }: QuestionPair): boolean {
  return (
    before.answer !== after.answer ||
    before.dropped !== after.dropped ||
    !isDeepStrictEqual([...before.accepted].sort(), [...after.accepted].sort()) ||
    optionChangedSides(before, after)
  );
}

/** Whether an option's text started or stopped to score: options can swap texts under the same keys. */
function optionChangedSides(before: ComparedQuestion, after: ComparedQuestion): boolean {
  const old = optionsByScore(before);
  const now = optionsByScore(after);
  return (
    [...old.right].some((text) => now.wrong.has(text) && !now.right.has(text)) ||
    [...old.wrong].some((text) => now.right.has(text) && !old.right.has(text))
  );
}

function optionsByScore({ options, answer, accepted }: ComparedQuestion) {
  const scoring = new Set([answer, ...accepted].flatMap((keys) => keys.split(',')));
  const texts = (scores: boolean) =>
    new Set(options.filter(({ key }) => scoring.has(key) === scores).map(({ value }) => value));
  return { right: texts(true), wrong: texts(false) };
}

function answerRow({ before, after }: QuestionPair): Row {
  return { ...questionRow(after), before: scoringWords(before), after: scoringWords(after) };
}

/** The fields that decide who scores: `A (metre), accepted: A and B, dropped`. */
function scoringWords({ answer, options, accepted, dropped }: ComparedQuestion): Words {
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

/** The name of a field in the report. */
function nameOf(field: string): string {
  return fieldNames[field as keyof typeof fieldNames] ?? field;
}

/** Counts the questions in which each field changed: `text 3, topic 1`. */
function fieldCounts(changed: readonly string[]): string {
  const counts = questionFields.map((field) => {
    const count = changed.filter((one) => one === field).length;
    return count > 0 ? [`${nameOf(field)} ${count}`] : [];
  });
  return counts.flat().join(', ');
}

/** Returns the changed fields, except the id and those that decide who scores. */
function changedFields(pair: QuestionPair, old: Snapshot, now: Snapshot): string[] {
  const { before, after } = pair;
  return questionFields.filter((field) => {
    if (['id', 'answer', 'dropped'].includes(field)) return false;
    if (field === 'diagrams') return !sameDiagrams(before.diagrams, after.diagrams, old, now);
    const isChanged = before.served.get(field) !== after.served.get(field);
    return isChanged && (field !== 'accepted' || !scoresOtherwise(pair));
  });
}

function sameDiagrams(
  before: readonly ComparedDiagram[],
  after: readonly ComparedDiagram[],
  old: Snapshot,
  now: Snapshot,
): boolean {
  return (
    before.length === after.length &&
    before.every((one, index) => {
      const other = after[index];
      if (!other || !isDeepStrictEqual(one.served, other.served)) return false;
      // A snapshot has the digests of changed diagrams only.
      const digest = old.diagrams.get(one.path);
      const otherDigest = now.diagrams.get(other.path);
      return digest === undefined || otherDigest === undefined || digest === otherDigest;
    })
  );
}
