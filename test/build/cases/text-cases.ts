import { paperPath, sampleQuestions } from '../bank-folder.ts';
import type { RuleCase } from './rule-case.ts';
import { bankOf, invalidText, validTexts } from './text-case.ts';

const { mcq } = sampleQuestions;

function unescapedCommand(command: string, written: string, name: string): string {
  return `JSON reads the ${written} of ${command} as ${name}. Write two backslashes.`;
}

const controlCases: readonly RuleCase[] = [
  ...validTexts(
    'control-characters',
    'First.\nSecond.',
    'First.\nsecond, nu, eq and abla.',
    'नमस्ते, 😀',
    '$$\nu + v = w\n$$',
    '$$\\begin{aligned}\nu &= 1 \\\\\ni &= 2\n\\end{aligned}$$',
  ),
  invalidText('control-characters', '$2 ⟦\times⟧ 3$', unescapedCommand('\\times', '\\t', 'a tab'), '\\times'),
  invalidText('control-characters', '$⟦\theta⟧ = 3$', unescapedCommand('\\theta', '\\t', 'a tab'), '\\theta'),
  invalidText(
    'control-characters',
    'The angle ⟦\theta⟧ is right.',
    unescapedCommand('\\theta', '\\t', 'a tab'),
    '\\theta',
  ),
  invalidText(
    'control-characters',
    '$⟦\frac⟧{1}{2}$',
    unescapedCommand('\\frac', '\\f', 'the control character U+000C'),
    '\\frac',
  ),
  invalidText(
    'control-characters',
    '$⟦\beta⟧$',
    unescapedCommand('\\beta', '\\b', 'the control character U+0008'),
    '\\beta',
  ),
  invalidText(
    'control-characters',
    '$⟦\rho⟧ g h$',
    unescapedCommand('\\rho', '\\r', 'the control character U+000D'),
    '\\rho',
  ),
  invalidText(
    'control-characters',
    '$a ⟦\neq⟧ b$',
    unescapedCommand('\\neq', '\\n', 'a line break'),
    '\\neq',
  ),
  invalidText('control-characters', '$h⟦\nu⟧$', unescapedCommand('\\nu', '\\n', 'a line break'), '\\nu'),
  invalidText(
    'control-characters',
    '$$E = h⟦\nu⟧$$',
    unescapedCommand('\\nu', '\\n', 'a line break'),
    '\\nu',
  ),
  invalidText('control-characters', '$⟦\timesx⟧$', unescapedCommand('\\timesx', '\\t', 'a tab'), '\\timesx'),
  invalidText('control-characters', 'Name⟦\t⟧Value', 'The text contains a tab. Write a space.', ' '),
  invalidText('control-characters', 'First.⟦\r\n⟧Second.', 'Write a line break as \\n, without \\r.', '\n'),
  invalidText(
    'control-characters',
    'A bell⟦\u0007⟧.',
    'The text contains the control character U+0007. Remove it.',
  ),
  invalidText(
    'control-characters',
    'Many⟦\u0000\u0001⟧.',
    'The text contains 2 control characters. Remove it.',
  ),
  invalidText(
    'control-characters',
    'Half ⟦\ud800⟧.',
    'The text contains half a character. Type the character again.',
  ),
  {
    rule: 'control-characters',
    title: 'reports each command without its backslash',
    files: bankOf({ ...mcq, question: '$\tau \times \beta$' }),
    found: [
      ['21', '25', '\\tau', '\\t', 'a tab'],
      ['26', '32', '\\times', '\\t', 'a tab'],
      ['33', '38', '\\beta', '\\b', 'the control character U+0008'],
    ].map(([start, end, command = '', written = '', name = '']) => ({
      message: unescapedCommand(command, written, name),
      file: paperPath,
      pointer: '/questions/0/question',
      at: `7:${start}-7:${end}`,
      suggestion: command,
    })),
  },
];

const invisible = (names: string) => `${names} is invisible here. Remove it.`;

const invisibleCases: readonly RuleCase[] = [
  ...validTexts('invisible-characters', 'क्‍ष and क्‌ष', '👩‍🔬 and 👨‍👩‍👧', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '5\u00a0m', '❤️', 'می‌خواهم'),
  invalidText('invisible-characters', '12⟦\u200b⟧ m', invisible('U+200B')),
  invalidText('invisible-characters', 'elec⟦\u00ad⟧tron', invisible('U+00AD')),
  invalidText('invisible-characters', 'a⟦\u202e⟧bc', invisible('U+202E')),
  invalidText('invisible-characters', '⟦\u2066⟧abc', invisible('U+2066')),
  invalidText('invisible-characters', '⟦\ufeff⟧First', invisible('U+FEFF')),
  invalidText('invisible-characters', 'a⟦\u200e\u200f⟧b', invisible('U+200E, U+200F')),
  invalidText('invisible-characters', 'a⟦\u200d⟧b', invisible('U+200D')),
  invalidText(
    'invisible-characters',
    'a⟦\u{e0041}\u{e0042}\u{e0043}\u{e0044}⟧b',
    invisible('U+E0041, U+E0042, U+E0043 ...'),
  ),
  invalidText('invisible-characters', '$x⟦\u200b⟧^2$', invisible('U+200B')),
  invalidText(
    'invisible-characters',
    'First.⟦\u2028⟧Second.',
    'U+2028 is invisible here. Write a line break as \\n.',
    '\n',
  ),
];

const misread =
  'These characters are garbled, because a program opened the text in the wrong encoding. Type them again.';

const mojibakeCases: readonly RuleCase[] = [
  ...validTexts(
    'mojibake',
    'Schrödinger, Ångström, Île, Ñandú, São Paulo',
    '$2$×² and 5 Å–6 Å, “5 Å”',
    'à « la carte » ß“ â la',
    'α, β → γ − δ ≤ ε',
    'प्रश्न',
  ),
  invalidText('mojibake', 'Schr⟦Ã¶⟧dinger', misread, 'ö'),
  invalidText('mojibake', '2 ⟦Ã—⟧ 3', misread, '×'),
  invalidText('mojibake', 'Newton⟦â€™⟧s law', misread, '’'),
  invalidText('mojibake', 'at 20 ⟦Â°⟧C', misread, '°'),
  invalidText('mojibake', 'angle ⟦Î±⟧', misread, 'α'),
  invalidText('mojibake', 'about ⟦Ï€⟧', misread, 'π'),
  invalidText('mojibake', 'a ⟦â†’⟧ b', misread, '→'),
  invalidText('mojibake', '⟦à¤ª\u00e0\u00a5\u008d\u00e0\u00a4\u00b0⟧', misread, 'प्र'),
  invalidText('mojibake', '⟦à¤•à¤• à¤•⟧', misread, 'कक क'),
  invalidText('mojibake', 'it⟦Ã¢â‚¬â„¢⟧s', misread, '’'),
  invalidText('mojibake', 'an open ⟦â€œquote⟧'.replace('quote⟧', '⟧quote'), misread, '“'),
  invalidText('mojibake', 'in Latin-1: ⟦â\u0080\u0099⟧', misread, '’'),
  invalidText('mojibake', 'í was ⟦Ã\u00ad⟧', misread, 'í'),
  invalidText('mojibake', 'smile ⟦ðŸ˜€⟧', misread, '😀'),
  invalidText('mojibake', '$⟦Î±⟧ + 1$', misread, 'α'),
  invalidText('mojibake', 'Schr⟦\ufffd⟧dinger', 'A character was lost here. Type it again.'),
];

const notNfc = 'This looks right but is stored in a form that searches do not find. Type it again.';

const nfcCases: readonly RuleCase[] = [
  ...validTexts('nfc', 'Schrödinger', 'x̄ and ṽ', 'ড় নয়', '한국어', 'Å, Ω', '$\\vec{v}$'),
  invalidText('nfc', 'Schr⟦o\u0308⟧dinger', notNfc, 'ö'),
  invalidText('nfc', '5 ⟦\u212b⟧', notNfc, 'Å'),
  invalidText('nfc', '6 ⟦\u2126⟧', notNfc, 'Ω'),
  invalidText('nfc', '⟦\u0958⟧लम', notNfc, '\u0915\u093c'),
  invalidText('nfc', '⟦\u1112\u1161\u11ab⟧', notNfc, '한'),
  invalidText('nfc', 'a⟦\u0327\u0301⟧'.replace('a⟦', '⟦a'), notNfc, 'a\u0327\u0301'.normalize('NFC')),
  invalidText(
    'nfc',
    '⟦e\u0301⟧te\u0301 la\u0300',
    'This looks right but is stored in a form that searches do not find. Type it again. The text has 2 more of these.',
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
