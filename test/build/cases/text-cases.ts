import type { Question } from '../../../build/read/content.ts';
import { examPath, paperOf, paperPath, sampleExam, sampleQuestions } from '../bank-folder.ts';
import { png } from '../image-bytes.ts';
import { unmarked } from './marked.ts';
import type { Found, RuleCase } from './rule-case.ts';

const { mcq } = sampleQuestions;

/** The text of a question begins here, behind its quote. */
const questionAt = { line: 7, column: 20 };

export function bankOf(question: Question): RuleCase['files'] {
  return { [examPath]: sampleExam, [paperPath]: paperOf(question) };
}

/** Texts that keep a rule. */
export function keeping(rule: string, ...texts: readonly string[]): RuleCase[] {
  return texts.map((text) => ({
    rule,
    shows: `${shown(text)} is right`,
    files: bankOf({ ...mcq, question: text }),
    found: [],
  }));
}

/** A text that breaks a rule where it is marked. */
export function breaking(rule: string, text: string, message: string, suggestion?: string): RuleCase {
  const { text: question, start, end } = unmarked(text) ?? { text, start: 0, end: text.length };
  const columnOf = (offset: number) =>
    questionAt.column + JSON.stringify(question.slice(0, offset)).length - '""'.length;
  const found: Found = {
    message,
    file: paperPath,
    pointer: '/questions/0/question',
    at: `${questionAt.line}:${columnOf(start)}-${questionAt.line}:${columnOf(end)}`,
    ...(suggestion !== undefined && { suggestion }),
  };
  return { rule, shows: `${shown(text)} is wrong`, files: bankOf({ ...mcq, question }), found: [found] };
}

function shown(text: string): string {
  const json = JSON.stringify(text);
  return json.length > 70 ? `${json.slice(0, 70)}...` : json;
}

function eaten(command: string, written: string, name: string): string {
  return `The backslash of ${command} is eaten: JSON reads ${written} as ${name}. Write two backslashes.`;
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
  breaking('control-characters', 'Name⟦\t⟧Value', 'The text holds a tab. Write a space.', ' '),
  breaking('control-characters', 'First.⟦\r\n⟧Second.', 'A line break is \\n alone, without \\r.', '\n'),
  breaking(
    'control-characters',
    'A bell⟦\u0007⟧.',
    'The text holds the control character U+0007. Remove it.',
  ),
  breaking('control-characters', 'Many⟦\u0000\u0001⟧.', 'The text holds 2 control characters. Remove it.'),
  breaking(
    'control-characters',
    'Half ⟦\ud800⟧.',
    'The text holds half a character (a lone surrogate). Write it anew.',
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

const seen = (names: string) => `Nobody sees ${names} here. Remove it.`;

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
    'Nobody sees U+2028 here. A line break is \\n.',
    '\n',
  ),
];

const misread = 'This was UTF-8, and something read it in another encoding.';

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
  breaking(
    'mojibake',
    'Schr⟦\ufffd⟧dinger',
    'A character was lost here, and U+FFFD stands in its place. Write it anew.',
  ),
];

const tag = (name: string) =>
  `<${name}> is HTML, which is shown to readers as it stands. Write plain text, and formulas in $...$.`;
const entity = (written: string) =>
  `${written} is an entity of HTML, which is shown to readers as it stands. Write the character itself.`;

const htmlCases: readonly RuleCase[] = [
  ...keeping(
    'html',
    'a < b and b > c',
    'if x<y and y>z, or a<b and b>c',
    'if a<b>c holds',
    '$a<b>c$ and $x<p>y$',
    'Q&A; R&D; AT&T',
    'f(x) <- x; 3 <!',
    'the type List<String> and Vec<T>',
    'JEE <Main> and <Menu>',
    '$\\begin{aligned} a &= b; \\\\ c &= d \\end{aligned}$',
  ),
  breaking('html', 'H⟦<sub>2</sub>⟧O', tag('sub'), '$_2$'),
  breaking('html', '10⟦<sup>-3</sup>⟧ m', tag('sup'), '$^{-3}$'),
  breaking('html', 'It is ⟦<b>not</b>⟧ so.', tag('b'), 'not'),
  breaking('html', 'First.⟦<br/>⟧Second.', tag('br'), '\n'),
  breaking('html', 'First.⟦<BR>⟧Second.', tag('br'), '\n'),
  breaking('html', '⟦<p class="q">What is $x$?</p>⟧', tag('p'), 'What is $x$?'),
  breaking('html', 'See ⟦<img src="a.png" alt="A"/>⟧.', tag('img')),
  breaking('html', "⟦<span style='color:red'>Red</span>⟧", tag('span'), 'Red'),
  breaking('html', '⟦<i>a <b>b</b></i>⟧', tag('i')),
  breaking('html', 'A lone ⟦</div>⟧ here', tag('div')),
  breaking('html', '⟦<o:p></o:p>⟧', tag('o:p')),
  breaking(
    'html',
    'Text⟦<!-- to check -->⟧',
    'A comment of HTML is shown to readers as it stands. Remove it.',
  ),
  breaking('html', 'a ⟦&lt;⟧ b', entity('&lt;'), '<'),
  breaking('html', 'a⟦&nbsp;⟧b', entity('&nbsp;'), '\u00a0'),
  breaking('html', 'at 20⟦&deg;⟧C', entity('&deg;'), '°'),
  breaking('html', 'a ⟦&#8722;⟧ b', entity('&#8722;'), '−'),
  breaking('html', 'a ⟦&#x2212;⟧ b', entity('&#x2212;'), '−'),
  breaking('html', 'a ⟦&amp;lt;⟧ b', entity('&amp;lt;'), '<'),
  breaking('html', '$a ⟦&lt;⟧ b$', entity('&lt;'), '<'),
  breaking('html', '$50⟦&percnt;⟧$', entity('&percnt;'), '\\%'),
  breaking('html', '$\\begin{aligned} a ⟦&amp;⟧= b \\end{aligned}$', entity('&amp;'), '&'),
  breaking('html', 'It costs ⟦&#36;⟧5.', entity('&#36;'), '\\$'),
  breaking('html', 'a⟦&zwj;⟧b', entity('&zwj;')),
];

const quote = (written: string) =>
  `${written} is a typographic quote, which LaTeX does not know. A prime is ', a second derivative ''.`;

const quoteCases: readonly RuleCase[] = [
  ...keeping(
    'smart-quotes',
    'Young’s modulus is “$E$”',
    '$\\text{Young’s “modulus”} = 3$',
    "$f'(x) + f''(x)$",
    '$\\fbox{it’s} + \\textbf{a ‘b’}$',
  ),
  breaking('smart-quotes', '$f⟦’⟧(x)$', quote('’'), "'"),
  breaking('smart-quotes', '$f⟦′⟧(x)$', quote('′'), "'"),
  breaking('smart-quotes', '$f⟦″⟧(x)$', quote('″'), "''"),
  breaking('smart-quotes', '$f⟦”⟧(x)$', quote('”'), "''"),
  breaking('smart-quotes', '$f⟦’’⟧(x)$', quote('’’'), "''"),
  breaking('smart-quotes', '$⟦“⟧x$', quote('“'), '"'),
  breaking('smart-quotes', '$\\text{it’s} + f⟦’⟧$', quote('’'), "'"),
];

const open = 'Nothing closes the formula that this dollar opens. Close it, or write \\\\$ for a dollar.';
const openTwice = 'Nothing closes the formula that these dollars open: it ends in two dollars, too.';
const nothing = 'This formula is empty. Write it, or remove its dollars.';

const delimiterCases: readonly RuleCase[] = [
  ...keeping(
    'formula-delimiters',
    'It costs \\$5, or \\$6 for $n$.',
    '$a$$b$ and $a$ $b$',
    '$$a = b$$ and $\\$5$',
    '$a \\\\[2pt] b$',
    'no formula',
  ),
  breaking('formula-delimiters', 'The speed is ⟦$⟧v = 3', open),
  breaking('formula-delimiters', 'The speed is $v = 3$ and ⟦$⟧m = 4', open),
  breaking('formula-delimiters', 'The speed is ⟦$⟧v = 3 and the mass is $m$.', open),
  breaking('formula-delimiters', 'The speed is v = 3⟦$⟧ and the mass is $m$.', open),
  breaking('formula-delimiters', 'The value is ⟦$$⟧x$ here', openTwice),
  breaking('formula-delimiters', 'The angle is ⟦$⟧\\theta', open),
  breaking('formula-delimiters', 'The value ⟦$$⟧', nothing),
  breaking('formula-delimiters', 'The value ⟦$ $⟧ here', nothing),
  breaking('formula-delimiters', 'The value ⟦$$$$⟧ here', nothing),
  breaking(
    'formula-delimiters',
    'What is ⟦\\(\\frac{1}{2}\\)⟧?',
    'Formulas stand between dollars here: $...$.',
    '$\\frac{1}{2}$',
  ),
  breaking(
    'formula-delimiters',
    '⟦\\[ E = mc^2 \\]⟧',
    'Formulas stand between dollars here: $$...$$.',
    '$$E = mc^2$$',
  ),
  breaking('formula-delimiters', 'Half: ⟦\\(⟧ 1', 'Formulas stand between dollars here: $...$.', '$'),
];

const loose = (command: string) => `${command} stands in no formula, and is shown to readers as it stands.`;

const looseCases: readonly RuleCase[] = [
  ...keeping('latex-outside-formula', '$3 \\times 4$', 'either \\$3 or \\$4', 'a \\ b'),
  breaking('latex-outside-formula', '3 ⟦\\times⟧ 4', loose('\\times')),
  breaking('latex-outside-formula', '⟦\\frac⟧{1}{2} \\times $x$', loose('\\frac')),
  breaking('latex-outside-formula', '50⟦\\%⟧ of $x$', loose('\\%'), '%'),
  breaking(
    'latex-outside-formula',
    'First.⟦\\n⟧ Second.',
    'A backslash and an n are shown here: a line break is \\n in JSON, with one backslash.',
    '\n',
  ),
];

const notNfc = 'This is not in Unicode Normalization Form C.';

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
    'This is not in Unicode Normalization Form C, and neither are 2 more places of the text.',
    'é',
  ),
];

const otherTexts: readonly RuleCase[] = [
  {
    rule: 'html',
    shows: 'options, topics and texts for those who cannot see are read as well',
    files: {
      ...bankOf({
        ...mcq,
        options: [
          { key: 'A', value: '1 &lt; 2' },
          { key: 'B', value: '2' },
        ],
        topic: 'Units &amp; more',
        diagrams: [{ file: 'q1.png', alt: 'Ohm&apos;s law.' }],
      }),
      [`${paperPath.slice(0, paperPath.lastIndexOf('/'))}/diagrams/q1.png`]: png(2, 2),
    },
    found: [
      ['/questions/0/options/0/value', '11:23-11:27', '&lt;', '<'],
      ['/questions/0/topic', '19:23-19:28', '&amp;', '&'],
      ['/questions/0/diagrams/0/alt', '24:22-24:28', '&apos;', "'"],
    ].map(([pointer = '', at = '', written = '', suggestion = '']) => ({
      message: entity(written),
      file: paperPath,
      pointer,
      at,
      suggestion,
    })),
  },
];

const labels: readonly RuleCase[] = [
  {
    rule: 'html',
    shows: "an exam's label is a text as well",
    files: { ...bankOf(mcq), [examPath]: { ...sampleExam, label: 'NEET &amp; more' } },
    found: [
      { message: entity('&amp;'), file: examPath, pointer: '/label', at: '2:18-2:23', suggestion: '&' },
    ],
  },
];

/** Cases of the rules on texts that people read. */
export const textCases: readonly RuleCase[] = [
  ...controlCases,
  ...invisibleCases,
  ...mojibakeCases,
  ...htmlCases,
  ...quoteCases,
  ...delimiterCases,
  ...looseCases,
  ...nfcCases,
  ...otherTexts,
  ...labels,
];
