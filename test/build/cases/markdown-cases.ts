import { sampleQuestions } from '../bank-folder.ts';
import { png } from '../image-bytes.ts';
import { acceptsTexts, type Cases, drawnBank, isQuestion, type RuleCase, rejects, rejectsText } from './rule-case.ts';

const hides = (shown: string, sign: string) =>
  `Markdown turns this line into ${shown}, and hides the ${sign} at its start. ${write(sign)}`;
const write = (sign: string) => `Write \\\\${sign} for the character ${sign}.`;
const list = (sign: string) =>
  `Markdown turns this line into a list, and shows a dot instead of the ${sign}. ${write(sign)}`;
const counts = (expected: number, written: string) =>
  `Markdown shows this number as ${expected}, because it numbers list items itself. Write ${written} to keep the number.`;

const subsetCases: readonly RuleCase[] = [
  ...acceptsTexts(
    'One.\n\nTwo.\nThree.',
    '5 > 3, 3 < 5 and #2 of [A] (see [B])',
    'x<y and y>z, List<String>',
    'Fill in: ____ and (____).\n____\nsnake_case_name and _x_',
    '1. One\n2. Two\nWhich is right?',
    '(1) One\n(2) Two',
    '3. Three\n4. Four',
    '- one\n- two\n  - inner',
    '-3, −3 and +3',
    '| $|x|$ | y |\n|---|:-:|\n| 1 | 2 |\n| 3 |\n\nEnd.',
    'P(A | B) and |x|',
    '\\# one \\> two \\- three',
    '$\n- 3\n> 5$ is a formula',
    '5 * 3 * 2 = 30, z* and *p are given*.',
    'Given:\n\n- a leaf\n- a root\n\nWhich?',
    '2\\*x\\*3, \\# 5, \\> 5 and 1984\\. It was.',
  ),
  rejectsText('⟦#⟧ of moles', hides('a heading', '#'), '\\#'),
  rejectsText('⟦>⟧ 5 m', hides('a quotation', '>'), '\\>'),
  rejectsText('Result\n⟦------⟧', `Markdown makes the line above a heading. ${write('-')}`, '\\------'),
  rejectsText('⟦***⟧', hides('a line across the page', '*'), '\\*\\*\\*'),
  rejectsText('⟦-⟧ 3 m/s', list('-'), '\\-'),
  rejectsText('⟦+⟧', list('+'), '\\+'),
  rejectsText('⟦*⟧ Take $g = 10$.', list('*'), '\\*'),
  rejectsText('1. One\n⟦3.⟧ Three', counts(2, '3\\\\.'), '3\\.'),
  rejectsText('⟦007)⟧ Bond', counts(7, '007\\\\)'), '007\\)'),
  rejectsText("⟦`A' and `⟧B'", 'Code is not supported. Write \\\\` for the character `.', "\\`A' and \\`"),
  rejectsText('⟦```\nint a;\n```⟧', 'Code is not supported. Write \\\\` for the character `.'),
  rejectsText('⟦    int⟧ a;', 'Markdown reads a line that begins with four spaces as code. Remove the spaces.', 'int'),
  rejectsText(
    'In ⟦[Co(NH_3)_6](NO_3)⟧ it is',
    'Markdown makes this a link, and hides its second part. Write \\\\] for the first closing bracket.',
    '[Co(NH_3)_6\\](NO_3)',
  ),
  rejectsText(
    '⟦[A]: true⟧',
    'Markdown hides this line: it is the address of a link. Write \\\\] for the bracket.',
    '[A\\]: true',
  ),
  rejectsText(
    'At ⟦<https://example.org>⟧.',
    'Links are not supported. Write the address without < and >.',
    'https://example.org',
  ),
  rejectsText(`- a\n${'- '.repeat(6)}⟦${'- '.repeat(3)}a⟧`, 'Lists are nested too deeply here. Use fewer levels.'),
  rejectsText(`⟦${'a '.repeat(10_000)}*b*⟧`, 'This text is too long for Markdown. Split it, or use no Markdown.'),
  rejectsText(
    '|a|b|\n|-|-|\n|1|2⟦|3|⟧',
    'The header of this table has 2 cells. Markdown hides additional cells of a row.',
  ),
  rejectsText(
    '|a|b|\n|-|-|\n|1|2|\n⟦Which is right?⟧',
    'Markdown makes this line a row of the table above. Leave a blank line after the table.',
    '\nWhich is right?',
  ),
  rejectsText(
    '|a|b|\n⟦|-|-|-|⟧\n|1|2|',
    'This is not a table, because the line above does not have the same number of cells.',
  ),
];

const shown = (style: string) => `Markdown makes this ${style} and hides the asterisks. Write \\\\* for an asterisk.`;
const unpaired =
  'Bold words are between two pairs of asterisks, but one pair is missing. Add it, or write \\\\*\\\\* for two asterisks.';

const emphasisCases: readonly RuleCase[] = [
  ...acceptsTexts(
    'Which is **not** *true*?',
    '**Assertion (A):** Ice floats. **Reason** (R): it is *less* dense.',
    '5 * 3 * 2 and 2**3 and a ** b',
    'the conjugate z* of z, and *p or *q',
    '2\\*x\\*3',
    '$a*b*c$',
    '以下**不正确**的是',
  ),
  rejectsText('2⟦*x*⟧3', shown('italic'), '\\*x\\*'),
  rejectsText('z⟦*w and w*⟧z', shown('italic'), '\\*w and w\\*'),
  rejectsText('(a)⟦*(b)*⟧(c)', shown('italic'), '\\*(b)\\*'),
  rejectsText('$a$⟦*$b*1$*⟧$c$', shown('italic'), '\\*$b*1$\\*'),
  rejectsText('x⟦**2 + y**⟧2', shown('bold'), '\\*\\*2 + y\\*\\*'),
  rejectsText(
    'Find the ⟦** incorrect **⟧ one.',
    'This is not bold, because there are spaces between the words and the asterisks.',
    '**incorrect**',
  ),
  rejectsText(
    '⟦**Note:**⟧Take $g = 10$.',
    'This is not bold, because Markdown needs a space after the last asterisks.',
    '**Note:** ',
  ),
  rejectsText('⟦**⟧Note: take $g = 10$.', unpaired),
  rejectsText('Note:⟦**⟧ take $g = 10$.', unpaired),
  rejects(
    'two bold words that nothing ends',
    { ...sampleQuestions.mcq, question: 'Is ⟦**⟧one or ⟦**⟧two right?' },
    ...[unpaired, unpaired].map((message) => ({ message, pointer: '/question' })),
  ),
];

const bare =
  'Leave the square brackets empty, and write only the file name in the parentheses. The alternative text belongs in "diagrams".';
/** Cases of a question with a diagram. */
const withDiagram = (cases: readonly RuleCase[]): RuleCase[] =>
  cases.map((one) => {
    const question = isQuestion(one.content) ? one.content.question : '';
    const found = one.found.map((finding) => ({ ...finding, pointer: '/questions/0/question' }));
    return { ...one, content: drawnBank(['q1_a.png'], { 'q1_a.png': png(2, 2) }, { question }), found };
  });

const placeCases: readonly RuleCase[] = withDiagram([
  ...acceptsTexts(
    'Look:\n\n![](q1_a.png)\n\nHow long is it?',
    '![A ruler of 30 cm.](q1_a.png)',
    'Really! [1] (2)',
    '| a |\n|---|\n| ![](q1_a.png) |',
  ),
  rejectsText('⟦![A bar](q1_a.png)⟧ is', bare, '![](q1_a.png)'),
  rejectsText('⟦![](q1_a.png "A ruler.")⟧ is', bare, '![](q1_a.png)'),
  rejectsText('![](q1_a.png) or ⟦![](q1_a.png)⟧', 'This diagram is already in this text.'),
  rejectsText(
    '⟦![](q1_b.png)⟧',
    'The question does not list the diagram q1_b.png. Add it to "diagrams" of the question.',
    '![](q1_a.png)',
  ),
  rejectsText(
    '⟦![](https://example.org/a.png)⟧',
    'Texts can contain only diagrams of the bank. Put the file into the folder "diagrams", list it in "diagrams" of the question, and write its name here.',
  ),
  rejectsText('⟦![](q1 a.png)⟧', 'This does not insert a diagram. Write ![](file), with a file name without spaces.'),
]);

const many = 'More than one blank line is shown as one. Write two line breaks.';

const blankLineCases: readonly RuleCase[] = [
  ...acceptsTexts('One.\n\nTwo.', '$$\n\n\n\na$$'),
  rejectsText('One.⟦\n\n\n⟧Two.', many, '\n\n'),
  rejectsText('One.⟦\n \n \n⟧Two.', many, '\n\n'),
];

export const markdownCases: Cases = {
  markdown: subsetCases,
  emphasis: emphasisCases,
  'diagram-place': placeCases,
  'blank-lines': blankLineCases,
};
