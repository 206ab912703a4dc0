import { type BrokenBank, edit } from './broken-bank.ts';

const chlorophyll = 'Which part of a plant cell holds chlorophyll?';
const circuit = 'In the circuit shown, the battery';
const drawing = 'neet-2024-05-05-s1-physics-02-circuit.svg';

/** A mistake in the question on chlorophyll, or in its first option. */
const inStem = (wrong: string) => ({
  edits: [edit('biology', chlorophyll, wrong)],
  pointer: '/questions/1/question',
});
const inOption = (wrong: string) => ({
  edits: [edit('biology', '"Nucleus"', `"${wrong}"`)],
  pointer: '/questions/1/options/0/value',
});

/** Mistakes in the Markdown of texts. */
export const brokenMarkdown: readonly BrokenBank[] = [
  {
    title: 'an option with a greater-than sign, which Markdown reads as a quotation',
    rule: 'markdown',
    ...inOption('⟦>⟧ 5 m'),
    message: 'hides the > at its start',
    suggestion: '\\>',
  },
  {
    title: 'an option with a minus sign and a space, which Markdown reads as a list',
    rule: 'markdown',
    ...inOption('⟦-⟧ 3 m/s'),
    message: 'shows a dot instead of the -',
    suggestion: '\\-',
  },
  {
    title: 'an option that is a plus sign',
    rule: 'markdown',
    ...inOption('⟦+⟧'),
    message: 'shows a dot instead of the +',
    suggestion: '\\+',
  },
  {
    title: 'a footnote with an asterisk',
    rule: 'markdown',
    ...inStem(`${chlorophyll}\\n⟦*⟧ of a leaf`),
    message: 'shows a dot instead of the *',
    suggestion: '\\*',
  },
  {
    title: 'a number sign at the start of a line, which Markdown reads as a heading',
    rule: 'markdown',
    ...inStem(`⟦#⟧ of cells with chlorophyll?`),
    message: 'turns this line into a heading',
    suggestion: '\\#',
  },
  {
    title: 'a line of hyphens, which makes a heading of the line above',
    rule: 'markdown',
    ...inStem(`Cells\\n⟦-----⟧\\n${chlorophyll}`),
    message: 'makes the line above a heading',
    suggestion: '\\-----',
  },
  {
    title: 'a line of asterisks',
    rule: 'markdown',
    ...inStem(`Cells\\n\\n⟦* * *⟧\\n\\n${chlorophyll}`),
    message: 'turns this line into a line across the page',
    suggestion: '\\* \\* \\*',
  },
  {
    title: 'a list whose numbers Markdown changes',
    rule: 'markdown',
    ...inStem('Which are cells?\\n1. One\\n⟦3.⟧ Two'),
    message: 'shows this number as 2',
    suggestion: '3\\.',
  },
  {
    title: 'quotes of LaTeX, which Markdown reads as code',
    rule: 'markdown',
    ...inStem("Which holds ⟦`chlorophyll' and `⟧starch'?"),
    message: 'Code is not supported.',
    suggestion: "\\`chlorophyll' and \\`",
  },
  {
    title: 'a block of code',
    rule: 'markdown',
    ...inStem('What is printed?\\n⟦```\\nprint(1)\\n```⟧'),
    message: 'Code is not supported.',
  },
  {
    title: 'a paragraph that begins with four spaces',
    rule: 'markdown',
    ...inStem(`Cells.\\n\\n⟦    Which⟧ holds chlorophyll?`),
    message: 'a line that begins with four spaces as code',
    suggestion: 'Which',
  },
  {
    title: 'a complex and its ion, which Markdown reads as a link',
    rule: 'markdown',
    ...inOption('⟦[Co(NH3)6](NO3)⟧'),
    message: 'makes this a link',
    suggestion: '[Co(NH3)6\\](NO3)',
  },
  {
    title: 'a link',
    rule: 'markdown',
    ...inStem('Which holds ⟦[chlorophyll](https://example.org)⟧?'),
    message: 'makes this a link',
    suggestion: '[chlorophyll\\](https://example.org)',
  },
  {
    title: 'an address between angle brackets',
    rule: 'markdown',
    ...inStem('See ⟦<https://example.org>⟧.'),
    message: 'Links are not supported.',
    suggestion: 'https://example.org',
  },
  {
    title: 'a statement that Markdown reads as the address of a link',
    rule: 'markdown',
    ...inStem(`${chlorophyll}\\n\\n⟦[A]: Nucleus⟧`),
    message: 'hides this line',
    suggestion: '[A\\]: Nucleus',
  },
  {
    title: 'a row with more cells than the header of its table',
    rule: 'markdown',
    ...inStem('Match.\\n\\n| I | II |\\n|---|---|\\n| leaf | root ⟦| stem |⟧'),
    message: 'The header of this table has 2 cells.',
  },
  {
    title: 'a sentence directly below a table',
    rule: 'markdown',
    ...inStem('| I | II |\\n|---|---|\\n| leaf | root |\\n⟦Which match?⟧'),
    message: 'makes this line a row of the table above',
    suggestion: '\nWhich match?',
  },
  {
    title: 'a table whose second line has too few cells',
    rule: 'markdown',
    ...inStem('| I | II | III |\\n⟦|---|---|⟧\\n| leaf | root | stem |'),
    message: 'This is not a table',
  },
  {
    title: 'a product with asterisks, which Markdown reads as italics',
    rule: 'emphasis',
    ...inOption('2⟦*3*⟧4'),
    message: 'makes this italic',
    suggestion: '\\*3\\*',
  },
  {
    title: 'powers with two asterisks, which Markdown reads as bold',
    rule: 'emphasis',
    ...inOption('x⟦**2 + y**⟧2'),
    message: 'makes this bold',
    suggestion: '\\*\\*2 + y\\*\\*',
  },
  {
    title: 'bold words with spaces inside the asterisks',
    rule: 'emphasis',
    ...inStem('Which is ⟦** not **⟧ a cell?'),
    message: 'there are spaces between the words and the asterisks',
    suggestion: '**not**',
  },
  {
    title: 'bold words without a space after them',
    rule: 'emphasis',
    ...inStem('⟦**Note:**⟧which holds chlorophyll?'),
    message: 'needs a space after the last asterisks',
    suggestion: '**Note:** ',
  },
  {
    title: 'bold words that nothing ends',
    rule: 'emphasis',
    ...inStem('Which is ⟦**⟧not a cell?'),
    message: 'one pair is missing',
  },
  {
    title: 'an image of another site',
    rule: 'diagram-place',
    edits: [edit('physics', circuit, `⟦![](https://example.org/circuit.png)⟧ ${circuit}`)],
    pointer: '/questions/1/question',
    message: 'Texts can contain only diagrams of the bank.',
  },
  {
    title: 'a diagram that the question does not list',
    rule: 'diagram-place',
    edits: [edit('physics', circuit, `⟦![](${drawing.replace('circuit', 'circus')})⟧ ${circuit}`)],
    pointer: '/questions/1/question',
    message: 'The question does not list the diagram',
    suggestion: `![](${drawing})`,
  },
  {
    title: 'a placed diagram with another alternative text',
    rule: 'diagram-place',
    edits: [edit('physics', circuit, `⟦![A lamp](${drawing})⟧ ${circuit}`)],
    pointer: '/questions/1/question',
    message: 'Leave the square brackets empty',
    suggestion: `![](${drawing})`,
  },
  {
    title: 'a diagram placed twice',
    rule: 'diagram-place',
    edits: [edit('physics', circuit, `![](${drawing}) ⟦![](${drawing})⟧ ${circuit}`)],
    pointer: '/questions/1/question',
    message: 'This diagram is already in this text.',
  },
  {
    title: 'several blank lines',
    rule: 'blank-lines',
    severity: 'warning',
    ...inStem(`Cells.⟦\\n\\n\\n⟧${chlorophyll}`),
    message: 'More than one blank line is shown as one.',
    suggestion: '\n\n',
  },
  {
    title: 'a line break of LaTeX outside a formula',
    rule: 'latex-outside-formula',
    severity: 'warning',
    ...inStem(`Cells.⟦ \\\\\\\\ ⟧${chlorophyll}`),
    message: 'This is a LaTeX line break',
    suggestion: '\n',
  },
  {
    title: 'an environment that dollars divide',
    rule: 'formula-delimiters',
    edits: [
      edit('mathematics', '"$x^2$"', '"⟦$\\\\begin{cases} 1 & x > 0$ \\\\\\\\ $0 & x < 0 \\\\end{cases}$⟧"'),
    ],
    pointer: '/questions/0/options/0/value',
    message: 'There are dollar signs between \\begin{cases} and \\end{cases}.',
    suggestion: '$\\begin{cases} 1 & x > 0 \\\\ 0 & x < 0 \\end{cases}$',
  },
  {
    title: 'a chemical formula with an open brace',
    rule: 'formula',
    edits: [edit('biology', '"Nucleus"', '"$\\\\ce⟦{⟧SO4^2-$"')],
    pointer: '/questions/1/options/0/value',
    message: '{ is not closed',
  },
];
