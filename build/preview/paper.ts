import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { translatedPassage, translatedQuestion } from '../compile/translated.ts';
import { readJsonFile } from '../content/file.ts';
import { Source } from '../content/positions.ts';
import { diagramsOf } from '../content/question.ts';
import {
  type ExamFile,
  type PaperPlace,
  subjectCodes,
  type TranslationPlace,
} from '../content/types.ts';
import { type ShownPaper, shownPaper } from '../site/paper/shown-paper.ts';

/** A subject file as far as it can be read. */
export interface ReadPaper extends ShownPaper {
  readonly source: Source;
  /** Whether it is valid JSON. */
  readonly isJson: boolean;
}

/**
 * Reads a subject file, even if it is invalid: the rules report what is wrong with it.
 *
 * @param path inside the content folder
 */
export function readPaper(contentDir: string, path: string): ReadPaper {
  const file = readJsonFile(join(contentDir, path), path, 'paper');
  const isJson = file.state === 'parsed';
  const text = 'text' in file ? file.text : 'bytes' in file ? file.bytes.toString() : '';
  return {
    ...shownPaper(isJson ? file.value : parseTolerantly(text)),
    source: new Source(text),
    isJson,
  };
}

/**
 * A translation as readers see it: its questions in the order of its file, so that problems are beside them, with
 * everything that it does not translate from the original.
 */
export function translatedPaper(original: ReadPaper, translation: ReadPaper): ReadPaper {
  return {
    ...translation,
    marking: original.marking,
    passages: original.passages.map((passage) =>
      translatedPassage(
        passage,
        translation.passages.find(({ id }) => id === passage.id),
      ),
    ),
    questions: translation.questions.map((own) => {
      const question = original.questions.find(({ id }) => id === own.id);
      return question ? translatedQuestion(question, own) : own;
    }),
  };
}

/** The file names of the diagrams of all questions and passages. */
export function diagramNames({ passages, questions }: ShownPaper): string[] {
  return [...passages, ...questions].flatMap((owner) =>
    [...diagramsOf(owner)].map(({ file }) => file),
  );
}

/** Parses JSON with syntax errors, such as a missing comma or quote, as far as possible. */
function parseTolerantly(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    // Nested deeper than the parser's stack.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Sorts papers of a shift in the order of the exam's subjects; other subjects come last. */
export function bySubject<Paper extends PaperPlace>(
  papers: readonly Paper[],
  exam: ExamFile | undefined,
) {
  const subjects = exam ? subjectCodes(exam) : [];
  const rank = ({ subject }: PaperPlace) => subjects.indexOf(subject) + 1 || subjects.length + 1;
  return papers.toSorted((a, b) => rank(a) - rank(b));
}

/** The path of the page of a paper or translation: `/neet/2024/2024-05-05-s1/physics`, or `physics.hi` there. */
export function paperUrl({
  exam,
  year,
  shift,
  subject,
  language,
}: PaperPlace & Partial<TranslationPlace>): string {
  const file = language === undefined ? subject : `${subject}.${language}`;
  return fileUrl(`${exam}/${year}/${shift}/${file}`);
}

/** The path of a file of the content folder. */
export function fileUrl(path: string): string {
  return path
    .split('/')
    .map((name) => `/${encodeURIComponent(name)}`)
    .join('');
}

/** The index of the question that a JSON pointer points to or into; undefined if there is none. */
export function questionIndex(pointer: string): number | undefined {
  const [, index] = /^\/questions\/(\d+)(?:\/|$)/.exec(pointer) ?? [];
  return index === undefined ? undefined : Number(index);
}
