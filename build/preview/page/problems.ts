import { placeOf } from '../../content/place.ts';
import type { Range } from '../../content/position.ts';
import type { Diagnostic } from '../../report/diagnostic.ts';
import { questionIndex } from '../address.ts';

/** What of a question tells which problems are its own. */
export interface QuestionPlace {
  /** In the paper's file. */
  readonly lines: Pick<Range, 'line' | 'endLine'>;
  /** Names of its diagrams. */
  readonly files: readonly string[];
}

export interface PaperProblems {
  /** Those of the file as a whole, of its shift, or of no question that is known. */
  readonly ofFile: readonly Diagnostic[];
  /** By the question's place in the file, from 0. */
  readonly ofQuestions: readonly (readonly Diagnostic[])[];
}

/**
 * Finds which problems concern a paper, and to which of its questions they belong: by the JSON pointer, by the
 * diagram, or, where another file disagrees with this one, by the line.
 *
 * @param path of the paper's file
 * @param elsewhere names of diagrams that other papers of the shift use
 */
export function problemsOf(
  diagnostics: readonly Diagnostic[],
  path: string,
  questions: readonly QuestionPlace[],
  elsewhere: ReadonlySet<string>,
): PaperProblems {
  const ofFile: Diagnostic[] = [];
  const ofQuestions = questions.map((): Diagnostic[] => []);
  const shift = path.slice(0, path.lastIndexOf('/'));
  for (const diagnostic of diagnostics) {
    for (const question of questionsOf(diagnostic)) (ofQuestions[question] ?? ofFile).push(diagnostic);
  }
  return { ofFile, ofQuestions };

  /** Where a problem belongs; -1 is the file as a whole. */
  function questionsOf({ file, pointer, related = [] }: Diagnostic): number[] {
    if (file === path) return [questionIndex(pointer) ?? -1];
    if (file.startsWith(`${shift}/diagrams/`)) return questionsWith(file);
    const lines = related.filter((place) => place.file === path).map(({ line }) => line);
    return [...new Set(lines.map(questionAt))];
  }

  function questionsWith(file: string): number[] {
    const place = placeOf(file);
    const name = place.kind === 'diagram' ? place.file : '';
    const named = questions.flatMap(({ files }, index) => (files.includes(name) ? [index] : []));
    return named.length > 0 || elsewhere.has(name) ? named : [-1];
  }

  function questionAt(line: number): number {
    return questions.findIndex(({ lines }) => lines.line <= line && line <= lines.endLine);
  }
}
