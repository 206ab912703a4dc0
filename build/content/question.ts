/** The texts of a question, and a lenient reader of questions for files that break their schema. */
import type { JsonFile } from './file.ts';
import type { DiagramReference, Question } from './types.ts';

/**
 * A question as far as its file can be read. A field is empty if it is missing, or is a list or object where a text
 * belongs; so is an id that is not a text.
 */
export interface LenientQuestion {
  readonly id: string;
  readonly type: string;
  readonly question: string;
  readonly options: Question['options'];
  readonly answer: string;
  readonly topic: string;
  readonly difficulty: string;
  readonly diagrams: readonly DiagramReference[];
  readonly accepted: readonly string[];
  readonly dropped: boolean;
}

/** @param value a question of a subject file, whatever it is */
export function lenientQuestion(value: unknown): LenientQuestion {
  const fields = fieldsOf(value);
  return {
    id: typeof fields['id'] === 'string' ? fields['id'] : '',
    type: textOf(fields['type']),
    question: textOf(fields['question']),
    options: listOf(fields['options'])
      .map(fieldsOf)
      .map(({ key, value }) => ({ key: textOf(key), value: textOf(value) })),
    answer: textOf(fields['answer']),
    topic: textOf(fields['topic']),
    difficulty: textOf(fields['difficulty']),
    diagrams: listOf(fields['diagrams'])
      .map(fieldsOf)
      .map(({ file, alt }) => ({ file: textOf(file), alt: textOf(alt) })),
    accepted: listOf(fields['accepted']).map(textOf),
    dropped: fields['dropped'] === true,
  };
}

/** The properties of an object; none of any other value. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** The items of a list; none of any other value. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text, or a number or boolean as its text; `''` for any other value. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** The texts of a question that readers see. */
type QuestionTexts = Pick<Question, 'question' | 'options' | 'topic' | 'diagrams'>;

export interface PlacedTexts {
  readonly question: QuestionTexts;
  /** JSON pointer (RFC 6901) to the question in its file. */
  readonly pointer: string;
}

/** A subject file with more questions is not a paper. */
const mostQuestions = 100_000;

/** The questions of a subject file that breaks its schema: a mistake elsewhere does not hide mistakes in their texts. */
export function lenientQuestions(file: JsonFile): PlacedTexts[] {
  if (file.state !== 'parsed') return [];
  const questions = listOf(fieldsOf(file.value)['questions']);
  if (questions.length > mostQuestions) return [];
  return questions.map((value, index) => ({
    question: lenientQuestion(value),
    pointer: `/questions/${index}`,
  }));
}

/**
 * Calls for each text of a question that readers see, with the JSON pointer to it from the question. The pointer is
 * computed only when it is asked for: a bank has millions of texts and few problems. Topics and alternative texts have no
 * Markdown.
 */
export function visitTexts(
  { question, options, topic, diagrams }: QuestionTexts,
  visit: (text: string, pointer: () => string, hasMarkdown: boolean) => void,
): void {
  visit(question, () => '/question', true);
  for (let index = 0; index < options.length; index += 1)
    visit(options[index]?.value ?? '', () => `/options/${index}/value`, true);
  visit(topic, () => '/topic', false);
  if (!diagrams) return;
  for (const [index, { alt }] of diagrams.entries()) visit(alt, () => `/diagrams/${index}/alt`, false);
}
