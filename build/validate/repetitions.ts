import type { Repetition, TextPlace } from '../check/facts.ts';
import { type Fingerprint, stemOf } from '../check/fingerprint.ts';
import { FingerprintTable } from '../check/fingerprint-table.ts';
import type { Question } from '../read/content.ts';
import { lastAtMost } from '../read/last-at-most.ts';
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

/**
 * Finds what stands twice in the bank. Of each question it keeps two fingerprints of 12 bytes, in tables
 * that are at least a third full; the texts themselves are read again where fingerprints meet.
 */
export class Repetitions {
  readonly #papers: string[] = [];
  /** The number of each paper's first question. */
  readonly #firsts: number[] = [];
  #next = 0;
  readonly #ids: FingerprintTable;
  readonly #stems: FingerprintTable;
  readonly #sameIds = new Map<number, Group>();
  readonly #sameStems = new Map<number, Group>();

  /** @param questions how many there will be, about */
  constructor(questions: number) {
    this.#ids = FingerprintTable.withRoomFor(questions);
    this.#stems = FingerprintTable.withRoomFor(questions);
  }

  /** Takes the questions of one paper after the other, in the order of their paths. */
  add(path: string, { prints }: PaperPrint): void {
    this.#papers.push(path);
    this.#firsts.push(this.#next);
    let last = -1;
    for (let at = 0; at < prints.length; at += printWords) {
      last = prints[at] ?? 0;
      const number = this.#next + last;
      const id = this.#ids.add(printAt(prints, at + 1), number);
      if (id >= 0) groupOf(this.#sameIds, id).places.push(number);
      const stem = this.#stems.add(printAt(prints, at + 3), number);
      if (stem >= 0) this.#repeatStem(groupOf(this.#sameStems, stem), number);
    }
    this.#next += last + 1;
  }

  ids(read: ReadQuestion): Repetition[] {
    return this.#confirmed(this.#sameIds, read, 'id', (id) => id);
  }

  stems(read: ReadQuestion): Repetition[] {
    return this.#confirmed(this.#sameStems, read, 'question', stemOf);
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
    groups: ReadonlyMap<number, Group>,
    read: ReadQuestion,
    property: 'id' | 'question',
    comparable: (text: string) => string,
  ): Repetition[] {
    const repetitions: Repetition[] = [];
    for (const { places, total } of groups.values()) {
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
    return { path: this.#papers[paper] ?? '', index: number - (this.#firsts[paper] ?? 0) };
  }

  #paperOf(number: number): number {
    return lastAtMost(this.#firsts, number);
  }
}

function printAt(prints: Uint32Array, at: number): Fingerprint {
  return { high: prints[at] ?? 0, low: prints[at + 1] ?? 0 };
}

function groupOf(groups: Map<number, Group>, first: number): Group {
  const group = groups.get(first) ?? { places: [first], total: 1, last: first };
  groups.set(first, group);
  return group;
}
