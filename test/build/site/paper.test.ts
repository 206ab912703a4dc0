import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Question } from '../../../build/content/written.ts';
import { html } from '../../../build/site/html.ts';
import { questionArticle } from '../../../build/site/paper/question.ts';
import { textHtml } from '../../../build/site/paper/text.ts';
import { paperOf, paperPath, sampleQuestions } from '../bank-folder.ts';
import { compileFiles } from '../compiled-bank.ts';

const set = (text: string) =>
  textHtml(text, (file, isFigure) => html`<img src="${file}" data-figure="${`${isFigure}`}">`).text;

describe('A text is rendered', () => {
  it('with its formulas as HTML, and as MathML for screen readers', () => {
    const shown = set('Let $x^2$ be.');
    assert.match(shown, /^Let <span class="katex"><span class="katex-mathml"><math/);
    assert.match(shown, /<span class="katex-html" aria-hidden="true">/);
    assert.match(shown, /<\/span> be\.$/);
  });

  it('with display formulas, without the line breaks around them', () => {
    const shown = set('So\n$$x$$\nand\nmore');
    assert.match(shown, /^So<span class="katex-display">/);
    assert.match(shown, /<\/span>and<br>\nmore$/);
  });

  it('with formulas that no line break separates from the characters beside them', () => {
    assert.match(
      set('Let ($x$); or'),
      /^Let <span class="unbroken">\(<span class="katex">.*<\/span>\);<\/span> or$/,
    );
    assert.match(set('$a+b$-plane'), /<wbr><span class="base">.*<\/span>-plane<\/span>$/);
    assert.doesNotMatch(set('Let $x$ be.\n$$y$$'), /unbroken/);
  });

  const texts: readonly (readonly [name: string, text: string, html: string])[] = [
    [
      'everything else escaped',
      '<script>alert(1)</script> & <img src=x onerror="x">',
      '&#60;script&#62;alert(1)&#60;/script&#62; &#38; &#60;img src=x onerror=&#34;x&#34;&#62;',
    ],
    ['an escaped dollar', 'It costs \\$5, not \\$6.', 'It costs $5, not $6.'],
    ['an unpaired dollar unchanged', 'It costs $5.', 'It costs $5.'],
    ['paragraphs and line breaks', 'a\n\nb\nc', '<p>a</p>\n<p>b<br>\nc</p>\n'],
    ['bold and italic words', '**a** and *b*', '<strong>a</strong> and <em>b</em>'],
    ['underscores unchanged', '__a__ _b_ ____', '__a__ _b_ ____'],
    ['the characters after backslashes', '2\\*x\\*3 \\# \\\\', '2*x*3 # \\'],
    ['a list with dots', 'a\n- b\n- c', 'a<ul>\n<li>b</li>\n<li>c</li>\n</ul>\n'],
    [
      'a list with numbers',
      '3. a\n4. b\n\n   c',
      '<ol start="3">\n<li>a</li>\n<li><p>b</p>\n<p>c</p>\n</li>\n</ol>\n',
    ],
    [
      'a table with a header for each column, and without cells beyond the header',
      '| a | | c |\n|---|---|:-:|\n| 1 | 2 | 3 | 4 |',
      '<table>\n<thead><tr><th scope="col">a</th><td></td><th scope="col" style="text-align: center">c</th></tr></thead>\n' +
        '<tbody>\n<tr><td>1</td><td>2</td><td style="text-align: center">3</td></tr>\n</tbody>\n</table>\n',
    ],
    [
      'a diagram as a figure',
      'a\n\n![](b_c.png)',
      '<p>a</p>\n<img src="b_c.png" data-figure="true">',
    ],
    ['a diagram among words', 'a ![](b.png)', 'a <img src="b.png" data-figure="false">'],
    ['code literally, which is a mistake', 'a `b*c*`', 'a `b*c*`'],
  ];
  it('with its markup', () => {
    for (const [name, text, expected] of texts) assert.equal(set(text), expected, name);
  });

  it('with the source of an invalid formula and the message of KaTeX', () => {
    const shown = set('Half is $\\fracc{1}{2}$, one is $1$.');
    assert.match(shown, /<code>\$\\fracc\{1\}\{2\}\$<\/code> <span>[^<]*\\fracc/);
    assert.match(shown, /one is <span class="unbroken"><span class="katex">/);
  });

  it('with the source of a formula that is too long or too deeply nested', () => {
    const depth = 4000;
    for (const tex of [`${'{'.repeat(depth)}x${'}'.repeat(depth)}`, 'x'.repeat(100_000)])
      assert.match(set(`$${tex}$`), /^<span class="broken-formula"><code>\$[{x]+/);
  });

  it('without anything that loads or runs because of a formula', () => {
    for (const tex of [
      '\\href{javascript:alert(1)}{x}',
      '\\includegraphics{https://example.org/x.png}',
    ]) {
      assert.doesNotMatch(set(`$${tex}$`), /(href|src)=/);
    }
    assert.doesNotMatch(set('$\\text{<b>x</b>}$'), /<b>/);
  });
});

const { mcq, msq, numerical } = sampleQuestions;

/** How the options of questions are marked. */
async function marksOf(...questions: readonly Question[]): Promise<string[]> {
  const { files } = await compileFiles({ [paperPath]: paperOf(...questions) });
  const paper = files[0] ?? assert.fail();
  const view = { diagram: () => html``, isAnswerFolded: false, facts: [] };
  return paper.questions.map((question, index) => {
    const { text } = questionArticle(paper, question, { index, ...view });
    return Array.from(text.matchAll(/<li class="option ?(\w*)"/g), ([, mark]) => mark).join();
  });
}

describe('A question is shown', () => {
  it('with every right option marked, and no key that is accepted only with others', async () => {
    const marks = await marksOf(
      mcq,
      { ...msq, id: 'q2' },
      { ...numerical, id: 'q3' },
      { ...mcq, id: 'q4', question: 'What is it?', accepted: ['A', 'B'] },
      { ...msq, id: 'q5', question: 'What are they?', answer: 'A', accepted: ['A', 'A,B'] },
    );
    assert.deepEqual(marks, ['right,', 'right,,right', '', 'right,accepted', 'right,,']);
  });
});
