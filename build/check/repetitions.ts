import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readJsonFile } from '../content/file.ts';
import { compareTexts, groupBy } from '../content/groups.ts';
import { fieldsOf, listOf, questionTexts, textHash } from '../content/question.ts';
import type { Repetition, SimilarPair } from '../rules/bank.ts';
import type { PaperFacts } from './process-shift.ts';

/** At most this many places of a repeated question text are listed. */
const listedPlaces = 10;

/** Reads a question again, whatever it is; undefined when it no longer exists. */
export type ReadQuestion = (path: string, index: number) => unknown;

/** Reads questions again. The last paper is kept in memory, since repeated questions often come from one paper. */
export function questionReader(contentDir: string): ReadQuestion {
  let last: { readonly path: string; readonly questions: readonly unknown[] } | undefined;
  return (path, index) => {
    if (last?.path !== path) {
      const file = readJsonFile(join(contentDir, path), path, 'paper');
      const value = file.state === 'parsed' ? file.value : undefined;
      last = { path, questions: listOf(fieldsOf(value)['questions']) };
    }
    return last.questions[index];
  };
}

interface QuestionPlace {
  readonly path: string;
  /** In its file, from 0. */
  readonly index: number;
}

/** Questions whose ids, or texts and options, have the same hash. */
interface Group {
  readonly places: QuestionPlace[];
  /** The number of all places, listed or not. */
  total: number;
  /** The last place, listed or not. */
  lastPath: string;
}

/**
 * Finds ids, or question texts with their options, that appear more than once in the bank. Candidates are found by their
 * hashes; only those questions are read again and compared.
 *
 * @param papers of the whole bank, in the order of their paths
 */
export function findRepetitions(
  papers: readonly PaperFacts[],
  property: 'id' | 'question',
  read: ReadQuestion,
): Repetition[] {
  const repeated = repeatedHashes(papers.map(({ hashes }) => hashesOf(hashes, property)));
  if (repeated.size === 0) return [];
  const groups = new Map<number, Group>();
  for (const { path, hashes } of papers) {
    for (const [index, hash] of hashesOf(hashes, property).entries()) {
      if (!repeated.has(hash)) continue;
      const group = groups.get(hash);
      if (!group) groups.set(hash, { places: [{ path, index }], total: 1, lastPath: path });
      else if (property === 'id') group.places.push({ path, index });
      else addStem(group, { path, index });
    }
  }
  const candidates = [...groups.values()].filter(({ places }) => places.length > 1);
  // In the order of the papers, each of which is then read once.
  const places = candidates
    .flatMap((group) => group.places)
    .sort((a, b) => compareTexts(a.path, b.path));
  const texts = new Map(places.map((place) => [place, comparedText(place, property, read)]));
  return candidates.flatMap((group) => confirmed(group, property, texts));
}

/** The hashes of ids or of texts in a paper, by question. NaN: the question has none. */
function hashesOf(hashes: ArrayBufferLike, property: 'id' | 'question'): Float64Array {
  const offset = property === 'id' ? 0 : 1;
  const all = new Float64Array(hashes);
  const found = new Float64Array(all.length / 2);
  // A filter takes ten times as long, and a bank has a million of them.
  for (let at = 0; at < found.length; at += 1) found[at] = all[2 * at + offset] ?? Number.NaN;
  return found;
}

/** The hashes that occur more than once. Sorted numbers take a fraction of the memory of a set. */
function repeatedHashes(lists: readonly Float64Array[]): ReadonlySet<number> {
  const all = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const list of lists) {
    all.set(list, end);
    end += list.length;
  }
  all.sort();
  const repeated = new Set<number>();
  for (let at = 1; at < all.length; at += 1) {
    const hash = all[at];
    if (hash !== undefined && hash === all[at - 1]) repeated.add(hash);
  }
  return repeated;
}

/** A question text counts once for each paper: two questions on one figure often begin alike. */
function addStem(group: Group, place: QuestionPlace): void {
  if (group.lastPath === place.path) return;
  group.lastPath = place.path;
  group.total += 1;
  if (group.places.length < listedPlaces) group.places.push(place);
}

/** The id of a question, or a digest of its text and options. */
function comparedText(
  { path, index }: QuestionPlace,
  property: 'id' | 'question',
  read: ReadQuestion,
): string {
  const { id, question, options } = fieldsOf(read(path, index));
  if (property === 'id') return String(id);
  const texts = questionTexts({
    question: String(question),
    options: listOf(options).map(fieldsOf),
  });
  return createHash('sha256').update(JSON.stringify(texts)).digest('base64');
}

/** The places whose texts are really the same: different texts may share a hash. */
function confirmed(
  { places, total }: Group,
  property: 'id' | 'question',
  texts: ReadonlyMap<QuestionPlace, string>,
): Repetition[] {
  const byText = groupBy(places, (place) => texts.get(place));
  return [...byText]
    .filter(([, same]) => same.length > 1)
    .map(([text, same]) => ({
      text,
      places: same.map(({ path, index }) => ({ path, pointer: `/questions/${index}/${property}` })),
      total: Math.max(total, places.length) - (places.length - same.length),
    }));
}

/** The least share of words that two similar questions have in common. */
const leastShare = 0.4;
/** In a group with more questions, only those are compared that share one of the words with the least hashes. */
const mostCompared = 50;
const sampledWords = 6;
/** A share of fewer words means nothing. */
const fewestWords = 3;

/**
 * Finds questions with the same options and answer, and at least 40 % of their words in common. Those that are the same
 * are left out: other rules report them. Each question is compared with few others, so that the time is linear.
 *
 * @param papers of the whole bank, in the order of their paths
 * @returns each question once, with the first one that it is like
 */
export function findSimilar(papers: readonly PaperFacts[], read: ReadQuestion): SimilarPair[] {
  const repeated = repeatedHashes(papers.map(({ variants }) => new Float64Array(variants)));
  if (repeated.size === 0) return [];
  const groups = new Map<number, Candidate[]>();
  for (const { path, variants, hashes } of papers) {
    const stems = hashesOf(hashes, 'question');
    for (const [index, hash] of new Float64Array(variants).entries()) {
      if (!repeated.has(hash)) continue;
      const { question, options } = fieldsOf(read(path, index));
      const words = new Set(
        String(question)
          .toLowerCase()
          .match(/[\p{L}\p{M}\p{N}]+/gu),
      );
      const place = { path, pointer: `/questions/${index}/question` };
      const own = { place, words, stem: stems[index] ?? 0, texts: optionTexts(options) };
      const group = groups.get(hash);
      if (group) group.push(own);
      else groups.set(hash, [own]);
    }
  }
  const questions = [...groups.values()].flat();
  const frequent = frequentWords(questions, Math.max(5, questions.length / 12));
  return [...groups.values()].flatMap((group) => similarIn(group, frequent));
}

/** The words that more questions have than a number. */
function frequentWords(questions: readonly Candidate[], most: number): ReadonlySet<string> {
  const times = new Map<string, number>();
  for (const { words } of questions)
    for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
  return new Set([...times].flatMap(([word, count]) => (count > most ? [word] : [])));
}

/** The questions of a group that are like an earlier one. @param frequent words that say little in this bank */
function similarIn(group: readonly Candidate[], frequent: ReadonlySet<string>): SimilarPair[] {
  // What many questions with the same options have in common is a form: "Given below are two statements".
  const form = frequentWords(group, Math.max(2, group.length / 4));
  const isOwn = (word: string) => !form.has(word) && !frequent.has(word);
  const pairs: SimilarPair[] = [];
  const earlier: Candidate[] = [];
  const bySample = new Map<string, Candidate[]>();
  for (const candidate of group) {
    const words = new Set([...candidate.words].filter(isOwn));
    if (words.size < fewestWords) continue;
    const own = { ...candidate, words };
    const samples = Array.from(words, (word) => [textHash(word), word] as const)
      .sort(([one], [other]) => one - other)
      .slice(0, sampledWords);
    const isSmall = group.length <= mostCompared;
    const compared = isSmall
      ? earlier
      : new Set(samples.flatMap(([, word]) => bySample.get(word) ?? []));
    const like = [...compared].find((other) => isSimilar(own, other));
    if (like)
      pairs.push({
        first: like.place,
        again: own.place,
        percent: Math.round(100 * shareOf(own, like)),
      });
    earlier.push(own);
    if (isSmall) continue;
    for (const [, word] of samples) {
      const listed = bySample.get(word) ?? [];
      if (listed.length < mostCompared) bySample.set(word, [...listed, own]);
    }
  }
  return pairs;
}

interface Candidate {
  readonly place: SimilarPair['first'];
  readonly words: ReadonlySet<string>;
  readonly stem: number;
  readonly texts: string;
}

function optionTexts(options: unknown): string {
  const values = listOf(options).map((option) =>
    String(fieldsOf(option)['value']).replace(/\s+/g, ' '),
  );
  return values.sort().join('\n');
}

function shareOf({ words }: Candidate, other: Candidate): number {
  let common = 0;
  for (const word of words) if (other.words.has(word)) common += 1;
  return common / Math.max(words.size, other.words.size);
}

function isSimilar(one: Candidate, other: Candidate): boolean {
  return one.stem !== other.stem && one.texts === other.texts && shareOf(one, other) >= leastShare;
}
