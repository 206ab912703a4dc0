import { examPath, paperPath, sampleExam, sampleQuestions, shiftPath } from '../bank-folder.ts';
import { png } from '../image-bytes.ts';
import type { RuleCase } from './rule-case.ts';
import { bankOf, invalidText, validTexts } from './text-case.ts';

const { mcq } = sampleQuestions;

const tag = (name: string) =>
  `<${name}> is HTML and will appear literally. Write plain text, and formulas in $...$.`;
const entity = (written: string) =>
  `${written} is an HTML entity and will appear literally. Write the character itself.`;

const htmlCases: readonly RuleCase[] = [
  ...validTexts(
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
  invalidText('html', 'H⟦<sub>2</sub>⟧O', tag('sub'), '$_2$'),
  invalidText('html', '10⟦<sup>-3</sup>⟧ m', tag('sup'), '$^{-3}$'),
  invalidText('html', 'It is ⟦<b>not</b>⟧ so.', tag('b'), 'not'),
  invalidText('html', 'First.⟦<br/>⟧Second.', tag('br'), '\n'),
  invalidText('html', 'First.⟦<BR>⟧Second.', tag('br'), '\n'),
  invalidText('html', '⟦<p class="q">What is $x$?</p>⟧', tag('p'), 'What is $x$?'),
  invalidText('html', 'See ⟦<img src="a.png" alt="A"/>⟧.', tag('img')),
  invalidText('html', "⟦<span style='color:red'>Red</span>⟧", tag('span'), 'Red'),
  invalidText('html', '⟦<i>a <b>b</b></i>⟧', tag('i')),
  invalidText('html', 'A lone ⟦</div>⟧ here', tag('div')),
  invalidText('html', 'a⟦<a href="x">⟧b', tag('a')),
  invalidText('html', '⟦<o:p></o:p>⟧', tag('o:p')),
  invalidText('html', 'Text⟦<!-- to check -->⟧', 'An HTML comment will appear literally. Remove it.'),
  invalidText('html', 'a ⟦&lt;⟧ b', entity('&lt;'), '<'),
  invalidText('html', 'a⟦&nbsp;⟧b', entity('&nbsp;'), '\u00a0'),
  invalidText('html', 'at 20⟦&deg;⟧C', entity('&deg;'), '°'),
  invalidText('html', 'a ⟦&#8722;⟧ b', entity('&#8722;'), '−'),
  invalidText('html', 'a ⟦&#x2212;⟧ b', entity('&#x2212;'), '−'),
  invalidText('html', 'a ⟦&amp;lt;⟧ b', entity('&amp;lt;'), '<'),
  invalidText('html', '$a ⟦&lt;⟧ b$', entity('&lt;'), '<'),
  invalidText('html', '$50⟦&percnt;⟧$', entity('&percnt;'), '\\%'),
  invalidText('html', '$\\begin{aligned} a ⟦&amp;⟧= b \\end{aligned}$', entity('&amp;'), '&'),
  invalidText('html', 'It costs ⟦&#36;⟧5.', entity('&#36;'), '\\$'),
  invalidText('html', 'a⟦&zwj;⟧b', entity('&zwj;')),
];

const quote = (written: string) =>
  `${written} is a typographic quote, which LaTeX does not support. A prime is ', a second derivative ''.`;

const quoteCases: readonly RuleCase[] = [
  ...validTexts(
    'smart-quotes',
    'Young’s modulus is “$E$”',
    '$\\text{Young’s “modulus”} = 3$',
    "$f'(x) + f''(x)$",
    '$\\fbox{it’s} + \\textbf{a ‘b’}$',
  ),
  invalidText('smart-quotes', '$f⟦’⟧(x)$', quote('’'), "'"),
  invalidText('smart-quotes', '$f⟦′⟧(x)$', quote('′'), "'"),
  invalidText('smart-quotes', '$f⟦″⟧(x)$', quote('″'), "''"),
  invalidText('smart-quotes', '$f⟦”⟧(x)$', quote('”'), "''"),
  invalidText('smart-quotes', '$f⟦’’⟧(x)$', quote('’’'), "''"),
  invalidText('smart-quotes', '$⟦“⟧x$', quote('“'), '"'),
  invalidText('smart-quotes', '$\\text{it’s} + f⟦’⟧$', quote('’'), "'"),
];

const open =
  'This dollar sign starts a formula that has no end. Add the end, or write \\\\$ for a dollar sign.';
const close =
  'This dollar sign ends a formula that has no start. Add the start, or write \\\\$ for a dollar sign.';
const openTwice = 'This formula has no end. End it with two dollar signs.';
const nothing = 'This formula is empty. Fill it in, or remove its dollar signs.';

const divided = (name: string) =>
  `There are dollar signs between \\begin{${name}} and \\end{${name}}. Enclose the whole formula in one pair.`;

const delimiterCases: readonly RuleCase[] = [
  ...validTexts(
    'formula-delimiters',
    'It costs \\$5, or \\$6 for $n$.',
    '$a$$b$ and $a$ $b$',
    '$$a = b$$ and $\\$5$',
    '$a \\\\[2pt] b$',
    '$$\\begin{cases} 1 & x > 0 \\\\ \\begin{matrix} a \\end{matrix} \\end{cases}$$',
    'no formula',
  ),
  invalidText('formula-delimiters', 'The speed is ⟦$⟧v = 3', open),
  invalidText('formula-delimiters', 'The speed is $v = 3$ and ⟦$⟧m = 4', open),
  invalidText('formula-delimiters', 'The speed is ⟦$⟧v = 3 and the mass is $m$.', open),
  invalidText('formula-delimiters', 'The speed is v = 3⟦$⟧ and the mass is $m$.', close),
  invalidText('formula-delimiters', 'The speed is v = 3⟦$⟧', close),
  invalidText('formula-delimiters', 'The mass is $m$ and the speed is v = 3⟦$⟧.', close),
  invalidText('formula-delimiters', 'The value is ⟦$$⟧x$ here', openTwice),
  invalidText('formula-delimiters', 'The angle is ⟦$⟧\\theta', open),
  invalidText('formula-delimiters', 'The value ⟦$$⟧', nothing),
  invalidText('formula-delimiters', 'The value ⟦$ $⟧ here', nothing),
  invalidText('formula-delimiters', 'The value ⟦$$$$⟧ here', nothing),
  invalidText(
    'formula-delimiters',
    'What is ⟦\\(\\frac{1}{2}\\)⟧?',
    'Write formulas between dollars: $...$.',
    '$\\frac{1}{2}$',
  ),
  invalidText(
    'formula-delimiters',
    '⟦\\[ E = mc^2 \\]⟧',
    'Write formulas between dollars: $$...$$.',
    '$$E = mc^2$$',
  ),
  invalidText(
    'formula-delimiters',
    'Let ⟦$f = \\begin{cases} 1 & x > 0$ \\\\ $0 & x < 0 \\end{cases}$⟧.',
    divided('cases'),
    '$f = \\begin{cases} 1 & x > 0 \\\\ 0 & x < 0 \\end{cases}$',
  ),
  invalidText(
    'formula-delimiters',
    '⟦\\begin{bmatrix} $a$ & $b$ \\end{bmatrix}⟧',
    divided('bmatrix'),
    '$$\\begin{bmatrix} a & b \\end{bmatrix}$$',
  ),
  invalidText('formula-delimiters', '⟦$\\begin{cases} a$ where $b \\end{cases}$⟧', divided('cases')),
  invalidText('formula-delimiters', 'Half: ⟦\\(⟧ 1', 'Write formulas between dollars: $...$.', '$'),
];

const loose = (command: string) => `${command} is outside a formula and will appear literally.`;

const looseBreak = 'This is a LaTeX line break, but it is outside a formula. Write a line break as \\n.';

const looseCases: readonly RuleCase[] = [
  ...validTexts('latex-outside-formula', '$3 \\times 4$', 'either \\$3 or \\$4', 'a \\ b', '2\\*3 \\_ \\#5'),
  invalidText('latex-outside-formula', '3 ⟦\\times⟧ 4', loose('\\times')),
  invalidText('latex-outside-formula', '⟦\\frac⟧{1}{2} \\times $x$', loose('\\frac')),
  invalidText(
    'latex-outside-formula',
    '50⟦\\%⟧ of $x$',
    'Outside formulas, write % without a backslash.',
    '%',
  ),
  invalidText(
    'latex-outside-formula',
    '5⟦\\,⟧m',
    '\\, is a LaTeX space, but this is outside a formula. Write a space.',
  ),
  invalidText('latex-outside-formula', 'First.⟦ \\\\ ⟧Second.', looseBreak, '\n'),
  invalidText('latex-outside-formula', 'First.⟦\\\\\n⟧Second.', looseBreak, '\n'),
  invalidText('latex-outside-formula', 'Last.⟦ \\\\⟧', looseBreak),
  invalidText('latex-outside-formula', 'Find $x$⟦ \\\\ ⟧$y$ here', looseBreak, '\n'),
  invalidText('latex-outside-formula', 'Find $x$⟦\\\\⟧', looseBreak),
  invalidText(
    'latex-outside-formula',
    'First.⟦\\n⟧ Second.',
    'This will appear as a backslash and an n. Write a line break as \\n, with one backslash.',
    '\n',
  ),
];

const otherTexts: readonly RuleCase[] = [
  {
    rule: 'html',
    title: 'checks options, topics and alternative texts too',
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
    title: 'accepts HTML in the label of an exam, which is shown literally',
    files: { ...bankOf(mcq), [examPath]: { ...sampleExam, label: 'NEET <b> & $' } },
    found: [],
  },
  {
    rule: 'nfc',
    title: 'checks the label of an exam too',
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

/** Cases of the rules on HTML, LaTeX and the delimiters of formulas. */
export const markupCases: readonly RuleCase[] = [
  ...htmlCases,
  ...quoteCases,
  ...delimiterCases,
  ...looseCases,
  ...otherTexts,
  ...labels,
];
