import type { PlacedQuestion } from '../content/bank.ts';
import type { Question, SubjectFile } from '../content/content.ts';
import type { JsonFile } from '../content/file.ts';

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
