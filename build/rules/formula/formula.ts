import type { CheckedFormula } from '../checked.ts';
import type { Rule } from '../rule.ts';

export const formulaRule: Rule<CheckedFormula> = {
  name: 'formula',
  description: 'KaTeX sets every formula, and all of it.',
  severity: 'error',
  example: {
    wrong: '"question": "Half is $\\\\fracc{1}{2}$"',
    right: '"question": "Half is $\\\\frac{1}{2}$"',
  },
  *check({ path, pointer, start, fault }) {
    if (fault?.kind !== 'unset') return;
    const { message, suggestion } = fault;
    yield {
      path,
      pointer,
      part: { of: 'value', start: start + fault.start, end: start + fault.end },
      message,
      ...(suggestion !== undefined && { suggestion }),
    };
  },
};
