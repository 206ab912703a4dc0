/** What people write: the files of the content folder after they passed their schema. */

/** `<exam>/exam.json` */
export interface ExamFile {
  readonly label: string;
  readonly subjects: readonly string[];
}

/** `<exam>/<year>/<shift>/<subject>.json` */
export interface SubjectFile {
  /** ISO 8601, UTC. */
  readonly lastUpdated: string;
  readonly questions: readonly Question[];
}

export type QuestionType = 'mcq' | 'msq' | 'numerical';
export type Difficulty = 'easy' | 'medium' | 'hard';

export interface Question {
  readonly id: string;
  readonly type: QuestionType;
  readonly question: string;
  /** Empty for a numerical question. */
  readonly options: readonly Option[];
  /** `mcq`: a key. `msq`: keys in order, joined by commas. `numerical`: a decimal number. */
  readonly answer: string;
  readonly topic: string;
  readonly difficulty: Difficulty;
  readonly diagrams?: readonly DiagramReference[];
  /** All answers that score, when there is more than one. */
  readonly accepted?: readonly string[];
  /** The exam body withdrew the question. */
  readonly dropped?: true;
}

export interface Option {
  readonly key: string;
  readonly value: string;
}

export interface DiagramReference {
  readonly file: string;
  readonly alt: string;
}
