import type { CheckedFormula } from '../checked.ts';
import type { Rule } from '../rule.ts';

export const formulaCharacters: Rule<CheckedFormula> = {
  name: 'formula-characters',
  description: 'Formulas are written in signs that KaTeX has: others are set in whatever font there is.',
  severity: 'warning',
  example: { wrong: '"value": "$₹500$"', right: '"value": "₹500"' },
  *check({ path, pointer, start, fault }) {
    if (fault?.kind !== 'character') return;
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
