import type { PaperPlace, ShiftPlace } from '../content/bank.ts';

/** The path of a paper's page: `/neet/2024/2024-05-05-s1/physics`. */
export function paperAddress({ exam, year, shift, subject }: PaperPlace): string {
  return addressOf(exam, year, shift, subject);
}

/** The id of a question's element on the page of its paper. @param index in the file, from 0 */
export function questionId(index: number): string {
  return `question-${index + 1}`;
}

/** The place in the file, from 0, of the question that a JSON pointer leads to or into; undefined where it does not. */
export function questionIndex(pointer: string): number | undefined {
  const [, index] = /^\/questions\/(\d+)(?:\/|$)/.exec(pointer) ?? [];
  return index === undefined ? undefined : Number(index);
}

/**
 * The path of a diagram.
 *
 * @param version changes with its bytes, so that no page shows what was there before
 */
export function diagramAddress({ exam, year, shift }: ShiftPlace, file: string, version: string): string {
  return `${addressOf(exam, year, shift, 'diagrams', file)}?v=${version}`;
}

function addressOf(...names: readonly string[]): string {
  return names.map((name) => `/${encodeURIComponent(name)}`).join('');
}
