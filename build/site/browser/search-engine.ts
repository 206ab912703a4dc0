/** The search of the docs without its page: finds entries of the index, and in each the line that matches best. */
import MiniSearch from 'minisearch';

/** What the search finds. */
export interface SearchEntry {
  readonly term: string;
  /** The heading above it, or the title of its page. */
  readonly place: string;
  readonly href: string;
  /** By which its score is multiplied. */
  readonly weight: number;
  /** The text below it: sentences, rows of tables, lines of code. */
  readonly lines: string[];
}

/** A part of a text; the parts that match are marked. */
export type MarkedPart = readonly [text: string, isMarked: boolean];

/** An entry that matches. */
export interface SearchResult {
  readonly term: readonly MarkedPart[];
  readonly place: string;
  readonly href: string;
  /** Returns the line with most of the words, or the first one; empty if the entry has no text. */
  line(): readonly MarkedPart[];
}

/**
 * Returns a function that finds the entries that contain every word, the best match first. A word can be the start of a
 * longer one. If nothing matches, a word may be misspelt, and `limiting` finds `limits`.
 */
export function searchEngine(entries: readonly SearchEntry[]): (text: string) => SearchResult[] {
  const index = new MiniSearch({
    fields: ['term', 'place', 'lines'],
    processTerm: wordsOf,
    searchOptions: {
      processTerm: (word) => word.toLowerCase(),
      combineWith: 'AND',
      prefix: true,
      boost: { term: 5, place: 2 },
      boostDocument: (id) => entries[id]?.weight ?? 1,
    },
  });
  index.addAll(entries.map((entry, id) => ({ id, ...entry })));
  return (text) => {
    const exact = index.search(text);
    const found =
      exact.length > 0
        ? exact
        : index.search(text.replaceAll(/(?<=\w{4})ing\b/g, ''), { fuzzy: 0.2 });
    const names = found.map(({ id }) => entries[id]?.term);
    // Endpoints have fields in common: the others of the same name are last.
    const repeats = new Set(found.filter((_, place) => names.indexOf(names[place]) < place));
    return [...found.filter((result) => !repeats.has(result)), ...repeats].map(({ id, terms }) => {
      const { term, place, href, lines } = entries[id] as SearchEntry;
      return { term: markedParts(term, terms), place, href, line: () => bestLine(lines, terms) };
    });
  };
}

/** The words by which a word is found: `hasDiagram` also by `diagram`. */
function wordsOf(word: string): string[] {
  const parts = word.split(/(?<=[a-z])(?=[A-Z])/).filter((part) => part.length > 2);
  return [...new Set([word, ...parts].map((part) => part.toLowerCase()))];
}

/** @param terms of the index: those that start with another one count once */
function bestLine(lines: readonly string[], terms: readonly string[]): readonly MarkedPart[] {
  const starts = terms.filter(
    (term) => !terms.some((other) => other !== term && term.startsWith(other)),
  );
  const all = lines.map((line) => markedParts(line, terms));
  const counts = all.map((parts) => {
    const words = parts.filter(([, isMarked]) => isMarked).flatMap(([text]) => wordsOf(text));
    return starts.filter((start) => words.some((word) => word.startsWith(start))).length;
  });
  return all[counts.indexOf(Math.max(...counts))] ?? [];
}

/** Splits a text at its words, and marks those that contain a term of the index. */
function markedParts(text: string, terms: readonly string[]): MarkedPart[] {
  const parts = text.split(/([^\p{Z}\p{P}\n\r]+)/u);
  return parts.map((part) => [part, wordsOf(part).some((word) => terms.includes(word))]);
}
