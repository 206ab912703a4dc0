import type { Question } from '../content/content.ts';

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
