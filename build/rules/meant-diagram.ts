import type { Question } from '../content/content.ts';
import { nearest } from './nearest.ts';

/**
 * The diagram that a question means by the name of one that is not there; undefined when none of those that
 * belong to the question is like it.
 *
 * @param known the names of those that are there
 */
export function meantDiagram(file: string, { id }: Question, known: Iterable<string>): string | undefined {
  return nearest(
    file,
    [...known].filter((name) => name.includes(id)),
  );
}
