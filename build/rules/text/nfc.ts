import type { TextRule } from './text-rule.ts';

export const nfc: TextRule = {
  name: 'nfc',
  description:
    'Texts are in Unicode Normalization Form C: an é is one character, and no e followed by an accent, which looks the same and is found by no search.',
  severity: 'error',
  example: { wrong: '"topic": "Schro<U+0308>dinger"', right: '"topic": "Schrödinger"' },
  // Nothing else changes in this form (UAX #15).
  concerns: /[\u0300-\u1fff]|[\u2000\u2001]|[\u20d0-\uffff]/,
  *check({ path, pointer, text }) {
    if (text.normalize('NFC') === text) return;
    const stretches = [...text.matchAll(composed)]
      .map(({ 0: written, index: start }) => ({ written, start, right: written.normalize('NFC') }))
      .filter(({ written, right }) => written !== right);
    const [first = { written: text, start: 0, right: text.normalize('NFC') }, ...others] = stretches;
    yield {
      path,
      pointer,
      part: { of: 'value', start: first.start, end: first.start + first.written.length },
      message: `This is not in Unicode Normalization Form C${others.length > 0 ? `, and neither are ${others.length} more places of the text` : ''}.`,
      suggestion: first.right,
    };
  },
};

/** Characters with the marks that belong to them, and the letters of a syllable of Hangul: what becomes one. */
const composed =
  /(?:[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|[\uac00-\ud7a3][\u11a8-\u11c2]|\P{M})?\p{M}+|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|[\uac00-\ud7a3][\u11a8-\u11c2]|\P{M}/gu;
