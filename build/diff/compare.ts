import { isDeepStrictEqual } from 'node:util';
import { type Matching, matchQuestions, type QuestionPair } from './match.ts';
import type { ContentChanges, ExamChange, Field, PartChange, QuestionPlace, Scoring, StalePaper } from './report.ts';
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
 * Compares content by what a release serves: formatting and property order make no difference. Files that cannot be read
 * are reported, and none of their questions counts as added or removed.
 *
 * @param before and `after` contain every file that differs, and every paper that uses a diagram that differs
 */
export function compareContent(before: Snapshot, after: Snapshot): ContentChanges {
  const [old, now] = [readSide('before', before), readSide('after', after)];
  const matching = matchQuestions(old.questions, now.questions);
  const pairs = [...matching.pairs].sort((a, b) => byPlace(a.after, b.after));
  const diagrams = changedDiagrams(before, after);
  const ids = new Set(now.questions.map(({ id }) => id));
  const added = [...now.paths].filter((path) => !old.paths.has(path));
  const removed = [...old.paths].filter((path) => !now.paths.has(path));
  const isPaper = (path: string) => !isTranslation(path);
  return {
    papers: { added: added.filter(isPaper), removed: removed.filter(isPaper) },
    translations: {
      added: added.filter(isTranslation),
      removed: removed.filter(isTranslation),
      questions: translationChanges(old, now, pairs),
    },
    marks: [...now.papers.keys()].filter((path) => {
      const before = old.papers.get(path);
      return before && !isDeepStrictEqual(before.marking, now.papers.get(path)?.marking);
    }),
    passages: passageChanges(old, now),
    added: comparable(matching.added, old),
    removed: comparable(matching.removed, now),
    renumbered: pairs
      .filter(({ before, after }) => before.id !== after.id)
      .map(({ before, after }) => ({ before: placeOf(before), after: placeOf(after), reused: ids.has(before.id) })),
    moved: pairs
      .filter(({ before, after }) => before.id === after.id && before.path !== after.path)
      .map(({ before, after }) => ({ id: after.id, from: before.path, to: after.path })),
    answers: pairs.flatMap((pair) => {
      const change = scoringChange(pair);
      return change ? [{ ...placeOf(pair.after), ...change }] : [];
    }),
    edits: pairs.flatMap((pair) => {
      const fields = changedFields(pair, before, after);
      return fields.length > 0 ? [{ ...placeOf(pair.after), fields }] : [];
    }),
    reordered: reordered(pairs),
    stale: stalePapers(old, now, new Set(diagrams)),
    diagrams,
    exams: examChanges(before, after, old, now),
    incomparable: [...old.incomparable, ...now.incomparable].sort((a, b) => compare(a.path, b.path)),
  };
}

/** Leaves out questions of papers that exist on the other side but cannot be read there. */
function comparable(questions: Matching['added'], other: ReadSide): QuestionPlace[] {
  return questions
    .filter(({ path }) => !other.paths.has(path) || other.papers.has(path))
    .sort(byPlace)
    .map(placeOf);
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
function passageChanges(old: ReadSide, now: ReadSide): PartChange[] {
  return partChanges(old, now, ({ passages }) => new Map(passages.map((passage) => [passage.id, passage])));
}

/** The same for the questions of translations. One of a question that was renumbered in its paper is the same. */
function translationChanges(old: ReadSide, now: ReadSide, pairs: readonly QuestionPair[]): PartChange[] {
  const renumbered = new Map(pairs.map(({ before, after }) => [`${before.path} ${before.id}`, after.id]));
  return partChanges(old, now, ({ questions }, path, isOld) => {
    if (!isTranslation(path)) return new Map();
    const original = path.replace(/\.[^/]+$/, '.json');
    return new Map(
      questions.map(({ id, question, options, solution, diagrams }) => {
        const described = diagrams.map(({ name, alt }) => ({ name, alt }));
        const idNow = (isOld && renumbered.get(`${original} ${id}`)) || id;
        return [idNow, { question, options, solution, described }];
      }),
    );
  });
}

/** @param partsOf returns parts of a paper or translation by their ids */
function partChanges(
  old: ReadSide,
  now: ReadSide,
  partsOf: (paper: ComparedPaper, path: string, isOld: boolean) => ReadonlyMap<string, unknown>,
): PartChange[] {
  const changes: PartChange[] = [];
  for (const [path, paper] of now.papers) {
    const other = old.papers.get(path);
    if (!other) continue;
    const [before, after] = [partsOf(other, path, true), partsOf(paper, path, false)];
    for (const [id, part] of after) {
      if (!before.has(id)) changes.push({ path, id, change: 'added' });
      else if (!isDeepStrictEqual(before.get(id), part)) changes.push({ path, id, change: 'changed' });
    }
    for (const id of before.keys()) if (!after.has(id)) changes.push({ path, id, change: 'removed' });
  }
  return changes;
}

function changedDiagrams(before: Snapshot, after: Snapshot): string[] {
  return [...after.diagrams.keys()]
    .filter((path) => before.diagrams.has(path) && before.diagrams.get(path) !== after.diagrams.get(path))
    .sort();
}

function stalePapers(old: ReadSide, { papers }: ReadSide, diagrams: ReadonlySet<string>): StalePaper[] {
  const stale: StalePaper[] = [];
  for (const [path, after] of papers) {
    const before = old.papers.get(path);
    if (!before) continue;
    const times = { path, before: before.lastUpdated, after: after.lastUpdated };
    const [then, now] = [sortableTime(times.before), sortableTime(times.after)];
    if (then === undefined || now === undefined) continue;
    if (now < then) stale.push({ ...times, fault: 'earlier' });
    else if (now === then && servesOther(before, after, diagrams)) stale.push({ ...times, fault: 'same' });
  }
  return stale;
}

function servesOther(before: ComparedPaper, after: ComparedPaper, diagrams: ReadonlySet<string>): boolean {
  const served = ({ questions, passages, marking }: ComparedPaper) => ({ questions, passages, marking });
  return !isDeepStrictEqual(served(before), served(after)) || after.diagrams.some((path) => diagrams.has(path));
}

function examChanges(before: Snapshot, after: Snapshot, old: ReadSide, now: ReadSide): ExamChange[] {
  const changes: ExamChange[] = [];
  for (const path of now.exams.keys()) {
    if (!before.files.has(path)) changes.push({ path, change: 'added' });
    else if (old.exams.has(path) && old.exams.get(path) !== now.exams.get(path))
      changes.push({ path, change: 'changed' });
  }
  for (const path of old.exams.keys()) if (!after.files.has(path)) changes.push({ path, change: 'removed' });
  return changes.sort((a, b) => compare(a.path, b.path));
}

function placeOf({ id, path }: ComparedQuestion): QuestionPlace {
  return { id, path };
}

function byPlace(a: ComparedQuestion, b: ComparedQuestion): number {
  return compare(a.path, b.path) || a.index - b.index;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns how scoring changed; undefined when the same responses score. */
function scoringChange({ before, after }: QuestionPair): { before: Scoring; after: Scoring } | undefined {
  const same =
    before.answer === after.answer &&
    before.dropped === after.dropped &&
    isDeepStrictEqual([...before.accepted].sort(), [...after.accepted].sort()) &&
    !optionChangedSides(before, after);
  return same ? undefined : { before: scoring(before), after: scoring(after) };
}

/** Whether an option's text started or stopped to score: options can swap texts under the same keys. */
function optionChangedSides(before: ComparedQuestion, after: ComparedQuestion): boolean {
  const [old, now] = [optionsByScore(before), optionsByScore(after)];
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

function scoring({ answer, options, accepted, dropped }: ComparedQuestion): Scoring {
  const keys = new Set(answer.split(','));
  const texts = options.filter(({ key }) => keys.has(key)).map(({ value }) => value);
  return { answer, texts, accepted, dropped };
}

/** Returns the changed fields, except those that decide who scores. The snapshots have the digests of diagrams. */
function changedFields({ before, after }: QuestionPair, old: Snapshot, now: Snapshot): Field[] {
  const changed: Field[] = [];
  const fields = ['type', 'question', 'number', 'section', 'passage', 'topic', 'difficulty', 'solution'] as const;
  for (const field of [...fields, 'options', 'answerRange', 'marking'] as const)
    if (!isDeepStrictEqual(before[field], after[field])) changed.push(field);
  if (!sameDiagrams(before.diagrams, after.diagrams, old, now)) changed.push('diagrams');
  if (!isDeepStrictEqual(before.accepted, after.accepted) && !scoringChange({ before, after }))
    changed.push('accepted');
  return changed;
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
      if (one.name !== other?.name || one.alt !== other.alt) return false;
      const [digest, otherDigest] = [old.diagrams.get(one.path), now.diagrams.get(other.path)];
      // Only of a diagram that changed the digest is known.
      return digest === undefined || otherDigest === undefined || digest === otherDigest;
    })
  );
}
