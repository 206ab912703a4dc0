import type { ExamFile, Question, SubjectFile } from './content.ts';

/** The content as read: each file at its place, parsed and of its schema's form. */
export interface Bank {
  readonly exams: readonly Exam[];
  readonly papers: readonly Paper[];
  readonly diagrams: readonly DiagramFile[];
  /** Paths of files at no place that the build knows. */
  readonly strays: readonly string[];
}

export interface Exam {
  /** Path inside the content folder, with `/` between its parts; so are all paths below. */
  readonly path: string;
  readonly code: string;
  /** Undefined when the file broke its schema. */
  readonly content: ExamFile | undefined;
}

export interface Paper extends PaperPlace {
  readonly path: string;
  /** Undefined when the file broke its schema. */
  readonly content: SubjectFile | undefined;
  /** The questions that are of the schema's form, also where the file as a whole is not. */
  readonly questions: readonly PlacedQuestion[];
}

export interface PlacedQuestion {
  readonly question: Question;
  /** JSON pointer (RFC 6901) to it in its file. */
  readonly pointer: string;
}

/** Where a subject file stands: `<exam>/<year>/<shift>/<subject>.json`. */
export interface PaperPlace extends ShiftPlace {
  readonly subject: string;
}

export interface ShiftPlace {
  readonly exam: string;
  /** As the folder is named; the rules see to it that it is four digits. */
  readonly year: string;
  readonly shift: string;
}

export interface DiagramFile extends ShiftPlace {
  readonly path: string;
  readonly file: string;
  readonly image: Image | UnreadableImage;
}

export interface Image {
  readonly mediaType: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Hex SHA-256 of the file's bytes. */
  readonly sha256: string;
}

export interface UnreadableImage {
  /** What is wrong with the file, to follow its name: `is of 0 bytes`. */
  readonly fault: string;
}
