import { paperPath, sampleQuestions } from '../bank-folder.ts';
import type { RuleCase } from './rule-case.ts';
import { bankOf, breaking, keeping } from './text-case.ts';

const { mcq } = sampleQuestions;

function eaten(command: string, written: string, name: string): string {
  return `JSON reads the ${written} of ${command} as ${name}. Write two backslashes.`;
}

const controlCases: readonly RuleCase[] = [
  ...keeping(
    'control-characters',
    'First.\nSecond.',
    'First.\nsecond, nu, eq and abla.',
    'नमस्ते, 😀',
    '$$\nu + v = w\n$$',
    '$$\\begin{aligned}\nu &= 1 \\\\\ni &= 2\n\\end{aligned}$$',
  ),
  breaking('control-characters', '$2 ⟦\times⟧ 3$', eaten('\\times', '\\t', 'a tab'), '\\times'),
  breaking('control-characters', '$⟦\theta⟧ = 3$', eaten('\\theta', '\\t', 'a tab'), '\\theta'),
  breaking('control-characters', 'The angle ⟦\theta⟧ is right.', eaten('\\theta', '\\t', 'a tab'), '\\theta'),
  breaking(
    'control-characters',
    '$⟦\frac⟧{1}{2}$',
    eaten('\\frac', '\\f', 'the control character U+000C'),
    '\\frac',
  ),
  breaking(
    'control-characters',
    '$⟦\beta⟧$',
    eaten('\\beta', '\\b', 'the control character U+0008'),
    '\\beta',
  ),
  breaking(
    'control-characters',
    '$⟦\rho⟧ g h$',
    eaten('\\rho', '\\r', 'the control character U+000D'),
    '\\rho',
  ),
  breaking('control-characters', '$a ⟦\neq⟧ b$', eaten('\\neq', '\\n', 'a line break'), '\\neq'),
  breaking('control-characters', '$h⟦\nu⟧$', eaten('\\nu', '\\n', 'a line break'), '\\nu'),
  breaking('control-characters', '$$E = h⟦\nu⟧$$', eaten('\\nu', '\\n', 'a line break'), '\\nu'),
  breaking('control-characters', '$⟦\timesx⟧$', eaten('\\timesx', '\\t', 'a tab'), '\\timesx'),
  breaking('control-characters', 'Name⟦\t⟧Value', 'The text contains a tab. Write a space.', ' '),
  breaking('control-characters', 'First.⟦\r\n⟧Second.', 'Write a line break as \\n, without \\r.', '\n'),
  breaking(
    'control-characters',
    'A bell⟦\u0007⟧.',
    'The text contains the control character U+0007. Remove it.',
  ),
  breaking('control-characters', 'Many⟦\u0000\u0001⟧.', 'The text contains 2 control characters. Remove it.'),
  breaking(
    'control-characters',
    'Half ⟦\ud800⟧.',
    'The text contains half a character. Type the character again.',
  ),
  {
    rule: 'control-characters',
    shows: 'each command that lost its backslash is told',
    files: bankOf({ ...mcq, question: '$\tau \times \beta$' }),
    found: [
      ['21', '25', '\\tau', '\\t', 'a tab'],
      ['26', '32', '\\times', '\\t', 'a tab'],
      ['33', '38', '\\beta', '\\b', 'the control character U+0008'],
    ].map(([start, end, command = '', written = '', name = '']) => ({
      message: eaten(command, written, name),
      file: paperPath,
      pointer: '/questions/0/question',
      at: `7:${start}-7:${end}`,
      suggestion: command,
    })),
  },
];

const seen = (names: string) => `${names} is invisible here. Remove it.`;

const invisibleCases: readonly RuleCase[] = [
  ...keeping('invisible-characters', 'क्‍ष and क्‌ष', '👩‍🔬 and 👨‍👩‍👧', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '5\u00a0m', '❤️', 'می‌خواهم'),
  breaking('invisible-characters', '12⟦\u200b⟧ m', seen('U+200B')),
  breaking('invisible-characters', 'elec⟦\u00ad⟧tron', seen('U+00AD')),
  breaking('invisible-characters', 'a⟦\u202e⟧bc', seen('U+202E')),
  breaking('invisible-characters', '⟦\u2066⟧abc', seen('U+2066')),
  breaking('invisible-characters', '⟦\ufeff⟧First', seen('U+FEFF')),
  breaking('invisible-characters', 'a⟦\u200e\u200f⟧b', seen('U+200E, U+200F')),
  breaking('invisible-characters', 'a⟦\u200d⟧b', seen('U+200D')),
  breaking(
    'invisible-characters',
    'a⟦\u{e0041}\u{e0042}\u{e0043}\u{e0044}⟧b',
    seen('U+E0041, U+E0042, U+E0043 ...'),
  ),
  breaking('invisible-characters', '$x⟦\u200b⟧^2$', seen('U+200B')),
  breaking(
    'invisible-characters',
    'First.⟦\u2028⟧Second.',
    'U+2028 is invisible here. Write a line break as \\n.',
    '\n',
  ),
];

const misread = 'These characters were opened in the wrong encoding.';

const mojibakeCases: readonly RuleCase[] = [
  ...keeping(
    'mojibake',
    'Schrödinger, Ångström, Île, Ñandú, São Paulo',
    '$2$×² and 5 Å–6 Å, “5 Å”',
    'à « la carte » ß“ â la',
    'α, β → γ − δ ≤ ε',
    'प्रश्न',
  ),
  breaking('mojibake', 'Schr⟦Ã¶⟧dinger', misread, 'ö'),
  breaking('mojibake', '2 ⟦Ã—⟧ 3', misread, '×'),
  breaking('mojibake', 'Newton⟦â€™⟧s law', misread, '’'),
  breaking('mojibake', 'at 20 ⟦Â°⟧C', misread, '°'),
  breaking('mojibake', 'angle ⟦Î±⟧', misread, 'α'),
  breaking('mojibake', 'about ⟦Ï€⟧', misread, 'π'),
  breaking('mojibake', 'a ⟦â†’⟧ b', misread, '→'),
  breaking('mojibake', '⟦à¤ª\u00e0\u00a5\u008d\u00e0\u00a4\u00b0⟧', misread, 'प्र'),
  breaking('mojibake', '⟦à¤•à¤• à¤•⟧', misread, 'कक क'),
  breaking('mojibake', 'it⟦Ã¢â‚¬â„¢⟧s', misread, '’'),
  breaking('mojibake', 'an open ⟦â€œquote⟧'.replace('quote⟧', '⟧quote'), misread, '“'),
  breaking('mojibake', 'in Latin-1: ⟦â\u0080\u0099⟧', misread, '’'),
  breaking('mojibake', 'í was ⟦Ã\u00ad⟧', misread, 'í'),
  breaking('mojibake', 'smile ⟦ðŸ˜€⟧', misread, '😀'),
  breaking('mojibake', '$⟦Î±⟧ + 1$', misread, 'α'),
  breaking('mojibake', 'Schr⟦\ufffd⟧dinger', 'A character was lost here. Type it again.'),
];

const notNfc = 'This looks right but is stored in a form that searches do not find. Type it again.';

const nfcCases: readonly RuleCase[] = [
  ...keeping('nfc', 'Schrödinger', 'x̄ and ṽ', 'ড় নয়', '한국어', 'Å, Ω', '$\\vec{v}$'),
  breaking('nfc', 'Schr⟦o\u0308⟧dinger', notNfc, 'ö'),
  breaking('nfc', '5 ⟦\u212b⟧', notNfc, 'Å'),
  breaking('nfc', '6 ⟦\u2126⟧', notNfc, 'Ω'),
  breaking('nfc', '⟦\u0958⟧लम', notNfc, '\u0915\u093c'),
  breaking('nfc', '⟦\u1112\u1161\u11ab⟧', notNfc, '한'),
  breaking('nfc', 'a⟦\u0327\u0301⟧'.replace('a⟦', '⟦a'), notNfc, 'a\u0327\u0301'.normalize('NFC')),
  breaking(
    'nfc',
    '⟦e\u0301⟧te\u0301 la\u0300',
    'This looks right but is stored in a form that searches do not find. Type it again. The text has 2 more such places.',
    'é',
  ),
];

/** Cases of the rules on the characters of texts. */
export const textCases: readonly RuleCase[] = [
  ...controlCases,
  ...invisibleCases,
  ...mojibakeCases,
  ...nfcCases,
];
