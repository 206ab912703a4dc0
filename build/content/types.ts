/** The content after parsing: the files that people write, and their places in the content folder. */
import type {
  AnswerRange,
  Difficulty,
  ExamForm,
  Marking,
  QuestionType,
  Source,
} from '../release/resources.ts';
import type { SvgProblem } from './svg.ts';

/** `<exam>/exam.json` */
export interface ExamFile {
  readonly label: string;
  readonly subjects: readonly (string | LabelledSubject)[];
  /** The topics of subjects, by the subject's code. A subject that is left out may have any topics. */
  readonly topics?: Readonly<Record<string, readonly string[]>>;
  /** BCP 47. */
  readonly lang?: string;
  /** Of the shifts that have none of their own. */
  readonly source?: Source;
  /** Of the shifts that have none of their own. */
  readonly form?: ExamForm;
}

export interface LabelledSubject {
  readonly code: string;
  readonly label: string;
}

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

/** `<exam>/<year>/<shift>/shift.json` */
export interface ShiftFile {
  /** If it is not the year of the shift. */
  readonly edition?: string;
  /** `YYYY` or `YYYY-MM`, if the day is not known. The name of the shift then has the first day. */
  readonly date?: string;
  readonly source?: Source | undefined;
  readonly form?: ExamForm;
}

/** `<exam>/<year>/<shift>/<subject>.json` */
export interface SubjectFile {
  readonly lastUpdated: string;
  /** Of the questions that have none of their own. */
  readonly marking?: Marking;
  readonly passages?: readonly Passage[];
  readonly questions: readonly Question[];
}

/** A text that several questions share. */
export interface Passage {
  readonly id: string;
  readonly text: string;
  /** Whether its lines are numbered. */
  readonly lineNumbers?: true | undefined;
  readonly diagrams?: readonly DiagramReference[] | undefined;
}

export interface Question {
  readonly id: string;
  /** As printed; so is the section. */
  readonly number?: string;
  readonly section?: string;
  /** The id of its passage; `<subject>/<id>` for one of another paper of the shift. */
  readonly passage?: string;
  readonly type: QuestionType;
  readonly question: string;
  /** Empty for a numerical question and for one with a text as its answer. */
  readonly options: readonly Option[];
  /**
   * `mcq`: a key. `msq`: keys in order, joined by commas. `numerical`: a decimal number. `text`: a text. A dropped question
   * may have none.
   */
  readonly answer?: string;
  readonly answerRange?: AnswerRange;
  /** `numerical`: a decimal number. */
  readonly tolerance?: string;
  /** BCP 47. */
  readonly lang?: string;
  readonly solution?: string | undefined;
  readonly topic?: string;
  readonly difficulty?: Difficulty;
  readonly marking?: Marking;
  readonly diagrams?: readonly DiagramReference[] | undefined;
  /** All answers that score, when there is more than one. */
  readonly accepted?: readonly string[];
  /** The exam body withdrew the question. */
  readonly dropped?: true;
}

export interface Option {
  readonly key: string;
  /** As printed before the option. */
  readonly label?: string;
  readonly value?: string | undefined;
  readonly diagram?: DiagramReference | undefined;
}

export interface DiagramReference {
  readonly file: string;
  readonly alt?: string;
}

/** `<exam>/<year>/<shift>/<subject>.<language>.json` */
export interface TranslationFile {
  readonly lastUpdated: string;
  readonly passages?: readonly Passage[];
  readonly questions: readonly TranslatedQuestion[];
}

/** The texts of a question in another language. */
export interface TranslatedQuestion
  extends Pick<Question, 'id' | 'question' | 'solution' | 'diagrams'> {
  /** Left out when no option has a text. */
  readonly options?: readonly Omit<Option, 'label'>[];
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
  readonly mediaType: string;
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
