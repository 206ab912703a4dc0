import type { Question } from '../../read/content.ts';
import type { Rule } from '../rule.ts';
import type { CheckedPaper } from './checked-paper.ts';

export const characters: Rule<CheckedPaper> = {
  name: 'characters',
  description: 'Texts hold no control characters but line breaks, and no half of a character.',
  severity: 'error',
  *check(paper) {
    for (const { question, pointer: at } of paper.questions) {
      for (const [text, below] of textsOf(question)) {
        const message = fault(text);
        if (message) yield { path: paper.path, pointer: `${at}${below}`, message };
      }
    }
  },
};

/** The texts of a question, each with the JSON pointer to it from the question. */
function* textsOf({
  question,
  options,
  topic,
  diagrams = [],
}: Question): Generator<readonly [string, string]> {
  yield [question, '/question'];
  for (const [index, { value }] of options.entries()) yield [value, `/options/${index}/value`];
  yield [topic, '/topic'];
  for (const [index, { alt }] of diagrams.entries()) yield [alt, `/diagrams/${index}/alt`];
}

/** What a backslash and a letter of LaTeX become when the backslash is not written twice. */
const eaten: Readonly<Record<string, string>> = { '\b': '\\b', '\f': '\\f', '\r': '\\r', '\t': '\\t' };

function fault(text: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const [control] = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.exec(text) ?? [];
  if (control !== undefined) {
    const code = `U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    const hint = eaten[control];
    const cause =
      hint === undefined ? 'Remove it.' : `A command of LaTeX is written with two backslashes: \\${hint}...`;
    return `The text holds the control character ${code}. ${cause}`;
  }
  return text.isWellFormed()
    ? undefined
    : 'The text holds half a character (a lone surrogate). Write it anew.';
}
