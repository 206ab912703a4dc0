import { formulasOf } from '../formula/formulas.ts';
import { withoutTexts } from '../formula/without-texts.ts';
import type { TextRule } from './text-rule.ts';

export const smartQuotes: TextRule = {
  name: 'smart-quotes',
  description:
    "Formulas hold no typographic quotes: a prime is written ', two of them ''. In \\text{...} they may stand.",
  severity: 'error',
  example: { wrong: '"question": "What is $f’(2)$?"', right: '"question": "What is $f\'(2)$?"' },
  concerns: /[\u2018-\u201f\u2032-\u2036\u00b4]/,
  *check({ path, pointer, text }) {
    for (const { tex, start } of formulasOf(text).formulas) {
      for (const { 0: found, index } of withoutTexts(tex).matchAll(quotes)) {
        yield {
          path,
          pointer,
          part: { of: 'value', start: start + index, end: start + index + found.length },
          message: `${found} is a typographic quote, which LaTeX does not know. A prime is ', a second derivative ''.`,
          suggestion: Array.from(found, (quote) => primes[quote] ?? '"').join(''),
        };
      }
    }
  },
};

const quotes = /[\u2018-\u201f\u2032-\u2036\u00b4]+/g;

const primes: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '‛': "'",
  '′': "'",
  '‵': "'",
  '´': "'",
  '”': "''",
  '″': "''",
  '‶': "''",
  '‴': "'''",
};
