import { examPath, paperOf, sampleExam, sampleQuestions } from '../bank-folder.ts';
import { accepts, acceptsTexts, bankOf, type Cases, rejectsText } from './rule-case.ts';

const tag = (name: string) => `<${name}> is HTML and will appear literally. Write plain text, and formulas in $...$.`;
const entity = (written: string) =>
  `${written} is an HTML entity and will appear literally. Write the character itself.`;

export const htmlCases: Cases = {
  html: [
    ...acceptsTexts(
      'a < b and b > c',
      'if x<y and y>z, or a<b and b>c',
      'if a<b>c holds',
      '$a<b>c$ and $x<p>y$',
      'Q&A; R&D; AT&T',
      '&lt &nosuch; &Nbsp; &; &#; &#x; &#12a; & lt; lt;',
      'f(x) <- x; 3 <!',
      'the type List<String> and Vec<T>',
      'JEE <Main> and <Menu>',
      '$\\begin{aligned} a &= b; \\\\ c &= d \\end{aligned}$',
    ),
    rejectsText('H⟦<sub>2</sub>⟧O', tag('sub'), '$_2$'),
    rejectsText('10⟦<sup>-3</sup>⟧ m', tag('sup'), '$^{-3}$'),
    rejectsText('It is ⟦<b>not</b>⟧ so.', tag('b'), 'not'),
    rejectsText('First.⟦<br/>⟧Second.', tag('br'), '\n'),
    rejectsText('First.⟦<BR>⟧Second.', tag('br'), '\n'),
    rejectsText('⟦<p class="q">What is $x$?</p>⟧', tag('p'), 'What is $x$?'),
    rejectsText('See ⟦<img src="a.png" alt="A"/>⟧.', tag('img')),
    rejectsText("⟦<span style='color:red'>Red</span>⟧", tag('span'), 'Red'),
    rejectsText('⟦<i>a <b>b</b></i>⟧', tag('i')),
    rejectsText('A lone ⟦</div>⟧ here', tag('div')),
    rejectsText('a⟦<a href="x">⟧b', tag('a')),
    rejectsText('⟦<o:p></o:p>⟧', tag('o:p')),
    rejectsText('Text⟦<!-- to check -->⟧', 'An HTML comment will appear literally. Remove it.'),
    rejectsText('a ⟦&lt;⟧ b', entity('&lt;'), '<'),
    rejectsText('a⟦&nbsp;⟧b', entity('&nbsp;'), '\u00a0'),
    rejectsText('at 20⟦&deg;⟧C', entity('&deg;'), '°'),
    rejectsText('a ⟦&#8722;⟧ b', entity('&#8722;'), '−'),
    rejectsText('a ⟦&#x2212;⟧ b', entity('&#x2212;'), '−'),
    rejectsText('a ⟦&#X0002212;⟧ b', entity('&#X0002212;'), '−'),
    rejectsText('1⟦&#150;⟧2', entity('&#150;'), '–'),
    rejectsText('a⟦&#xD800;⟧b', entity('&#xD800;')),
    rejectsText('a ⟦&amp;lt;⟧ b', entity('&amp;lt;'), '<'),
    rejectsText('$a ⟦&lt;⟧ b$', entity('&lt;'), '<'),
    rejectsText('$50⟦&percnt;⟧$', entity('&percnt;'), '\\%'),
    rejectsText('$\\begin{aligned} a ⟦&amp;⟧= b \\end{aligned}$', entity('&amp;'), '&'),
    rejectsText('It costs ⟦&#36;⟧5.', entity('&#36;'), '\\$'),
    rejectsText('a⟦&zwj;⟧b', entity('&zwj;')),
    rejectsText('Unit⟦&apos;⟧s', entity('&apos;'), "'"),
    accepts(
      'HTML in the label of an exam, which is shown literally',
      bankOf(paperOf(sampleQuestions.mcq), { [examPath]: { ...sampleExam, label: 'NEET <b> & $' } }),
    ),
  ],
};
