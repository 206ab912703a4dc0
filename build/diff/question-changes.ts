import type { QuestionPair } from './match.ts';
import type { ComparedDiagram, ComparedQuestion } from './paper.ts';
import type { Field, Scoring } from './report.ts';
import type { Snapshot } from './snapshot.ts';

/** What decides who scores, before and after; undefined where the same people do. */
export function scoringChange({
  before,
  after,
}: QuestionPair): { before: Scoring; after: Scoring } | undefined {
  const same =
    before.answer === after.answer &&
    before.dropped === after.dropped &&
    sameList([...before.accepted].sort(), [...after.accepted].sort()) &&
    !optionChangedSides(before, after);
  return same ? undefined : { before: scoring(before), after: scoring(after) };
}

/** An option that scored and no longer does, or the reverse: options can change places under the same key. */
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

/**
 * The fields in which a release would serve something else, but for those that decide who scores.
 *
 * @param old the side before, and `now` the side after, which tell whether a diagram has other bytes
 */
export function changedFields({ before, after }: QuestionPair, old: Snapshot, now: Snapshot): Field[] {
  const changed: Field[] = [];
  for (const field of ['type', 'question', 'topic', 'difficulty'] as const)
    if (before[field] !== after[field]) changed.push(field);
  if (!sameOptions(before, after)) changed.push('options');
  if (!sameDiagrams(before.diagrams, after.diagrams, old, now)) changed.push('diagrams');
  if (!sameList(before.accepted, after.accepted) && !scoringChange({ before, after }))
    changed.push('accepted');
  return changed;
}

function sameOptions(before: ComparedQuestion, after: ComparedQuestion): boolean {
  const texts = ({ options }: ComparedQuestion) => options.flatMap(({ key, value }) => [key, value]);
  return sameList(texts(before), texts(after));
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

function sameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}
