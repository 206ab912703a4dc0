import { lastAtMost } from '../content/positions.ts';
import type { Question } from '../content/types.ts';
import type { Repetition, TextPlace } from '../rules/facts.ts';
import { repeatedPrints } from './repeated-prints.ts';
import { stemOf } from './text-hash.ts';
import { type PaperPrint, printWords } from './work.ts';

/** Of a stem that stands in many papers, so many places are told. */
const toldPlaces = 10;

/** The places of a repeated text: each a number that stands for a question. */
interface Group {
  readonly places: number[];
  total: number;
  /** The last of them, listed or not. */
  last: number;
}

/** Reads a question of a paper once more; undefined when it is no longer there. */
export type ReadQuestion = (path: string, index: number) => Question | undefined;

/** Where in the words of a question the fingerprints of its id and of its stem begin. */
const idAt = 1;
const stemAt = 3;

/** Finds what stands twice in the bank, by fingerprints; the texts themselves are read again where those meet. */
export class Repetitions {
  readonly #papers: readonly PaperPrint[];
  /** The number of each paper's first question. */
  readonly #firsts: readonly number[];

  /** @param papers of the bank, in the order of their paths */
  constructor(papers: readonly PaperPrint[]) {
    const firsts: number[] = [];
    let next = 0;
    for (const { prints } of papers) {
      firsts.push(next);
      const last = prints[prints.length - printWords];
      next += last === undefined ? 0 : last + 1;
    }
    this.#papers = papers;
    this.#firsts = firsts;
  }

  ids(read: ReadQuestion): Repetition[] {
    return this.#confirmed(this.#groups(idAt), read, 'id', (id) => id);
  }

  stems(read: ReadQuestion): Repetition[] {
    return this.#confirmed(this.#groups(stemAt), read, 'question', stemOf);
  }

  /** The questions that share a fingerprint. */
  #groups(at: number): Iterable<Group> {
    const repeated = repeatedPrints(this.#papers, at);
    const groups = new Map<string, Group>();
    if (repeated.size === 0) return [];
    for (const [paper, { prints }] of this.#papers.entries()) {
      for (let question = 0; question < prints.length; question += printWords) {
        const [high = 0, low = 0] = prints.subarray(question + at, question + at + 2);
        if (repeated.get({ high, low }) < 0) continue;
        const number = (this.#firsts[paper] ?? 0) + (prints[question] ?? 0);
        const key = `${high} ${low}`;
        const group = groups.get(key);
        if (!group) groups.set(key, { places: [number], total: 1, last: number });
        else if (at === idAt) group.places.push(number);
        else this.#repeatStem(group, number);
      }
    }
    return groups.values();
  }

  /** Stems count once a paper: two questions on one figure begin alike. */
  #repeatStem(group: Group, number: number): void {
    if (this.#paperOf(group.last) === this.#paperOf(number)) return;
    group.last = number;
    group.total += 1;
    if (group.places.length < toldPlaces) group.places.push(number);
  }

  /** Those whose texts are the same indeed: two texts may have one fingerprint. */
  #confirmed(
    groups: Iterable<Group>,
    read: ReadQuestion,
    property: 'id' | 'question',
    comparable: (text: string) => string,
  ): Repetition[] {
    const repetitions: Repetition[] = [];
    for (const { places, total } of groups) {
      const found = places.flatMap((number) => {
        const { path, index } = this.#placeOf(number);
        const question = read(path, index);
        const text = question?.[property];
        return typeof text === 'string' ? [{ path, index, text: comparable(text) }] : [];
      });
      const [first] = found;
      if (!first) continue;
      const same = found.filter(({ text }) => text === first.text);
      const gone = places.length - same.length;
      if (same.length > 1)
        repetitions.push({
          text: first.text,
          places: same.map(place),
          total: Math.max(total, places.length) - gone,
        });
    }
    return repetitions;

    function place({ path, index }: { readonly path: string; readonly index: number }): TextPlace {
      return { path, pointer: `/questions/${index}/${property}` };
    }
  }

  #placeOf(number: number): { readonly path: string; readonly index: number } {
    const paper = this.#paperOf(number);
    return { path: this.#papers[paper]?.path ?? '', index: number - (this.#firsts[paper] ?? 0) };
  }

  #paperOf(number: number): number {
    return lastAtMost(this.#firsts, number);
  }
}
