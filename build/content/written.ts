/** The files that people write. `npm run format` writes this file from the JSON Schemas. */

/**
 * The key of one option: a capital letter.
 */
export type OneKey = string;
/**
 * A decimal number: `12`, `-0.5`.
 */
export type Decimal = string;
/**
 * The language of the texts (BCP 47), where it is another one than that of the exam: `en`, `hi`, `pt-BR`, `ar`.
 */
export type Lang = string;
/**
 * The keys of one or more options, in order, joined by commas: `A,C`.
 */
export type Keys = string;
/**
 * A text of one line: `3/4`, `Paris`. Answers to several blanks are separated by semicolons: `2; -3`.
 */
export type ShortText = string;

/**
 * One exam of the bank: `<exam>/exam.json`. The exam's code is the name of the folder that holds this file.
 */
export interface ExamFile {
  /**
   * The exam's display name, as candidates write it: `JEE Main`.
   */
  readonly label: string;
  /**
   * The subjects of the exam, in the order in which readers see them. A paper's file is named `<subject>.json`.
   */
  readonly subjects: readonly (
    | string
    | {
        /**
         * A subject's name in lower case: `cs`. It is the name of its files.
         */
        readonly code: string;
        /**
         * The subject's display name: `Computer Science`.
         */
        readonly label: string;
      }
  )[];
  /**
   * The language of the papers (BCP 47): `en`, `hi`, `pt-BR`, `ar`. Without it, that of `pastpaper.config.json`, if it has one.
   */
  readonly lang?: string | undefined;
  readonly source?: Source | undefined;
  readonly form?: ExamForm | undefined;
  /**
   * The topics that questions may have, by subject: `{"physics": ["Kinematics", "Optics"]}`. Questions of a subject that is left out may have any topic.
   */
  readonly topics?: Readonly<Record<string, readonly string[]>> | undefined;
}
/**
 * Where the questions come from, and under which terms they may be used.
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
 * How the exam is sat: its duration, marks and sections.
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
 * The marks for a response: for all questions of the paper, or for one question, which then ignores the marks of the paper.
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
 * What is known of a shift beside its questions: `<exam>/<year>/<shift>/shift.json`. The file is optional, and so are its fields.
 */
export interface ShiftFile {
  /**
   * The edition of the exam, if it is not the year of the shift: `2020` for an exam of 2020 that was held in January 2021.
   */
  readonly edition?: string | undefined;
  /**
   * What is known of the date, if the day is not: the month, `2019-06`, or the year, `2019`. The name of the shift then has the first day: `2019-06-01-s1`, `2019-01-01-s1`.
   */
  readonly date?: string | undefined;
  readonly source?: Source | undefined;
  readonly form?: ExamForm | undefined;
  readonly answerKey?: AnswerKey | undefined;
  /**
   * The code of the booklet that numbers the questions, where the exam has several: `Q1`, `Set B`.
   */
  readonly booklet?: string | undefined;
}
/**
 * The official answer key that the answers were compared with.
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
 * The questions of one subject in one shift: `<exam>/<year>/<shift>/<subject>.json`. It contains only what a person decides. The build derives totals, checksums and similar values.
 */
export interface SubjectFile {
  /**
   * When the questions of this file last changed, in UTC: `2024-06-01T10:00:00Z` is 10 o'clock on 1 June 2024.
   */
  readonly lastUpdated: string;
  readonly marking?: Marking | undefined;
  /**
   * Texts that several questions share, such as a comprehension passage. A question refers to one by its id in `passage`. Left out when there are none.
   */
  readonly passages?: readonly Passage[] | undefined;
  /**
   * The questions, in the order of the paper.
   */
  readonly questions: readonly Question[];
}
/**
 * A text that several questions share.
 */
export interface Passage {
  /**
   * The passage's identifier, unique in this file, made of letters, digits, `-` and `_`. The names of its diagrams contain it.
   */
  readonly id: string;
  /**
   * The text, with formulas as in a question.
   */
  readonly text: string;
  /**
   * If true, each line of the text is one of the printed passage, and the lines are numbered, so that questions can refer to them. Left out otherwise.
   */
  readonly lineNumbers?: true | undefined;
  /**
   * The diagrams of the passage, in the order in which the text refers to them. Left out when there are none.
   */
  readonly diagrams?: readonly Diagram[] | undefined;
}
/**
 * An image in the folder `diagrams` beside the subject file, which belongs to a question, to one of its options, or to a passage.
 */
export interface Diagram {
  /**
   * The image's file name. It contains the id of the question or passage and ends in .png, .jpg, .jpeg, .webp, .gif, .avif or .svg.
   */
  readonly file: string;
  /**
   * Describes the image to people who cannot see it: enough to answer the question, without giving the answer away. A missing description is a warning.
   */
  readonly alt?: string | undefined;
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
   * The number that the paper prints beside the question, as text: `12`, `Q.3 (a)`. Left out when it is not known.
   */
  readonly number?: string | undefined;
  /**
   * The section of the paper, as printed: `Section A`. Left out when the paper has none.
   */
  readonly section?: string | undefined;
  /**
   * The id of the passage that the question belongs to, one of the `passages` of this file; `chemistry/p1` is the passage `p1` of `chemistry.json` beside it.
   */
  readonly passage?: string | undefined;
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
   * The correct response. `mcq`: the key of the correct option, `C`. `msq`: the keys of all correct options in order, `A,C`. `numerical`: a decimal number, `-2.5`. `text`: a text, `3/4`; the answers to several blanks are separated by semicolons. A dropped question may have none.
   */
  readonly answer?: string | undefined;
  readonly answerRange?: AnswerRange | undefined;
  /**
   * `numerical` only: how much a response may differ from `answer`, a decimal number: `0.01`. Use it or `answerRange`.
   */
  readonly tolerance?: string | undefined;
  readonly lang?: Lang | undefined;
  /**
   * How to find the answer, with formulas as in the question.
   */
  readonly solution?: string | undefined;
  /**
   * The topic that the question belongs to: `Current Electricity`. Leave it out rather than guess: it is then served as `Unclassified`.
   */
  readonly topic?: string | undefined;
  /**
   * How hard the question is. Leave it out rather than guess: it is then served as `unrated`.
   */
  readonly difficulty?: ('easy' | 'medium' | 'hard') | undefined;
  readonly marking?: Marking | undefined;
  /**
   * The diagrams of the question, in the order in which the text refers to them. Left out when there are none.
   */
  readonly diagrams?: readonly Diagram[] | undefined;
  /**
   * All answers that score, including `answer`, if the exam body accepted more than one. Otherwise left out.
   */
  readonly accepted?: readonly string[] | undefined;
  /**
   * `true` if the exam body withdrew the question. Otherwise left out.
   */
  readonly dropped?: true | undefined;
}
/**
 * One option of a question.
 */
export interface Option {
  readonly key: OneKey;
  /**
   * What the paper prints before the option, if it is not the key: `(1)`.
   */
  readonly label?: string | undefined;
  /**
   * The option's text, with Markdown and formulas as in the question. Left out when the option is only a diagram.
   */
  readonly value?: string | undefined;
  readonly diagram?: Diagram | undefined;
}
/**
 * `numerical` only: every number from `min` to `max` is correct. `answer` is one of them.
 */
export interface AnswerRange {
  readonly min: Decimal;
  readonly max: Decimal;
}
/**
 * The translation of a subject file: `<subject>.<language>.json` beside `<subject>.json`, such as `physics.hi.json`. It contains only translated texts. Answers, topics and everything else come from the subject file.
 */
export interface TranslationFile {
  /**
   * When this file last changed: ISO 8601 in UTC, `2024-06-01T10:00:00Z`.
   */
  readonly lastUpdated: string;
  /**
   * The passages of the subject file. Left out when it has none.
   */
  readonly passages?: readonly TranslatedPassage[] | undefined;
  /**
   * All questions of the subject file, in the same order.
   */
  readonly questions: readonly TranslatedQuestion[];
}
/**
 * The text of one passage.
 */
export interface TranslatedPassage {
  /**
   * The id of the passage in the subject file.
   */
  readonly id: string;
  /**
   * The text. Its formulas have the same numbers as the original.
   */
  readonly text: string;
  /**
   * What the diagrams of the passage show. Left out when there are none.
   */
  readonly diagrams?: readonly TranslatedDiagram[] | undefined;
}
/**
 * What a diagram of the original shows.
 */
export interface TranslatedDiagram {
  /**
   * The file name of the diagram in the subject file.
   */
  readonly file: string;
  /**
   * What the image shows, in this language.
   */
  readonly alt: string;
}
/**
 * The texts of one question.
 */
export interface TranslatedQuestion {
  /**
   * The id of the question in the subject file.
   */
  readonly id: string;
  /**
   * The question's text. Its formulas have the same numbers as the original.
   */
  readonly question: string;
  /**
   * The options with the same keys. Left out when no option has a text.
   */
  readonly options?: readonly TranslatedOption[] | undefined;
  /**
   * The solution. Left out when the original has none.
   */
  readonly solution?: string | undefined;
  /**
   * What the diagrams of the question show. Left out when there are none.
   */
  readonly diagrams?: readonly TranslatedDiagram[] | undefined;
}
/**
 * The text of one option.
 */
export interface TranslatedOption {
  /**
   * The key of the option in the subject file.
   */
  readonly key: string;
  /**
   * The option's text. Left out when the option is only a diagram.
   */
  readonly value?: string | undefined;
  readonly diagram?: TranslatedDiagram | undefined;
}
