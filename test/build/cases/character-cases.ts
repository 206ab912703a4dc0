import type { TranslationFile } from '../../../build/content/types.ts';
import { examPath, paperOf, sampleExam, sampleQuestions, shiftPath } from '../bank-folder.ts';
import { png } from '../image-bytes.ts';
import { acceptsTexts, bankOf, type Cases, type RuleCase, rejects, rejectsText } from './rule-case.ts';

const { mcq } = sampleQuestions;

function unescapedCommand(command: string, written: string, name: string): string {
  return `JSON reads the ${written} of ${command} as ${name}. Write two backslashes.`;
}

const controlCases: readonly RuleCase[] = [
  ...acceptsTexts(
    'First.\nSecond.',
    'First.\nsecond, nu, eq and abla.',
    'नमस्ते, 😀',
    '$$\nu + v = w\n$$',
    '$$\\begin{aligned}\nu &= 1 \\\\\ni &= 2\n\\end{aligned}$$',
  ),
  rejectsText('$2 ⟦\times⟧ 3$', unescapedCommand('\\times', '\\t', 'a tab'), '\\times'),
  rejectsText('$⟦\theta⟧ = 3$', unescapedCommand('\\theta', '\\t', 'a tab'), '\\theta'),
  rejectsText('The angle ⟦\theta⟧ is right.', unescapedCommand('\\theta', '\\t', 'a tab'), '\\theta'),
  rejectsText('$⟦\frac⟧{1}{2}$', unescapedCommand('\\frac', '\\f', 'the control character U+000C'), '\\frac'),
  rejectsText('$⟦\beta⟧$', unescapedCommand('\\beta', '\\b', 'the control character U+0008'), '\\beta'),
  rejectsText('$⟦\rho⟧ g h$', unescapedCommand('\\rho', '\\r', 'the control character U+000D'), '\\rho'),
  rejectsText('$a ⟦\neq⟧ b$', unescapedCommand('\\neq', '\\n', 'a line break'), '\\neq'),
  rejectsText('$h⟦\nu⟧$', unescapedCommand('\\nu', '\\n', 'a line break'), '\\nu'),
  rejectsText('$$E = h⟦\nu⟧$$', unescapedCommand('\\nu', '\\n', 'a line break'), '\\nu'),
  rejectsText('$⟦\timesx⟧$', unescapedCommand('\\timesx', '\\t', 'a tab'), '\\timesx'),
  rejectsText('Name⟦\t⟧Value', 'The text contains a tab. Write a space.', ' '),
  rejectsText('First.⟦\r\n⟧Second.', 'Write a line break as \\n, without \\r.', '\n'),
  rejectsText('A bell⟦\u0007⟧.', 'The text contains the control character U+0007. Remove it.'),
  rejectsText('Many⟦\u0000\u0001⟧.', 'The text contains 2 control characters. Remove it.'),
  rejectsText('Half ⟦\ud800⟧.', 'The text contains half a character. Type the character again.'),
  rejects(
    'each command without its backslash',
    { ...mcq, question: '$⟦\tau⟧ ⟦\times⟧ ⟦\beta⟧$' },
    ...[
      ['\\tau', '\\t', 'a tab'],
      ['\\times', '\\t', 'a tab'],
      ['\\beta', '\\b', 'the control character U+0008'],
    ].map(([command = '', written = '', name = '']) => ({
      ...{ message: unescapedCommand(command, written, name), pointer: '/question', suggestion: command },
    })),
  ),
];

const invisible = (names: string) => `${names} is invisible here. Remove it.`;

const invisibleCases: readonly RuleCase[] = [
  ...acceptsTexts('क्‍ष and क्‌ष', '👩‍🔬 and 👨‍👩‍👧', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '5\u00a0m', '❤️', 'می‌خواهم'),
  rejectsText('12⟦\u200b⟧ m', invisible('U+200B')),
  rejectsText('elec⟦\u00ad⟧tron', invisible('U+00AD')),
  rejectsText('a⟦\u202e⟧bc', invisible('U+202E')),
  rejectsText('⟦\u2066⟧abc', invisible('U+2066')),
  rejectsText('⟦\ufeff⟧First', invisible('U+FEFF')),
  rejectsText('a⟦\u200e\u200f⟧b', invisible('U+200E, U+200F')),
  rejectsText('a⟦\u200d⟧b', invisible('U+200D')),
  rejectsText('a⟦\u{e0041}\u{e0042}\u{e0043}\u{e0044}⟧b', invisible('U+E0041, U+E0042, U+E0043 ...')),
  rejectsText('$x⟦\u200b⟧^2$', invisible('U+200B')),
  rejectsText('First.⟦\u2028⟧Second.', 'U+2028 is invisible here. Write a line break as \\n.', '\n'),
];

/** A paper and its translation with an invisible character in every text. */
const soft = (text: string) => `${text}⟦\u00ad⟧s`;
const paper = {
  ...paperOf({
    ...{ ...mcq, number: soft('1'), section: soft('A'), passage: 'p1', question: soft('Which unit') },
    options: [
      { key: 'A', label: soft('1'), value: soft('metre') },
      { key: 'B', label: '2', diagram: { file: 'q1.png', alt: soft('A ruler') } },
    ],
    ...{ solution: soft('It i'), topic: soft('Unit'), diagrams: [{ file: 'q1-b.png', alt: soft('A line') }] },
  }),
  passages: [{ id: 'p1', text: soft('A train'), diagrams: [{ file: 'p1.png', alt: soft('Train') }] }],
};
const translation: TranslationFile = {
  ...{ lastUpdated: paper.lastUpdated },
  passages: [{ id: 'p1', text: soft('Ein Zug'), diagrams: [{ file: 'p1.png', alt: soft('Zug') }] }],
  questions: [
    {
      ...{ id: 'q1', question: soft('Welche Einheit'), solution: soft('Sie i') },
      options: [
        { key: 'A', value: soft('Meter') },
        { key: 'B', diagram: { file: 'q1.png', alt: soft('Lineal') } },
      ],
      diagrams: [{ file: 'q1-b.png', alt: soft('Eine Linie') }],
    },
  ],
};
const translationPath = `${shiftPath}/physics.de.json`;
const diagrams = ['q1.png', 'q1-b.png', 'p1.png'].map((file) => [`${shiftPath}/diagrams/${file}`, png(2, 2)]);
const passageTexts = ['/passages/0/text', '/passages/0/diagrams/0/alt'];

const everyText: RuleCase = rejects(
  'an invisible character in every text of a paper and a translation',
  bankOf(paper, { [translationPath]: translation, ...Object.fromEntries(diagrams) }),
  ...[
    ...passageTexts,
    ...['question', 'solution', 'options/0/value', 'options/1/diagram/alt', 'diagrams/0/alt'].map(
      (text) => `/questions/0/${text}`,
    ),
  ].map((pointer) => ({ message: invisible('U+00AD'), file: translationPath, pointer })),
  ...['question', 'options/0/label', 'options/0/value', 'options/1/diagram/alt', 'topic', 'number', 'section']
    .concat('solution', 'diagrams/0/alt')
    .map((text) => `/questions/0/${text}`)
    .concat(passageTexts)
    .map((pointer) => ({ message: invisible('U+00AD'), pointer })),
);

const misread =
  'These characters are garbled, because a program opened the text in the wrong encoding. Type them again.';

const mojibakeCases: readonly RuleCase[] = [
  ...acceptsTexts(
    'Schrödinger, Ångström, Île, Ñandú, São Paulo',
    '$2$×² and 5 Å–6 Å, “5 Å”',
    'à « la carte » ß“ â la',
    'α, β → γ − δ ≤ ε',
    'प्रश्न',
  ),
  rejectsText('Schr⟦Ã¶⟧dinger', misread, 'ö'),
  rejectsText('2 ⟦Ã—⟧ 3', misread, '×'),
  rejectsText('Newton⟦â€™⟧s law', misread, '’'),
  rejectsText('at 20 ⟦Â°⟧C', misread, '°'),
  rejectsText('angle ⟦Î±⟧', misread, 'α'),
  rejectsText('about ⟦Ï€⟧', misread, 'π'),
  rejectsText('a ⟦â†’⟧ b', misread, '→'),
  rejectsText('⟦à¤ª\u00e0\u00a5\u008d\u00e0\u00a4\u00b0⟧', misread, 'प्र'),
  rejectsText('⟦à¤•à¤• à¤•⟧', misread, 'कक क'),
  rejectsText('it⟦Ã¢â‚¬â„¢⟧s', misread, '’'),
  rejectsText('an open ⟦â€œquote⟧'.replace('quote⟧', '⟧quote'), misread, '“'),
  rejectsText('in Latin-1: ⟦â\u0080\u0099⟧', misread, '’'),
  rejectsText('í was ⟦Ã\u00ad⟧', misread, 'í'),
  rejectsText('smile ⟦ðŸ˜€⟧', misread, '😀'),
  rejectsText('$⟦Î±⟧ + 1$', misread, 'α'),
  rejectsText('$T ⟦Ã—⟧ 2$', misread, '×'),
  rejectsText('Schr⟦\ufffd⟧dinger', 'A character was lost here. Type it again.'),
];

const notNfc = 'This looks right but is stored in a form that searches do not find. Type it again.';

const nfcCases: readonly RuleCase[] = [
  ...acceptsTexts('Schrödinger', 'x̄ and ṽ', 'ড় নয়', '한국어', 'Å, Ω', '$\\vec{v}$'),
  rejectsText('Schr⟦o\u0308⟧dinger', notNfc, 'ö'),
  rejectsText('5 ⟦\u212b⟧', notNfc, 'Å'),
  rejectsText('6 ⟦\u2126⟧', notNfc, 'Ω'),
  rejectsText('⟦\u0958⟧लम', notNfc, '\u0915\u093c'),
  rejectsText('⟦\u1112\u1161\u11ab⟧', notNfc, '한'),
  rejectsText('a⟦\u0327\u0301⟧'.replace('a⟦', '⟦a'), notNfc, 'a\u0327\u0301'.normalize('NFC')),
  rejectsText(
    '⟦e\u0301⟧te\u0301 la\u0300',
    'This looks right but is stored in a form that searches do not find. Type it again. The text has 2 more of these.',
    'é',
  ),
];

export const characterCases: Cases = {
  'control-characters': controlCases,
  'invisible-characters': [...invisibleCases, everyText],
  mojibake: mojibakeCases,
  nfc: [
    ...nfcCases,
    rejects('the label of an exam', bankOf(paperOf(mcq), { [examPath]: { ...sampleExam, label: 'Caf⟦e\u0301⟧' } }), {
      ...{ message: notNfc, file: examPath, pointer: '/label', suggestion: '\u00e9' },
    }),
    rejects(
      'the display name of a subject',
      bankOf(paperOf(mcq), {
        [examPath]: { label: 'NEET', subjects: ['physics', { code: 'cs', label: '⟦e\u0301⟧' }] },
      }),
      { message: notNfc, file: examPath, pointer: '/subjects/1/label', suggestion: '\u00e9' },
    ),
    rejects(
      'a listed topic',
      bankOf(paperOf(mcq), { [examPath]: { ...sampleExam, topics: { physics: ['Units', '⟦e\u0301⟧'] } } }),
      { message: notNfc, file: examPath, pointer: '/topics/physics/1', suggestion: '\u00e9' },
    ),
  ],
};
