import { examPath, paperPath, sampleExam, sampleQuestions, shiftPath } from '../bank-folder.ts';
import { png } from '../image-bytes.ts';
import type { RuleCase } from './rule-case.ts';
import { bankOf, breaking, keeping } from './text-case.ts';

const { mcq } = sampleQuestions;

const tag = (name: string) =>
  `<${name}> is HTML and will appear literally. Write plain text, and formulas in $...$.`;
const entity = (written: string) =>
  `${written} is an HTML entity and will appear literally. Write the character itself.`;

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
  breaking('html', 'a⟦<a href="x">⟧b', tag('a')),
  breaking('html', '⟦<o:p></o:p>⟧', tag('o:p')),
  breaking('html', 'Text⟦<!-- to check -->⟧', 'An HTML comment will appear literally. Remove it.'),
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
const openTwice = 'Nothing closes the formula that these dollars open. Close it with two dollars.';
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
    'Write formulas between dollars: $...$.',
    '$\\frac{1}{2}$',
  ),
  breaking(
    'formula-delimiters',
    '⟦\\[ E = mc^2 \\]⟧',
    'Write formulas between dollars: $$...$$.',
    '$$E = mc^2$$',
  ),
  breaking('formula-delimiters', 'Half: ⟦\\(⟧ 1', 'Write formulas between dollars: $...$.', '$'),
];

const loose = (command: string) => `${command} is outside a formula and will appear literally.`;

const looseCases: readonly RuleCase[] = [
  ...keeping('latex-outside-formula', '$3 \\times 4$', 'either \\$3 or \\$4', 'a \\ b'),
  breaking('latex-outside-formula', '3 ⟦\\times⟧ 4', loose('\\times')),
  breaking('latex-outside-formula', '⟦\\frac⟧{1}{2} \\times $x$', loose('\\frac')),
  breaking('latex-outside-formula', '50⟦\\%⟧ of $x$', loose('\\%'), '%'),
  breaking(
    'latex-outside-formula',
    'First.⟦\\n⟧ Second.',
    'This will appear as a backslash and an n. Write a line break as \\n, with one backslash.',
    '\n',
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
      [`${shiftPath}/diagrams/q1.png`]: png(2, 2),
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
    shows: "an exam's label is a name, and shown as it stands",
    files: { ...bankOf(mcq), [examPath]: { ...sampleExam, label: 'NEET <b> & $' } },
    found: [],
  },
  {
    rule: 'nfc',
    shows: "an exam's label is a text as well",
    files: { ...bankOf(mcq), [examPath]: { ...sampleExam, label: 'Cafe\u0301' } },
    found: [
      {
        message: 'This looks right but is stored in a form that searches do not find. Type it again.',
        file: examPath,
        pointer: '/label',
        at: '2:16-2:18',
        suggestion: '\u00e9',
      },
    ],
  },
];

/** Cases of the rules on what is HTML, what is LaTeX, and where a formula begins and ends. */
export const markupCases: readonly RuleCase[] = [
  ...htmlCases,
  ...quoteCases,
  ...delimiterCases,
  ...looseCases,
  ...otherTexts,
  ...labels,
];
