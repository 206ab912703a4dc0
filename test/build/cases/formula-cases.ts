import { paperOf, sampleQuestions } from '../bank-folder.ts';
import { acceptsTexts, bankOf, type Cases, type RuleCase, rejects, rejectsText } from './rule-case.ts';

const { mcq } = sampleQuestions;

const marked = (text: string) => /⟦(.*)⟧/.exec(text)?.[1] ?? '';
const unknown = (command: string) => `Unknown command ${command}.`;
const unset = (reason: string) => `KaTeX cannot render this formula: ${reason}`;
const unclosed = (opening: string) => `${opening} is not closed in this formula.`;
const odd = (sign: string) => `Unexpected ${sign}. Remove it, or add what is missing before it.`;
const untrusted = (command: string) => `${command} is not allowed in formulas.`;

const misspelt: readonly [string, string][] = [
  ['$⟦\\fracc⟧{1}{2}$', '\\frac'],
  ['$⟦\\alhpa⟧ + 1$', '\\alpha'],
  ['$⟦\\lamda⟧$', '\\lambda'],
  ['$a ⟦\\rigtharrow⟧ b$', '\\rightarrow'],
  ['$⟦\\sqr⟧{2}$', '\\sqrt'],
  ['$⟦\\infy⟧$', '\\infty'],
  ['$⟦\\cosx⟧$', '\\cos x'],
  ['$⟦\\muC⟧$', '\\mu C'],
];

/** Commands that KaTeX does not have, and the same in KaTeX. */
const foreign: readonly [text: string, instead: string][] = [
  ['$5\\,⟦\\ohm⟧$', '\\Omega'],
  ['$⟦\\mbox⟧{if } x$', '\\text'],
  ['$⟦\\overparen⟧{AB}$', '\\overgroup'],
  ['$⟦\\overarc⟧{AB}$', '\\overgroup'],
  ['$H⟦\\textsubscript⟧{2}$', '_'],
  ['$⟦\\sgn⟧(x)$', '\\operatorname{sgn}'],
  ['$30⟦\\textdegree⟧$', '^\\circ'],
  ['$A ⟦\\xleftrightarrows⟧{k} B$', '\\xrightleftharpoons'],
];

const validFormulas: readonly string[] = [
  '$\\frac{1}{2}$ and $$\\int_0^1 x\\,dx$$',
  '$x = 50\\,\\%$',
  '$\\ce{SO4^2- + Ba^2+ -> BaSO4 v}$ and $\\ce{N2 + 3H2 <=>[\\text{Fe}] 2NH3}$, $\\pu{1.2e3 kJ mol-1}$',
  '$\\text{क और ख}$',
  '$\\left(\\frac{a}{b}\\right)$',
  '$$\\begin{aligned} a &= b \\\\ c &= d \\end{aligned}$$',
  'No formula, \\$5.',
];

const invalidFormulas: readonly [text: string, message: string, suggestion?: string][] = [
  ['$⟦\\cee⟧{H2O}$', unknown('\\cee'), '\\ce'],
  ['$⟦\\ce{A \\bond{x} B}⟧$', '\\ce and \\pu do not accept this formula.'],
  ['$\\pu⟦{⟧5 m$', unclosed('{')],
  ['$\\frac{1}⟦{⟧2$', unclosed('{')],
  ['$⟦\\left⟧( a$', unclosed('\\left')],
  ['$⟦\\begin{cases}⟧ a$', unclosed('\\begin{cases}')],
  ['$a⟦}⟧$', odd('}')],
  ['$a ⟦\\right⟧)$', odd('\\right')],
  ['$a ⟦&⟧ b$', odd('&')],
  ['$x^a⟦^⟧b$', unset('Double superscript.')],
  ['$a⟦_⟧$', unset("Expected group after '_'.")],
  ['$1 + ⟦\\sqrt⟧$', unset("Expected group as argument to '\\sqrt'.")],
  ['$⟦\\cancelto⟧{0}{x}$', '\\cancelto is not supported in formulas. Write \\cancel{x}^{0}.'],
  ['$\\begin⟦{tabular}⟧{c}x\\end{tabular}$', 'tabular is not supported in formulas. Write array.'],
  [
    '$\\begin{array}{⟦@⟧{}c}x\\end{array}$',
    '"@" is not a column type. Write l, c or r for each column, and | for a line.',
  ],
  ['$\\begin{⟦align⟧}x\\end{align}$', 'align needs a formula on its own line: write $$...$$, or aligned.'],
  ['$\\begin⟦{eqnarray}⟧ x \\end{eqnarray}$', 'eqnarray is not supported in formulas. Write aligned.'],
  [
    '$\\begin{array}{cc} ⟦\\multicolumn⟧{2}{c}{x} \\end{array}$',
    '\\multicolumn is not supported in formulas. Write the text into the first cell, and leave the others empty.',
  ],
  ['$\\begin⟦{foo}⟧x\\end{foo}$', unset('No such environment: foo.')],
  ['$⟦\\tag{1}⟧$', unset('\\tag works only in display equations.')],
  ['$50⟦%⟧ of x$', 'LaTeX ignores everything after a %.', '\\%'],
  ['$⟦\\href⟧{https://example.org}{x}$', untrusted('\\href')],
  ['$⟦\\includegraphics⟧{a.png}$', untrusted('\\includegraphics')],
  ['$⟦\\htmlData⟧{a=b}{x}$', untrusted('\\htmlData')],
  ['$⟦\\def\\a{\\a}\\a⟧$', unset('Too many expansions: infinite loop or need to increase maxExpand setting.')],
  [`$⟦${'{'.repeat(5000)}${'}'.repeat(5000)}⟧$`, 'This formula is nested too deeply. Simplify it.'],
  [`$⟦${'{'.repeat(10_000)}${'}'.repeat(10_000)}⟧$`, 'This formula is longer than 10000 characters. Split it.'],
  ['$⟦\\ket{\\frac}⟧$', unset('Extra }.')],
];

const noSign = (character: string) => `KaTeX renders ${character} in another font. Put words in \\text{...}.`;

const quote = (written: string) =>
  `${written} is a typographic quote, which LaTeX does not support. A prime is ', a second derivative ''.`;

const quoteCases: readonly RuleCase[] = [
  ...acceptsTexts(
    'Young’s modulus is “$E$”',
    '$\\text{Young’s “modulus”} = 3$',
    "$f'(x) + f''(x)$",
    '$\\fbox{it’s} + \\textbf{a ‘b’}$',
  ),
  rejectsText('$f⟦’⟧(x)$', quote('’'), "'"),
  rejectsText('$f⟦′⟧(x)$', quote('′'), "'"),
  rejectsText('$f⟦″⟧(x)$', quote('″'), "''"),
  rejectsText('$f⟦”⟧(x)$', quote('”'), "''"),
  rejectsText('$f⟦’’⟧(x)$', quote('’’'), "''"),
  rejectsText('$⟦“⟧x$', quote('“'), '"'),
  rejectsText('$\\text{it’s} + f⟦’⟧$', quote('’'), "'"),
];

const open = 'This dollar sign starts a formula that has no end. Add the end, or write \\\\$ for a dollar sign.';
const close = 'This dollar sign ends a formula that has no start. Add the start, or write \\\\$ for a dollar sign.';
const openTwice = 'This formula has no end. End it with two dollar signs.';
const nothing = 'This formula is empty. Fill it in, or remove its dollar signs.';

const prices = 'This text is shown as a formula, because it is between dollar signs. Write \\\\$ for a dollar sign.';

const divided = (name: string) =>
  `There are dollar signs between \\begin{${name}} and \\end{${name}}. Enclose the whole formula in one pair.`;

const delimiterCases: readonly RuleCase[] = [
  ...acceptsTexts(
    'It costs \\$5, or \\$6 for $n$.',
    '$a$$b$ and $a$ $b$',
    '$$a = b$$ and $\\$5$',
    '$a \\\\[2pt] b$',
    '$$\\begin{cases} 1 & x > 0 \\\\ \\begin{matrix} a \\end{matrix} \\end{cases}$$',
    'no formula',
  ),
  rejectsText('The speed is ⟦$⟧v = 3', open),
  rejectsText('The speed is $v = 3$ and ⟦$⟧m = 4', open),
  rejectsText('The speed is ⟦$⟧v = 3 and the mass is $m$.', open),
  rejectsText('The speed is v = 3⟦$⟧ and the mass is $m$.', close),
  rejectsText('The speed is v = 3⟦$⟧', close),
  rejectsText('The mass is $m$ and the speed is v = 3⟦$⟧.', close),
  rejectsText('The value is ⟦$$⟧x$ here', openTwice),
  rejectsText('The angle is ⟦$⟧\\theta', open),
  rejectsText('(⟦$5 for the first right answer, $⟧3 for others)', prices),
  rejectsText('The value ⟦$$⟧', nothing),
  rejectsText('The value ⟦$ $⟧ here', nothing),
  rejectsText('The value ⟦$$$$⟧ here', nothing),
  rejectsText('What is ⟦\\(\\frac{1}{2}\\)⟧?', 'Write formulas between dollars: $...$.', '$\\frac{1}{2}$'),
  rejectsText('⟦\\[ E = mc^2 \\]⟧', 'Write formulas between dollars: $$...$$.', '$$E = mc^2$$'),
  rejectsText(
    'Let ⟦$f = \\begin{cases} 1 & x > 0$ \\\\ $0 & x < 0 \\end{cases}$⟧.',
    divided('cases'),
    '$f = \\begin{cases} 1 & x > 0 \\\\ 0 & x < 0 \\end{cases}$',
  ),
  rejectsText(
    '⟦\\begin{bmatrix} $a$ & $b$ \\end{bmatrix}⟧',
    divided('bmatrix'),
    '$$\\begin{bmatrix} a & b \\end{bmatrix}$$',
  ),
  rejectsText('⟦$\\begin{cases} a$ where $b \\end{cases}$⟧', divided('cases')),
  rejectsText('Half: ⟦\\(⟧ 1', 'Write formulas between dollars: $...$.', '$'),
];

const loose = (command: string) => `${command} is outside a formula and will appear literally.`;

const looseBreak = 'This is a LaTeX line break, but it is outside a formula. Write a line break as \\n.';

const looseCases: readonly RuleCase[] = [
  ...acceptsTexts('$3 \\times 4$', 'either \\$3 or \\$4', 'a \\ b', '2\\*3 \\_ \\#5'),
  rejectsText('3 ⟦\\times⟧ 4', loose('\\times')),
  rejectsText('⟦\\frac⟧{1}{2} \\times $x$', loose('\\frac')),
  rejectsText('50⟦\\%⟧ of $x$', 'Outside formulas, write % without a backslash.', '%'),
  rejectsText('5⟦\\,⟧m', '\\, is a LaTeX space, but this is outside a formula. Write a space.'),
  rejectsText('First.⟦ \\\\ ⟧Second.', looseBreak, '\n'),
  rejectsText('First.⟦\\\\\n⟧Second.', looseBreak, '\n'),
  rejectsText('Last.⟦ \\\\⟧', looseBreak),
  rejectsText('Find $x$⟦ \\\\ ⟧$y$ here', looseBreak, '\n'),
  rejectsText('Find $x$⟦\\\\⟧', looseBreak),
  rejectsText(
    'First.⟦\\n⟧ Second.',
    'This will appear as a backslash and an n. Write a line break as \\n, with one backslash.',
    '\n',
  ),
];

export const formulaCases: Cases = {
  'formula-delimiters': delimiterCases,
  'latex-outside-formula': looseCases,
  'smart-quotes': quoteCases,
  formula: [
    ...acceptsTexts(...validFormulas),
    ...misspelt.map(([text, suggestion]) => rejectsText(text, unknown(marked(text)), suggestion)),
    ...foreign.map(([text, instead]) =>
      rejectsText(text, `${marked(text)} is not supported in formulas. Write ${instead}.`, instead),
    ),
    ...acceptsTexts(...foreign.map(([text, instead]) => text.replace(/⟦.*⟧/, () => instead))),
    ...invalidFormulas.map((one) => rejectsText(...one)),
    rejects(
      'formulas in the question and in options',
      {
        ...{ ...mcq, question: 'Is it $⟦\\foo⟧$?' },
        options: [
          { key: 'A', value: '$⟦\\foo⟧$' },
          { key: 'B', value: '$1$' },
        ],
      },
      { message: unknown('\\foo'), pointer: '/question' },
      { message: unknown('\\foo'), pointer: '/options/0/value' },
    ),
  ],
  'formula-characters': [
    ...acceptsTexts('$5°$', '$\\text{₹}500$', '$x²$', '₹500'),
    ...acceptsTexts('元素 $W、X、Y$ 的原子序数', '（ $）$', '则 $a=1，b=2。$'),
    rejectsText('$⟦₹⟧500$', noSign('₹'), '\\text{₹}'),
    rejectsText('$5 ⟦–⟧ 3$', noSign('–'), '-'),
    rejectsText('$⟦½⟧ m v^2$', noSign('½'), '\\frac{1}{2}'),
    rejectsText('$⟦क⟧$', noSign('क')),
    rejectsText('$⟦₦⟧ 400$', noSign('₦'), '\\text{₦}'),
    rejects(
      'one character once for a file, with its other places',
      bankOf(
        paperOf({
          ...{ ...mcq, question: 'Is it $⟦₹⟧5$?' },
          options: [
            { key: 'A', value: '$⟪₹⟫6$' },
            { key: 'B', value: '$⟪₹⟫7$' },
          ],
        }),
      ),
      {
        message: `${noSign('₹')} The file has 2 more of these.`,
        ...{ pointer: '/questions/0/question', suggestion: '\\text{₹}' },
        related: ['0', '1'].map((index) => ({ message: 'Here, too.', pointer: `/questions/0/options/${index}/value` })),
      },
    ),
  ],
};
