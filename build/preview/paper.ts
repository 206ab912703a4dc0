import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { readJsonFile } from '../content/file.ts';
import { Source } from '../content/positions.ts';
import {
  diagramsOf,
  fieldsOf,
  type LenientDiagram,
  type LenientMarking,
  type LenientOption,
  type LenientPassage,
  type LenientQuestion,
  lenientMarking,
  lenientPassage,
  lenientQuestion,
  listOf,
  textOf,
} from '../content/question.ts';
import { type ExamFile, type PaperPlace, subjectCodes, type TranslationPlace } from '../content/types.ts';

/** A paper as far as its file can be read: what is missing or of the wrong type is empty. */
interface ShownPaper {
  readonly lastUpdated: string;
  readonly marking: LenientMarking | undefined;
  readonly passages: readonly LenientPassage[];
  readonly questions: readonly ShownQuestion[];
}

export interface ShownQuestion extends Omit<LenientQuestion, 'options'> {
  readonly options: readonly ShownOption[];
}

export interface ShownOption extends LenientOption {
  /** Whether the option is right, or is accepted beside the right one. */
  readonly mark: 'right' | 'accepted' | undefined;
}

/** A subject file as far as it can be read. */
export interface ReadPaper extends ShownPaper {
  readonly source: Source;
  /** Whether the file is valid JSON. */
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
  return { ...shownPaper(isJson ? file.value : parseTolerantly(text)), source: new Source(text), isJson };
}

/**
 * A translation as readers see it: its questions in the order of its file, so that problems are beside them, with everything
 * that it does not translate from the original.
 */
export function translatedPaper(original: ReadPaper, translation: ReadPaper): ReadPaper {
  return {
    ...{ ...translation, marking: original.marking },
    passages: original.passages.map((passage) => {
      const { text, diagrams } = translation.passages.find(({ id }) => id === passage.id) ?? passage;
      return { ...passage, text, diagrams: passage.diagrams.map((one) => translatedDiagram(one, diagrams)) };
    }),
    questions: translation.questions.map((own) => {
      const question = original.questions.find(({ id }) => id === own.id);
      if (!question) return own;
      return {
        ...{ ...question, question: own.question, solution: own.solution },
        diagrams: question.diagrams.map((one) => translatedDiagram(one, own.diagrams)),
        options: question.options.map((option) => {
          const { value, diagram } = own.options.find(({ key }) => key === option.key) ?? option;
          return {
            ...{ ...option, value },
            diagram: option.diagram && translatedDiagram(option.diagram, diagram ? [diagram] : []),
          };
        }),
      };
    }),
  };
}

function translatedDiagram(
  original: LenientDiagram,
  translations: readonly LenientDiagram[],
): LenientDiagram {
  return translations.find(({ file }) => file === original.file) ?? original;
}

/** The file names of the diagrams of all questions and passages. */
export function diagramNames({ passages, questions }: ShownPaper): string[] {
  return [...passages, ...questions].flatMap((owner) => [...diagramsOf(owner)].map(({ file }) => file));
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

/** @param value of a subject file, which may be invalid */
export function shownPaper(value: unknown): ShownPaper {
  const { lastUpdated, marking, passages, questions } = fieldsOf(value);
  return {
    lastUpdated: textOf(lastUpdated),
    marking: lenientMarking(marking),
    passages: listOf(passages).map(lenientPassage),
    questions: listOf(questions).map(shownQuestion),
  };
}

function shownQuestion(value: unknown): ShownQuestion {
  const question = lenientQuestion(value);
  const { type, answer, options } = question;
  const accepted = question.accepted.filter((one) => one !== '');
  const right = answer.split(',').map((key) => key.trim());
  const markOf = (key: string) => {
    if (key !== '' && right.includes(key)) return 'right';
    return type === 'mcq' && accepted.includes(key) ? 'accepted' : undefined;
  };
  return {
    ...question,
    accepted,
    options: options.map((option) => ({ ...option, mark: markOf(option.key) })),
  };
}

/** Sorts papers of a shift in the order of the exam's subjects; other subjects come last. */
export function bySubject<Paper extends PaperPlace>(papers: readonly Paper[], exam: ExamFile | undefined) {
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

/** The id of a question's element on the page of its paper. @param index in the file, from 0 */
export function questionId(index: number): string {
  return `question-${index + 1}`;
}

/** The index of the question that a JSON pointer points to or into; undefined if there is none. */
export function questionIndex(pointer: string): number | undefined {
  const [, index] = /^\/questions\/(\d+)(?:\/|$)/.exec(pointer) ?? [];
  return index === undefined ? undefined : Number(index);
}
