import { formulasOf, proseOf } from '../formula/formulas.ts';
import type { TextRule } from './text-rule.ts';

export const latexOutsideFormula: TextRule = {
  name: 'latex-outside-formula',
  description: 'LaTeX stands in formulas: outside of $...$ its commands are shown to readers as they stand.',
  severity: 'warning',
  example: { wrong: '"value": "3 \\\\times 4"', right: '"value": "$3 \\\\times 4$"' },
  concerns: undefined,
  concernsLoose: true,
  *check({ path, pointer, text }) {
    // Where a dollar lacks its other one, nobody knows what is a formula.
    if (formulasOf(text).openAt >= 0) return;
    // The first tells; the next ones are of the same formula as a rule.
    const first = /\\(?:[a-zA-Z]+|[%&_#{},;:!])/.exec(proseOf(text));
    if (!first) return;
    const [command] = first;
    const isSign = /^\\[%&_#{}]$/.test(command);
    yield {
      path,
      pointer,
      part: { of: 'value', start: first.index, end: first.index + command.length },
      message:
        command === '\\n'
          ? 'A backslash and an n are shown here: a line break is \\n in JSON, with one backslash.'
          : `${command} stands in no formula, and is shown to readers as it stands.`,
      ...(isSign && { suggestion: command.slice(1) }),
      ...(command === '\\n' && { suggestion: '\n' }),
    };
  },
};
