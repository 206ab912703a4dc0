/** The content after parsing, and its places in the content folder. */
import type { Diagram } from '../release/resources.ts';
import type { SvgProblem } from './svg.ts';
import type { ExamFile, Passage, Question, SubjectFile, TranslationFile } from './written.ts';

/** The names of an exam's subjects, in order. */
export function subjectCodes({ subjects }: Pick<ExamFile, 'subjects'>): string[] {
  return subjects.map((subject) => (typeof subject === 'string' ? subject : subject.code));
}

/** The display names of the subjects that have one. */
export function subjectLabels({ subjects }: Pick<ExamFile, 'subjects'>): Map<string, string> {
  return new Map(
    subjects.flatMap((subject) =>
      typeof subject === 'string' ? [] : [[subject.code, subject.label]],
    ),
  );
}

export interface Exam {
  /** Path inside the content folder, with `/` between its parts; so are all paths below. */
  readonly path: string;
  readonly code: string;
  /** Undefined when the file breaks its schema. */
  readonly content: ExamFile | undefined;
}

export interface Paper extends PaperPlace {
  readonly path: string;
  /** Undefined when the file breaks its schema. */
  readonly content: SubjectFile | undefined;
  /** Undefined when it breaks the schema. */
  readonly lastUpdated: string | undefined;
  /** All questions, without the properties that break the schema. */
  readonly questions: readonly PlacedQuestion[];
  /** Only those that conform to the schema. */
  readonly passages: readonly PlacedPassage[];
}

export interface Translation extends TranslationPlace {
  readonly path: string;
  /** Undefined when the file breaks its schema. */
  readonly content: TranslationFile | undefined;
  /** Undefined when it breaks the schema. */
  readonly lastUpdated: string | undefined;
}

/** A question and the JSON pointer (RFC 6901) to it in its file. */
export interface PlacedQuestion {
  readonly question: Question;
  /** In its file, from 0. */
  readonly index: number;
  readonly pointer: string;
}

export interface PlacedPassage {
  readonly passage: Passage;
  readonly pointer: string;
}

/** The place of a subject file: `<exam>/<year>/<shift>/<subject>.json`. */
export interface PaperPlace extends ShiftPlace {
  readonly subject: string;
}

/** The place of a translation: `<exam>/<year>/<shift>/<subject>.<language>.json`. */
export interface TranslationPlace extends PaperPlace {
  /** As in the file's name; the rule on translations checks it. */
  readonly language: string;
}

export interface ShiftPlace {
  readonly exam: string;
  /** The name of the folder. The rule on shift names checks that it is four digits. */
  readonly year: string;
  readonly shift: string;
}

export interface DiagramFile {
  readonly path: string;
  readonly file: string;
  readonly image: Image | UnreadableImage;
}

export interface Image {
  readonly mediaType: Diagram['mediaType'];
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Hex SHA-256 of the file's bytes. */
  readonly sha256: string;
  /** What an SVG has that a still drawing does not. */
  readonly problems: readonly SvgProblem[];
}

export interface UnreadableImage {
  /** What is wrong with the file, as a sentence. */
  readonly fault: string;
  /** The file is larger than a diagram may be. */
  readonly isTooLarge?: true;
  /** What the name of the file must end in, where only that is wrong: `.png`. */
  readonly extension?: string | undefined;
  /** Where an SVG is not XML: an offset in UTF-16 units of its text. */
  readonly at?: number;
}
