/** The client of a question bank. `npm run format` writes this file from its modules and the JSON Schemas. */
/**
 * What went wrong: `address`, `key`, `quota`, `not-found`, `unavailable`, `damaged`, `unsigned`, `input` (an argument is
 * wrong), `file-system`, `incomplete` (a mirror is).
 */
export type ErrorCode =
  | 'address'
  | 'key'
  | 'quota'
  | 'not-found'
  | 'unavailable'
  | 'damaged'
  | 'unsigned'
  | 'input'
  | 'file-system'
  | 'incomplete';
/** Every error of the client. The message says what happened, and what to do. */
export declare class PastpaperError extends Error {
  readonly name = 'PastpaperError';
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string);
}

/** What the marks of a response depend on. */
type Scored = Pick<Question, 'type' | 'answer'> & Partial<Question>;
/**
 * The marks that a response to a question gets. Without a marking, a right response gets 1 and any other 0. A question of a
 * type that this function does not know gets 0.
 *
 * @param question as the API serves it
 * @param response in the form of `answer`: a key, several keys in any order joined by commas, a decimal number, or a text,
 * in which case and spaces do not count; empty or undefined without a response
 */
export declare function score(question: Scored, response: string | undefined): number;
/**
 * The marks that the responses to a section of the exam get. If a section offers more questions than are to be attempted,
 * the first answered ones count, in the order of the paper; unanswered ones only if too few are answered. Dropped questions
 * give no marks, and are not among those that count.
 *
 * @param section of the form of the shift
 * @param questions of the file of its subject, in its order: those that print another section are left out
 * @param responses by the ids of questions, each as in `score`
 */
export declare function scoreSection(
  { name, attempt, marking: ofSection }: Pick<FormSection, 'name' | 'attempt' | 'marking'>,
  questions: readonly (Scored & Pick<Question, 'id' | 'section'>)[],
  responses: Readonly<Record<string, string | undefined>>,
): number;

/** One value, or several of which each is accepted. */
type OneOf = string | readonly string[];
/** Which questions to select. What is left out does not matter. */
export interface Filter {
  readonly topic?: OneOf | undefined;
  readonly difficulty?: OneOf | undefined;
  readonly type?: OneOf | undefined;
  /** At most so many, drawn at random. */
  readonly count?: number | undefined;
  /** The same seed draws the same questions, in the same order. Without one, each draw differs. */
  readonly seed?: string | number | undefined;
  /** Questions or ids that are left out, such as those that a student has seen. */
  readonly except?:
    | Iterable<
        | string
        | {
            readonly id: string;
          }
      >
    | undefined;
}
/** What a question is selected by. */
interface Selectable {
  readonly id: string;
  readonly topic: string;
  readonly difficulty: string;
  readonly type?: string;
  readonly dropped?: boolean | undefined;
}
/** Selects questions of one or several papers. Dropped questions are left out. */
export declare function selectQuestions<Question extends Selectable>(
  questions: readonly Question[],
  filter: Filter,
): Question[];

/** What a mirror has, and what the sync wrote and removed. */
export interface SyncResult {
  readonly shifts: number;
  readonly papers: number;
  readonly diagrams: number;
  readonly removed: number;
  readonly downloaded: Readonly<Record<'papers' | 'diagrams' | 'bytes', number>>;
}

/** The place of a question or paper. */
export interface Place {
  readonly exam: string;
  readonly year: number;
  readonly shift: string;
  readonly subject: string;
}
/** Which questions to select. */
export interface Selection extends Filter {
  /** All exams if undefined. */
  readonly exam?: string | undefined;
  /** All years if undefined. */
  readonly years?: readonly number[] | undefined;
  readonly subject?: string | readonly string[] | undefined;
}
/** A release, and the questions that it changed. */
export interface Change {
  /** The id of the release. */
  readonly id: string;
  /** ISO 8601 in UTC. */
  readonly date: string;
  /** The papers that changed. Of a paper with many changes, there are counts in place of lists. */
  readonly papers: readonly (Place & {
    readonly added: readonly string[] | number;
    readonly removed: readonly string[] | number;
    readonly changed:
      | readonly {
          readonly id: string;
          readonly fields: readonly string[];
        }[]
      | number;
  })[];
}
/**
 * The papers of a bank. Requests stay within the limits of the account, and are retried where that helps. Everything is
 * requested once: open the bank again to see a new release. Every error is a `PastpaperError`.
 */
export declare class Bank {
  #private;
  private constructor();
  /**
   * Opens a bank. Nothing is requested yet.
   *
   * @param source the address of a service, the folder of a mirror, or a pack: the path or bytes of a ZIP file
   * @param options `key`: for questions of a service; default: the environment variable API_KEY
   */
  static open(
    source: string | Uint8Array | Blob,
    {
      key,
    }?: {
      readonly key?: string | undefined;
    },
  ): Promise<Bank>;
  /** The exams of the bank, with their years. */
  exams(): Promise<readonly ExamSummary[]>;
  /** The years of an exam, newest first. */
  years(exam: string): Promise<readonly number[]>;
  /** The shifts of a year in chronological order, as the API describes them. */
  shifts(exam: string, year: number): Promise<readonly ShiftSummary[]>;
  /**
   * Lists papers and their translations by shift. This counts towards no limit.
   *
   * @param scope an exam, a year or a shift by any of its names: `neet`, `neet/2024`, `neet/2024/s1`
   * @returns their paths: `neet/2024/2024-05-05-s1/physics`
   */
  papers(scope: string): Promise<string[]>;
  /** Reads a paper, and verifies its checksum. @param path with any name of the shift: `neet/2024/s1/physics` */
  paper(path: string): Promise<QuestionFile>;
  /** Finds a question by its id. */
  question(id: string): Promise<Question>;
  /**
   * Selects questions. The same seed gives the same questions, in every language. Dropped questions are left out.
   *
   * @returns in the order of the papers; with a count or seed, in random order
   */
  select({ exam, years, subject, ...filter }?: Selection): Promise<Question[]>;
  /** The marks that a response gets, as `score`. */
  score(question: Question, response: string | undefined): number;
  /** The place of a question that this bank has read; undefined for any other. */
  place(question: Pick<Question, 'id'>): Place | undefined;
  /** The paper of a question that this bank has read, with its metadata and source. */
  paperOf(question: Pick<Question, 'id'>): Promise<QuestionFile>;
  /** The passage that a question belongs to; undefined if there is none. */
  passage(question: Question): Promise<Passage | undefined>;
  /** Reads a diagram, and verifies its checksum. @param owner a question or paper that names it @param file its name */
  diagram(owner: Question | QuestionFile, file: string): Promise<Uint8Array>;
  /** What `render` needs beside a question: its passage, and data URLs of all diagrams by the names of their files. */
  media(question: Question): Promise<{
    readonly passage: Passage | undefined;
    readonly diagram: Readonly<Record<string, string>>;
  }>;
  /** An HTML page that shows questions, to answer in a browser that can reach the service. */
  page(questions: readonly Question[]): Promise<string>;
  /**
   * Mirrors an exam, or some of its years. One request brings most of a year; later syncs request only shifts that changed.
   * If it is interrupted, the next sync continues. For Node.js, Deno and Bun.
   *
   * @returns what the mirror has, every checksum verified, and what was written and removed
   */
  sync(
    folder: string,
    {
      exam,
      years,
    }: {
      readonly exam: string;
      readonly years?: readonly number[] | undefined;
    },
  ): Promise<SyncResult>;
  /**
   * The releases since one of them, newest first, with the questions that they changed. No texts: it needs no key.
   *
   * @param options `since`: the id of the release that you have, or a date (ISO 8601); all that the service lists if undefined
   */
  changes({ since }?: { readonly since?: string | undefined }): Promise<Change[]>;
  /** The address where readers report a mistake in a question; undefined if the bank has none. */
  report(question: Pick<Question, 'id'>): Promise<string | undefined>;
}

/** The responses of the API. `npm run format` writes this file from the JSON Schemas. */

/**
 * The key of one option: a capital letter.
 */
export type OneKey = string;
/**
 * A decimal number: `12`, `-0.5`.
 */
export type Decimal = string;
/**
 * The keys of one or more options, in order, joined by commas: `A,C`.
 */
export type Keys = string;
/**
 * A text of one line: `3/4`, `Paris`. Answers to several blanks are separated by semicolons: `2; -3`.
 */
export type ShortText = string;

/**
 * The exams of the bank.
 */
export interface ExamList {
  /**
   * The exams, in the order of their codes.
   */
  readonly exams: readonly ExamSummary[];
  readonly source?: Source | undefined;
  /**
   * Where readers report a mistake: an address in which `{exam}`, `{year}`, `{shift}`, `{subject}`, `{id}` and `{file}` stand for the place of the question. Absent if there is none.
   */
  readonly report?: string | undefined;
}
/**
 * An exam and its years.
 */
export interface ExamSummary {
  /**
   * The exam code, for paths.
   */
  readonly exam: string;
  /**
   * The display name of the exam.
   */
  readonly label: string;
  /**
   * The years in the bank, newest first.
   */
  readonly years: readonly number[];
  /**
   * The path of the exam: `/{exam}`.
   */
  readonly url: string;
}
/**
 * Where questions come from, and under which terms they may be used: the source of the shift, of its exam or of the whole bank, whichever is the nearest. Absent if the bank does not say.
 */
export interface Source {
  /**
   * The name of the source, as readers see it: `Question papers of the National Testing Agency`.
   */
  readonly title: string;
  /**
   * The URL of the source: `https://example.org/papers`.
   */
  readonly url?: string | undefined;
  /**
   * The licence of the questions: an SPDX identifier such as `CC-BY-4.0`, or a text.
   */
  readonly licence?: string | undefined;
  /**
   * The text that the licence requires beside the questions: `© Example Board 2024`.
   */
  readonly attribution?: string | undefined;
}
/**
 * The years of an exam.
 */
export interface ExamYears {
  /**
   * The exam code, as in the path.
   */
  readonly exam: string;
  /**
   * The display name of the exam.
   */
  readonly label: string;
  /**
   * The years in the bank, newest first.
   */
  readonly years: readonly number[];
  /**
   * The number of entries in `years`.
   */
  readonly totalYears: number;
  /**
   * The display names of the subjects that have one, by subject. Absent if no subject has one.
   */
  readonly subjectLabels?: Readonly<Record<string, string>> | undefined;
  /**
   * The language of the papers (BCP 47). Absent if the bank does not say.
   */
  readonly lang?: string | undefined;
  readonly source?: Source | undefined;
  readonly form?: ExamForm | undefined;
}
/**
 * How the exam or shift is sat: its duration, marks and sections. The form of a shift is its own, or that of its exam. Absent if the bank does not say.
 */
export interface ExamForm {
  /**
   * The time for the whole exam in minutes: `180`.
   */
  readonly duration: number;
  /**
   * The most marks that a candidate can get: `300`.
   */
  readonly totalMarks: number;
  /**
   * The languages in which the exam can be sat, as BCP 47 tags: `["en", "hi"]`. Left out when they are not known.
   */
  readonly languages?: readonly string[] | undefined;
  readonly source?: Source | undefined;
  /**
   * The sections, in the order of the exam.
   */
  readonly sections: readonly FormSection[];
}
/**
 * A part of the exam with questions of one subject and one way of marking.
 */
export interface FormSection {
  /**
   * The name of the section: that which its questions have in `section`, if they have one. Unique in the subject.
   */
  readonly name: string;
  /**
   * The code of the section's subject, one of `subjects`.
   */
  readonly subject: string;
  /**
   * The number of questions that are offered: `10`.
   */
  readonly questions: number;
  /**
   * The number of questions to be attempted. It is less than `questions` if candidates choose: `5` for any 5 of 10.
   */
  readonly attempt: number;
  /**
   * The time for this section in minutes, if it has its own.
   */
  readonly duration?: number | undefined;
  readonly marking?: Marking | undefined;
}
/**
 * The marks for a response. A question file has the marks of the paper, and each question the marks that apply to it.
 */
export interface Marking {
  /**
   * Marks for a correct response: `4`.
   */
  readonly correct: number;
  /**
   * Marks for a wrong response, with the minus sign: `-1`. Without it, 0.
   */
  readonly incorrect?: number | undefined;
  /**
   * Marks for no response. Without it, 0.
   */
  readonly unanswered?: number | undefined;
  /**
   * `msq` only: marks for each chosen option, if all chosen options are correct but some correct options are not chosen: `1`. Without it, such a response is wrong.
   */
  readonly partial?: number | undefined;
}
/**
 * The shifts of a year.
 */
export interface YearShifts {
  /**
   * The exam code, as in the path.
   */
  readonly exam: string;
  /**
   * The year, of four digits.
   */
  readonly year: number;
  /**
   * The shifts of the year, in chronological order.
   */
  readonly shifts: readonly ShiftSummary[];
}
/**
 * The subjects, number of questions and checksum of a shift.
 */
export interface ShiftSummary {
  /**
   * The full name of the shift, `<YYYY>-<MM>-<DD>-s<n>`.
   */
  readonly shift: string;
  /**
   * The subjects of the shift, in the order of the exam.
   */
  readonly subjects: readonly string[];
  /**
   * The number of questions in the shift.
   */
  readonly total: number;
  /**
   * The day on which any file of the shift last changed.
   */
  readonly lastUpdated: string;
  /**
   * Changes when any question file of the shift changes; see Checksums.
   */
  readonly checksum: string;
  /**
   * The question files in other languages. Absent when there are none.
   */
  readonly translations?: readonly TranslationSummary[] | undefined;
  /**
   * The edition of the exam, if it is not the year of the shift: `2020` for an exam of 2020 that was held in January 2021.
   */
  readonly edition?: string | undefined;
  /**
   * What is known of the date, if the day is not: the month, `2019-06`, or the year, `2019`. The name of the shift then has the first day: `2019-06-01-s1`, `2019-01-01-s1`.
   */
  readonly date?: string | undefined;
  readonly source?: Source | undefined;
  readonly answerKey?: AnswerKey | undefined;
  /**
   * The code of the booklet that numbers the questions, where the exam has several: `Q1`, `Set B`.
   */
  readonly booklet?: string | undefined;
  readonly form?: ExamForm | undefined;
}
/**
 * A question file in another language. It is not listed in `subjects`, and `total` does not include it.
 */
export interface TranslationSummary {
  /**
   * The file name, to request instead of the file of the subject.
   */
  readonly file: string;
  /**
   * The name of the subject: the file name without `.json`.
   */
  readonly subject: string;
  /**
   * The language, as a BCP 47 tag: `hi`.
   */
  readonly language: string;
  /**
   * The checksum of the file. The checksum of the shift does not cover it.
   */
  readonly checksum: string;
}
/**
 * The official answer key that the answers were compared with. Absent if the bank does not say.
 */
export interface AnswerKey {
  /**
   * The name of the key, as its publisher calls it: `Final answer key 2024`.
   */
  readonly title: string;
  /**
   * The address of the key: `https://example.org/key.pdf`.
   */
  readonly url?: string | undefined;
  /**
   * The day on which the key was published: `2024-06-04`.
   */
  readonly date: string;
  /**
   * `provisional` until objections are decided, then `final`.
   */
  readonly status: 'provisional' | 'final';
}
/**
 * All questions of a year, without their texts and answers, to select from.
 */
export interface QuestionIndex {
  /**
   * The exam code, as in the path.
   */
  readonly exam: string;
  /**
   * The year, as in the path.
   */
  readonly year: number;
  /**
   * The number of questions.
   */
  readonly total: number;
  /**
   * The questions, in the order of shifts, subjects and questions.
   */
  readonly questions: readonly IndexedQuestion[];
}
/**
 * Where a question is, and what it is about.
 */
export interface IndexedQuestion {
  /**
   * The id of the question, unique in the bank.
   */
  readonly id: string;
  /**
   * The full name of the shift.
   */
  readonly shift: string;
  /**
   * The subject.
   */
  readonly subject: string;
  /**
   * The number that the paper prints beside the question. Absent if the bank does not say.
   */
  readonly number?: string | undefined;
  /**
   * The section of the paper, as printed. Absent if the bank does not say.
   */
  readonly section?: string | undefined;
  /**
   * How the question is answered: one option, several, a number, or a text.
   */
  readonly type: 'mcq' | 'msq' | 'numerical' | 'text';
  /**
   * What the question is about.
   */
  readonly topic: string;
  /**
   * How hard the question is.
   */
  readonly difficulty: 'easy' | 'medium' | 'hard' | 'unrated';
  /**
   * The checksum of the question: over its canonical JSON (RFC 8785).
   */
  readonly checksum: string;
}
/**
 * The questions of one subject in one shift.
 */
export interface QuestionFile {
  /**
   * The exam code, as in the path.
   */
  readonly exam: string;
  /**
   * The year, of four digits.
   */
  readonly year: number;
  /**
   * The full name of the shift, `<YYYY>-<MM>-<DD>-s<n>`, whichever form was requested.
   */
  readonly shift: string;
  /**
   * The name of the subject: the file name without `.json`.
   */
  readonly subject: string;
  /**
   * The number of questions in this file.
   */
  readonly total: number;
  /**
   * The questions, in the order of the paper.
   */
  readonly questions: readonly Question[];
  readonly metadata: Metadata;
  /**
   * The passages that questions of this file share. Absent when there are none.
   */
  readonly passages?: readonly Passage[] | undefined;
  readonly marking?: Marking | undefined;
  /**
   * The language of a translation, as a BCP 47 tag: `hi`. Absent from the original.
   */
  readonly language?: string | undefined;
  /**
   * The edition of the exam, if it is not the year of the shift: `2020` for an exam of 2020 that was held in January 2021.
   */
  readonly edition?: string | undefined;
  /**
   * What is known of the date, if the day is not: the month, `2019-06`, or the year, `2019`. The name of the shift then has the first day: `2019-06-01-s1`, `2019-01-01-s1`.
   */
  readonly date?: string | undefined;
  readonly source?: Source | undefined;
}
/**
 * One question. Its `type` decides what `options` and `answer` look like.
 */
export interface Question {
  /**
   * The question's identifier, unique in the whole bank, made of letters, digits, `-` and `_`, as in `<exam>-<shift>-<subject>-<number>`. The names of its diagrams contain it.
   */
  readonly id: string;
  /**
   * The kind of question: `mcq` has one correct option, `msq` may have several, `numerical` is answered with a number, `text` with words or a formula.
   */
  readonly type: 'mcq' | 'msq' | 'numerical' | 'text';
  /**
   * The question's text: paragraphs, line breaks, `**bold**`, `*italic*`, lists and tables of Markdown, and `![](file)` for a diagram. Formulas are LaTeX between `$...$` or `$$...$$`, in the KaTeX dialect with mhchem. No HTML.
   */
  readonly question: string;
  /**
   * The options to choose from, in the order of the paper; `[]` for a `numerical` or `text` question.
   */
  readonly options: readonly Option[];
  /**
   * The correct response. `mcq`: the key of the correct option, `C`. `msq`: the keys of all correct options in order, `A,C`. `numerical`: a decimal number, `-2.5`. `text`: a text, of which `accepted` lists other forms; case and spaces do not count. Empty for a dropped question without an answer.
   */
  readonly answer: string;
  /**
   * The topic that the question belongs to; `Unclassified` if it is not known.
   */
  readonly topic: string;
  /**
   * How hard the question is; `unrated` if nobody has rated it.
   */
  readonly difficulty: 'easy' | 'medium' | 'hard' | 'unrated';
  /**
   * Whether the question, one of its options or its passage has a diagram.
   */
  readonly hasDiagram: boolean;
  /**
   * The diagrams of the question, in the order in which the text refers to them; empty when `hasDiagram` is false.
   */
  readonly diagrams: readonly Diagram[];
  /**
   * All answers that score, including `answer`, if the exam body accepted more than one. Otherwise left out.
   */
  readonly accepted?: readonly string[] | undefined;
  /**
   * `true` if the exam body withdrew the question. Otherwise left out.
   */
  readonly dropped?: true | undefined;
  /**
   * The number that the paper prints beside the question, as text: `12`, `Q.3 (a)`. Left out when it is not known.
   */
  readonly number?: string | undefined;
  /**
   * The section of the paper, as printed: `Section A`. Left out when the paper has none.
   */
  readonly section?: string | undefined;
  /**
   * The id of the passage that the question belongs to, one of `passages`.
   */
  readonly passage?: string | undefined;
  /**
   * The checksum of the canonical JSON of the passage; see Checksums.
   */
  readonly passageChecksum?: string | undefined;
  readonly answerRange?: AnswerRange | undefined;
  /**
   * `numerical` only: how much a response may differ from `answer`, a decimal number: `0.01`. Use it or `answerRange`.
   */
  readonly tolerance?: string | undefined;
  readonly marking?: Marking | undefined;
  /**
   * How to find the answer, with formulas as in the question.
   */
  readonly solution?: string | undefined;
  /**
   * The language of the texts (BCP 47), where it is another one than that of the exam: `en`, `hi`, `pt-BR`, `ar`.
   */
  readonly lang?: string | undefined;
}
/**
 * One option to choose.
 */
export interface Option {
  readonly key: OneKey;
  /**
   * The option's text, with formulas as in the question; empty when the option is only a diagram.
   */
  readonly value: string;
  /**
   * What the paper prints before the option, if it is not the key: `(1)`.
   */
  readonly label?: string | undefined;
  readonly diagram?: Diagram | undefined;
}
/**
 * An image that belongs to a question, option or passage. Its bytes are served by the diagram endpoint.
 */
export interface Diagram {
  /**
   * The image's file name. It contains the id of the question or passage and ends in .png, .jpg, .jpeg, .webp, .gif, .avif or .svg.
   */
  readonly file: string;
  /**
   * Describes the image to people who cannot see it. Empty if there is no description.
   */
  readonly alt: string;
  /**
   * The media type of the image.
   */
  readonly mediaType:
    | 'image/png'
    | 'image/jpeg'
    | 'image/webp'
    | 'image/gif'
    | 'image/avif'
    | 'image/svg+xml';
  /**
   * The width in pixels.
   */
  readonly width: number;
  /**
   * The height in pixels.
   */
  readonly height: number;
  /**
   * The checksum of the bytes of the image; see Checksums.
   */
  readonly checksum: string;
}
/**
 * `numerical` only: every number from `min` to `max` is correct. `answer` is one of them.
 */
export interface AnswerRange {
  readonly min: Decimal;
  readonly max: Decimal;
}
/**
 * Metadata of a question file.
 */
export interface Metadata {
  /**
   * The day of the exam.
   */
  readonly examDate: string;
  /**
   * The number of questions in the file.
   */
  readonly totalQuestions: number;
  /**
   * When the content of the file last changed: ISO 8601 in UTC.
   */
  readonly lastUpdated: string;
  /**
   * The checksum of the canonical JSON of `questions`; see Checksums.
   */
  readonly checksum: string;
  readonly answerKey?: AnswerKey | undefined;
  /**
   * The code of the booklet that numbers the questions. Absent if the bank does not say.
   */
  readonly booklet?: string | undefined;
}
/**
 * A text that several questions share.
 */
export interface Passage {
  /**
   * The passage's identifier, unique in this file; `<subject>/<id>` if the passage is in the file of another subject of the shift.
   */
  readonly id: string;
  /**
   * The text, with formulas as in a question.
   */
  readonly text: string;
  /**
   * The diagrams of the passage, in the order in which the text refers to them.
   */
  readonly diagrams: readonly Diagram[];
  /**
   * If true, each line of the text is one of the printed passage, and the lines are numbered, so that questions can refer to them. Left out otherwise.
   */
  readonly lineNumbers?: true | undefined;
}
/**
 * The body of every error.
 */
export interface Error {
  /**
   * A human-readable message.
   */
  readonly error: string;
}
