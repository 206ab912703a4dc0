import { examPath, paperOf, paperPath, sampleExam, sampleQuestions } from '../bank-folder.ts';
import type { RuleCase } from './rule-case.ts';
import { invalidText, validTexts } from './text-case.ts';

const { mcq } = sampleQuestions;

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
  ['$\\begin⟦{foo}⟧x\\end{foo}$', unset('No such environment: foo.')],
  ['$⟦\\tag{1}⟧$', unset('\\tag works only in display equations.')],
  ['$50⟦%⟧ of x$', 'LaTeX ignores everything after a %.', '\\%'],
  ['$⟦\\href⟧{https://example.org}{x}$', untrusted('\\href')],
  ['$⟦\\includegraphics⟧{a.png}$', untrusted('\\includegraphics')],
  ['$⟦\\htmlData⟧{a=b}{x}$', untrusted('\\htmlData')],
  [
    '$⟦\\def\\a{\\a}\\a⟧$',
    unset('Too many expansions: infinite loop or need to increase maxExpand setting.'),
  ],
  [`$⟦${'{'.repeat(5000)}${'}'.repeat(5000)}⟧$`, 'This formula is nested too deeply. Simplify it.'],
  [
    `$⟦${'{'.repeat(10_000)}${'}'.repeat(10_000)}⟧$`,
    'This formula is longer than 10000 characters. Split it.',
  ],
  ['$⟦\\ket{\\frac}⟧$', unset('Extra }.')],
];

const noSign = (character: string) => `KaTeX renders ${character} in another font. Put words in \\text{...}.`;

const everywhere: RuleCase = {
  rule: 'formula',
  title: 'reports invalid formulas in the question and in options',
  files: {
    [examPath]: sampleExam,
    [paperPath]: paperOf({
      ...mcq,
      question: 'Is it $\\foo$?',
      options: [
        { key: 'A', value: '$\\foo$' },
        { key: 'B', value: '$1$' },
      ],
    }),
  },
  found: [
    ['/questions/0/question', '7:27-7:32'],
    ['/questions/0/options/0/value', '11:22-11:27'],
  ].map(([pointer = '', at = '']) => ({ message: unknown('\\foo'), file: paperPath, pointer, at })),
};

/** Cases of the rules on formulas. */
export const formulaCases: readonly RuleCase[] = [
  ...validTexts('formula', ...validFormulas),
  ...misspelt.map(([text, suggestion]) =>
    invalidText('formula', text, unknown(/⟦(.*)⟧/.exec(text)?.[1] ?? ''), suggestion),
  ),
  ...foreign.map(([text, instead]) => {
    const command = /⟦(.*)⟧/.exec(text)?.[1] ?? '';
    return invalidText(
      'formula',
      text,
      `${command} is not supported in formulas. Write ${instead}.`,
      instead,
    );
  }),
  ...validTexts('formula', ...foreign.map(([text, instead]) => text.replace(/⟦.*⟧/, () => instead))),
  ...invalidFormulas.map(([text, message, suggestion]) => invalidText('formula', text, message, suggestion)),
  everywhere,
  ...validTexts('formula-characters', '$5°$', '$\\text{₹}500$', '$x²$', '₹500'),
  ...validTexts('formula-characters', '元素 $W、X、Y$ 的原子序数', '（ $）$', '则 $a=1，b=2。$'),
  invalidText('formula-characters', '$⟦₹⟧500$', noSign('₹'), '\\text{₹}'),
  invalidText('formula-characters', '$5 ⟦–⟧ 3$', noSign('–'), '-'),
  invalidText('formula-characters', '$⟦½⟧ m v^2$', noSign('½'), '\\frac{1}{2}'),
  invalidText('formula-characters', '$⟦क⟧$', noSign('क')),
  invalidText('formula-characters', '$⟦₦⟧ 400$', noSign('₦'), '\\text{₦}'),
  {
    rule: 'formula-characters',
    title: 'reports one character once for a file, with its other places',
    files: {
      [examPath]: sampleExam,
      [paperPath]: paperOf({
        ...{ ...mcq, question: 'Is it $₹5$?' },
        options: [
          { key: 'A', value: '$₹6$' },
          { key: 'B', value: '$₹7$' },
        ],
      }),
    },
    found: [
      {
        message: `${noSign('₹')} The file has 2 more of these.`,
        ...{ file: paperPath, pointer: '/questions/0/question', at: '7:27-7:28' },
        suggestion: '\\text{₹}',
        related: ['11:22-11:23', '15:22-15:23'].map((at) => ({ message: 'Here, too.', file: paperPath, at })),
      },
    ],
  },
];
