import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readJsonFile } from '../content/file.ts';
import { compareTexts, groupBy } from '../content/groups.ts';
import { fieldsOf, lenientQuestion, listOf } from '../content/question.ts';
import type { Repetition } from '../rules/bank.ts';
import type { PaperFacts } from './process-shift.ts';
import { questionTexts } from './text-hash.ts';

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
  /** Of all places, listed or not. */
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
  const offset = property === 'id' ? 0 : 1;
  const total = papers.reduce((sum, { hashes }) => sum + hashes.byteLength / 16, 0);
  const bits = 2 ** Math.ceil(Math.log2(bitsPerHash * (total + 1)));
  const parts = Math.max(1, bits / mostBits);
  return Array.from({ length: parts }, (_, part) => part).flatMap((part) => {
    const visit: VisitHashes = (visitor) => visitHashes(papers, offset, parts, part, visitor);
    const mayBeRepeated = repetitionFilter(visit, bits / parts);
    const groups = new Map<number, Group>();
    visit((hash, path, index) => {
      if (!mayBeRepeated(hash)) return;
      const group = groups.get(hash);
      if (!group) groups.set(hash, { places: [{ path, index }], total: 1, lastPath: path });
      else if (property === 'id') group.places.push({ path, index });
      else addStem(group, { path, index });
    });
    const repeated = [...groups.values()].filter(({ places }) => places.length > 1);
    // In the order of the papers, each of which is then read once.
    const places = repeated
      .flatMap((group) => group.places)
      .sort((a, b) => compareTexts(a.path, b.path));
    const texts = new Map(places.map((place) => [place, comparedText(place, property, read)]));
    return repeated.flatMap((group) => confirmed(group, property, texts));
  });
}

type VisitHashes = (visitor: (hash: number, path: string, index: number) => void) => void;

/**
 * Visits one part of the hashes.
 *
 * @param offset 0: of ids; 1: of texts
 * @param parts a power of two
 * @param part from 0
 */
function visitHashes(
  papers: readonly PaperFacts[],
  offset: number,
  parts: number,
  part: number,
  visitor: Parameters<VisitHashes>[0],
): void {
  for (const { path, hashes: buffer } of papers) {
    const hashes = new Float64Array(buffer);
    for (let at = offset; at < hashes.length; at += 2) {
      const hash = hashes[at] ?? Number.NaN;
      // The filter distinguishes hashes by their lower bits.
      if (!Number.isNaN(hash) && ((hash / 2 ** 32) & (parts - 1)) === part)
        visitor(hash, path, (at - offset) / 2);
    }
  }
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
  const question = lenientQuestion(read(path, index));
  if (property === 'id') return question.id;
  return createHash('sha256')
    .update(JSON.stringify(questionTexts(question)))
    .digest('base64');
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

/** The fewer bits, the more hashes share one by chance. */
const bitsPerHash = 32;

/** Hashes of larger banks are filtered in several parts, one after the other, so that the memory stays the same. */
const mostBits = 2 ** 26;

/**
 * Returns a function that tells which hashes may occur again. Two bits each take a fraction of the memory of a set.
 * @param bits a power of two
 */
function repetitionFilter(visit: VisitHashes, bits: number): (hash: number) => boolean {
  const seen = new Uint8Array(bits / 8);
  const repeated = new Uint8Array(bits / 8);
  const byteOf = (hash: number) => (hash & (bits - 1)) >>> 3;
  const bitOf = (hash: number) => 1 << (hash & 7);
  visit((hash) => {
    const byte = byteOf(hash);
    const bit = bitOf(hash);
    const before = seen[byte] ?? 0;
    if ((before & bit) === 0) seen[byte] = before | bit;
    else repeated[byte] = (repeated[byte] ?? 0) | bit;
  });
  return (hash) => ((repeated[byteOf(hash)] ?? 0) & bitOf(hash)) !== 0;
}
