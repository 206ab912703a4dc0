import type { JsonFile } from './file.ts';
import type { PlacedQuestion, Question, SubjectFile } from './types.ts';

/**
 * Calls for each text of a question that people read, with the JSON pointer to it from the question. The
 * pointer is made only when it is asked for: a bank has millions of texts and few faults.
 */
export function visitTexts(
  { question, options, topic, diagrams }: Question,
  visit: (text: string, pointer: () => string) => void,
): void {
  visit(question, () => '/question');
  for (let index = 0; index < options.length; index += 1)
    visit(options[index]?.value ?? '', () => `/options/${index}/value`);
  visit(topic, () => '/topic');
  if (!diagrams) return;
  for (const [index, { alt }] of diagrams.entries()) visit(alt, () => `/diagrams/${index}/alt`);
}

/**
 * The questions of a subject file that breaks its schema, as far as they hold texts: a mistake elsewhere in a
 * question does not keep the rules on texts from it. What is no text is empty here.
 */
export function legibleQuestions(file: JsonFile): PlacedQuestion[] {
  const questions = file.state === 'parsed' && (file.value as Partial<SubjectFile> | null)?.questions;
  if (!Array.isArray(questions) || questions.length > most) return [];
  return questions.map((value: unknown, index) => ({
    question: legible(value),
    index,
    pointer: `/questions/${index}`,
  }));
}

/** What has more is no paper. */
const most = 100_000;

function legible(value: unknown): Question {
  const { question, topic, options, diagrams } = (value ?? {}) as Record<string, unknown>;
  return {
    ...nothing,
    question: textOf(question),
    topic: textOf(topic),
    options: listOf(options).map((option) => ({ key: '', value: textOf(option?.['value']) })),
    diagrams: listOf(diagrams).map((diagram) => ({ file: '', alt: textOf(diagram?.['alt']) })),
  };
}

const nothing: Question = {
  id: '',
  type: 'mcq',
  question: '',
  options: [],
  answer: '',
  topic: '',
  difficulty: 'easy',
};

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function listOf(value: unknown): (Record<string, unknown> | null | undefined)[] {
  return Array.isArray(value) ? value : [];
}
