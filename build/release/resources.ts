/** The responses of the API, field by field in the order of section 2 of the specification. */

/** 2.1: `GET /{exam}` */
export interface ExamYears {
  readonly exam: string;
  readonly label: string;
  /** Newest first. */
  readonly years: readonly number[];
  readonly totalYears: number;
}

/** 2.2: `GET /{exam}/{year}` */
export interface YearShifts {
  readonly exam: string;
  readonly year: number;
  /** In chronological order. */
  readonly shifts: readonly ShiftSummary[];
}

export interface ShiftSummary {
  readonly shift: string;
  readonly subjects: readonly string[];
  readonly total: number;
  /** `YYYY-MM-DD` */
  readonly lastUpdated: string;
  /** Over the checksums of the shift's question files. */
  readonly checksum: string;
}

/** 2.3: `GET /{exam}/{year}/{shift}/{file}` */
export interface QuestionFile {
  readonly exam: string;
  readonly year: number;
  readonly shift: string;
  readonly subject: string;
  readonly total: number;
  readonly questions: readonly ServedQuestion[];
  readonly metadata: Metadata;
}

export type QuestionType = 'mcq' | 'msq' | 'numerical';
export type Difficulty = 'easy' | 'medium' | 'hard';

export interface Option {
  readonly key: string;
  readonly value: string;
}

export interface ServedQuestion {
  readonly id: string;
  readonly type: QuestionType;
  readonly question: string;
  readonly options: readonly Option[];
  readonly answer: string;
  readonly topic: string;
  readonly difficulty: Difficulty;
  readonly hasDiagram: boolean;
  readonly diagrams: readonly ServedDiagram[];
  readonly accepted?: readonly string[];
  readonly dropped?: true;
}

/** The media types that a diagram may have. */
export const diagramMediaTypes = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/avif',
  'image/svg+xml',
] as const;

export type DiagramMediaType = (typeof diagramMediaTypes)[number];

export interface ServedDiagram {
  readonly file: string;
  readonly alt: string;
  readonly mediaType: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Over the bytes of the file. */
  readonly checksum: string;
}

export interface Metadata {
  /** `YYYY-MM-DD` */
  readonly examDate: string;
  readonly totalQuestions: number;
  /** ISO 8601, UTC. */
  readonly lastUpdated: string;
  /** Over the canonical JSON (RFC 8785) of `questions`. */
  readonly checksum: string;
}
