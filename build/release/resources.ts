/**
 * The responses of the API, field by field in the order of section 2 of the specification. JSON omits undefined fields.
 */

/** `GET /exams.json`, which the specification does not have */
export interface ExamList {
  /** In the order of their codes. */
  readonly exams: readonly ExamSummary[];
}

export interface ExamSummary extends Pick<ExamYears, 'exam' | 'label' | 'years'> {
  /** The path of its `ExamYears`. */
  readonly url: string;
}

/** 2.1: `GET /{exam}` */
export interface ExamYears {
  readonly exam: string;
  readonly label: string;
  /** Newest first. */
  readonly years: readonly number[];
  readonly totalYears: number;
  /** The display names of the subjects that have one. */
  readonly subjectLabels?: Readonly<Record<string, string>> | undefined;
  /** BCP 47: the language of its papers. */
  readonly lang?: string | undefined;
  /** That of the exam, or of the bank. Shifts may have others. */
  readonly source?: Source | undefined;
  /** Shifts may have others. */
  readonly form?: ExamForm | undefined;
}

/** How an exam is sat. */
export interface ExamForm {
  /** Minutes. */
  readonly duration: number;
  readonly totalMarks: number;
  /** BCP 47. */
  readonly languages?: readonly string[] | undefined;
  /** Where the exam body describes it. */
  readonly source?: Source | undefined;
  /** In the order of the exam. */
  readonly sections: readonly FormSection[];
}

/** A part of an exam with questions of one subject and one way of marking. */
export interface FormSection {
  /** That which its questions have in `section`, if they have one. */
  readonly name: string;
  readonly subject: string;
  /** Those that are offered. */
  readonly questions: number;
  /** Those to be attempted: the most that count. */
  readonly attempt: number;
  /** Minutes. */
  readonly duration?: number | undefined;
  /** Of the questions that have none of their own. */
  readonly marking?: Marking | undefined;
}

/** Where questions come from, and under which terms they may be used. */
export interface Source {
  readonly title: string;
  readonly url?: string | undefined;
  /** An SPDX identifier, or a text. */
  readonly licence?: string | undefined;
  readonly attribution?: string | undefined;
}

/** 2.2: `GET /{exam}/{year}` */
export interface YearShifts {
  readonly exam: string;
  readonly year: number;
  /** In chronological order. */
  readonly shifts: readonly ShiftSummary[];
}

export interface ShiftSummary extends ShiftDetails {
  readonly shift: string;
  readonly subjects: readonly string[];
  readonly total: number;
  /** `YYYY-MM-DD` */
  readonly lastUpdated: string;
  /** Over the checksums of the shift's question files. */
  readonly checksum: string;
  readonly translations?: readonly TranslationSummary[] | undefined;
  /** That of the shift, or of its exam. */
  readonly form?: ExamForm | undefined;
}

/** What a bank says of a shift beside its questions. */
export interface ShiftDetails {
  /** If it is not the year of the shift. */
  readonly edition?: string | undefined;
  /** `YYYY` or `YYYY-MM`: all that is known of the date. The name of the shift then has the first day. */
  readonly date?: string | undefined;
  /** That of the shift, of its exam or of the bank. */
  readonly source?: Source | undefined;
}

/** A question file in another language. */
export interface TranslationSummary {
  /** `physics.hi.json` */
  readonly file: string;
  readonly subject: string;
  /** BCP 47. */
  readonly language: string;
  /** That of the file. */
  readonly checksum: string;
}

/** 2.3: `GET /{exam}/{year}/{shift}/{file}` */
export interface QuestionFile extends ShiftDetails {
  readonly exam: string;
  readonly year: number;
  readonly shift: string;
  readonly subject: string;
  readonly total: number;
  readonly questions: readonly ServedQuestion[];
  readonly metadata: Metadata;
  /** Those that questions of the file refer to. */
  readonly passages?: readonly ServedPassage[] | undefined;
  /** Of the paper. Each question has the marking that applies to it. */
  readonly marking?: Marking | undefined;
  /** BCP 47; of a translation. */
  readonly language?: string | undefined;
}

export type QuestionType = 'mcq' | 'msq' | 'numerical' | 'text';
export type Difficulty = 'easy' | 'medium' | 'hard';
export type ServedDifficulty = Difficulty | 'unrated';

export interface ServedOption {
  readonly key: string;
  /** Empty for an option that is only a diagram. */
  readonly value: string;
  readonly label?: string | undefined;
  readonly diagram?: ServedDiagram | undefined;
}

/** Marks for a response. What is absent is 0. */
export interface Marking {
  readonly correct: number;
  /** Negative, or 0. */
  readonly incorrect?: number | undefined;
  readonly unanswered?: number | undefined;
  /** `msq`: for each right option that is chosen, when some but not all are, and no wrong one. */
  readonly partial?: number | undefined;
}

/** Decimal numbers; both are right answers, and so is every number between them. */
export interface AnswerRange {
  readonly min: string;
  readonly max: string;
}

export interface ServedPassage {
  readonly id: string;
  readonly text: string;
  readonly diagrams: readonly ServedDiagram[];
  /** Whether its lines are numbered. */
  readonly lineNumbers?: true | undefined;
}

/** A question. Its type decides which other fields it can have. */
export type ServedQuestion = QuestionFields &
  (
    | (NoNumber & { readonly type: 'mcq' | 'msq' })
    | (NoNumber & { readonly type: 'text'; readonly options: readonly [] })
    | { readonly type: 'numerical'; readonly options: readonly [] }
  );
type NoNumber = { readonly answerRange?: undefined; readonly tolerance?: undefined };

/** What questions of any type can have. */
export interface QuestionFields {
  readonly id: string;
  readonly type: QuestionType;
  readonly question: string;
  readonly options: readonly ServedOption[];
  /** Empty for a dropped question without an answer. */
  readonly answer: string;
  readonly topic: string;
  readonly difficulty: ServedDifficulty;
  /** Whether the question, one of its options or its passage has a diagram. */
  readonly hasDiagram: boolean;
  readonly diagrams: readonly ServedDiagram[];
  readonly accepted?: readonly string[] | undefined;
  readonly dropped?: true | undefined;
  readonly number?: string | undefined;
  readonly section?: string | undefined;
  /** The id of its passage. */
  readonly passage?: string | undefined;
  /** Over the canonical JSON (RFC 8785) of the passage, so that the checksum of the file covers it. */
  readonly passageChecksum?: string | undefined;
  readonly answerRange?: AnswerRange | undefined;
  /** `numerical`: how much a right response may differ from `answer`, a decimal number. */
  readonly tolerance?: string | undefined;
  readonly marking?: Marking | undefined;
  readonly solution?: string | undefined;
  /** BCP 47: the language of its texts, where it is not that of the exam. */
  readonly lang?: string | undefined;
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
  /** May be empty. */
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
