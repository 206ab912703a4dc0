import type { CheckedPaper } from '../checked.ts';
import type { Rule } from '../rule.ts';

export const diagramAlt: Rule<CheckedPaper> = {
  name: 'diagram-alt',
  description: 'The text for those who cannot see a diagram says what it shows, and not only that it is one.',
  severity: 'warning',
  example: {
    wrong: '"alt": "Diagram"',
    right: '"alt": "A 12 V battery feeds two resistors in parallel, of 4 ohm and 6 ohm."',
  },
  *check({ path, questions }) {
    for (const { question, pointer } of questions) {
      if (!question.diagrams) continue;
      for (const [index, { file, alt }] of question.diagrams.entries()) {
        if (saysSomething(alt, file, question.id)) continue;
        yield {
          path,
          pointer: `${pointer}/diagrams/${index}/alt`,
          message:
            'This does not say what the diagram shows: describe what one needs to answer the question.',
        };
      }
    }
  },
};

/** What every diagram is, and the words around it. */
const kinds = new Set('image picture photo diagram figure fig graphic img screenshot'.split(' '));
const around = new Set('a an the of for to in this that alt text question number no'.split(' '));

/** So long a text has other words. */
const long = 80;

function saysSomething(alt: string, file: string, id: string): boolean {
  if (alt.length > long + file.length) return true;
  const name = file.slice(0, file.lastIndexOf('.'));
  const own = [file, name, id].reduce((rest, known) => rest.replaceAll(known, ' '), alt);
  const words = own.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  const isKind = words.some((word) => kinds.has(word));
  return words.length > 0 && !(isKind && words.every((word) => kinds.has(word) || around.has(word)));
}
