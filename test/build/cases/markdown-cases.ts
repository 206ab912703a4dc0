import { sampleQuestions, shiftPath } from '../bank-folder.ts';
import { png } from '../image-bytes.ts';
import type { RuleCase } from './rule-case.ts';
import { bankOf, invalidText, validTexts } from './text-case.ts';

const hides = (shown: string, sign: string) =>
  `Markdown turns this line into ${shown}, and hides the ${sign} at its start. ${write(sign)}`;
const write = (sign: string) => `Write \\\\${sign} for the character ${sign}.`;
const list = (sign: string) =>
  `Markdown turns this line into a list, and shows a dot instead of the ${sign}. ${write(sign)}`;
const counts = (expected: number, written: string) =>
  `Markdown shows this number as ${expected}, because it numbers list items itself. Write ${written} to keep the number.`;

const subsetCases: readonly RuleCase[] = [
  ...validTexts(
    'markdown',
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
  ),
  invalidText('markdown', '⟦#⟧ of moles', hides('a heading', '#'), '\\#'),
  invalidText('markdown', '⟦>⟧ 5 m', hides('a quotation', '>'), '\\>'),
  invalidText(
    'markdown',
    'Result\n⟦------⟧',
    `Markdown makes the line above a heading. ${write('-')}`,
    '\\------',
  ),
  invalidText('markdown', '⟦***⟧', hides('a line across the page', '*'), '\\*\\*\\*'),
  invalidText('markdown', '⟦-⟧ 3 m/s', list('-'), '\\-'),
  invalidText('markdown', '⟦+⟧', list('+'), '\\+'),
  invalidText('markdown', '⟦*⟧ Take $g = 10$.', list('*'), '\\*'),
  invalidText('markdown', '1. One\n⟦3.⟧ Three', counts(2, '3\\\\.'), '3\\.'),
  invalidText('markdown', '⟦007)⟧ Bond', counts(7, '007\\\\)'), '007\\)'),
  invalidText(
    'markdown',
    "⟦`A' and `⟧B'",
    'Code is not supported. Write \\\\` for the character `.',
    "\\`A' and \\`",
  ),
  invalidText('markdown', '⟦```\nint a;\n```⟧', 'Code is not supported. Write \\\\` for the character `.'),
  invalidText(
    'markdown',
    '⟦    int⟧ a;',
    'Markdown reads a line that begins with four spaces as code. Remove the spaces.',
    'int',
  ),
  invalidText(
    'markdown',
    'In ⟦[Co(NH_3)_6](NO_3)⟧ it is',
    'Markdown makes this a link, and hides its second part. Write \\\\] for the first closing bracket.',
    '[Co(NH_3)_6\\](NO_3)',
  ),
  invalidText(
    'markdown',
    '⟦[A]: true⟧',
    'Markdown hides this line: it is the address of a link. Write \\\\] for the bracket.',
    '[A\\]: true',
  ),
  invalidText(
    'markdown',
    'At ⟦<https://example.org>⟧.',
    'Links are not supported. Write the address without < and >.',
    'https://example.org',
  ),
  invalidText(
    'markdown',
    `- a\n${'- '.repeat(6)}⟦${'- '.repeat(3)}a⟧`,
    'Lists are nested too deeply here. Use fewer levels.',
  ),
  invalidText(
    'markdown',
    `⟦${'a '.repeat(10_000)}*b*⟧`,
    'This text is too long for Markdown. Split it, or use no Markdown.',
  ),
  invalidText(
    'markdown',
    '|a|b|\n|-|-|\n|1|2⟦|3|⟧',
    'The header of this table has 2 cells. Markdown hides additional cells of a row.',
  ),
  invalidText(
    'markdown',
    '|a|b|\n|-|-|\n|1|2|\n⟦Which is right?⟧',
    'Markdown makes this line a row of the table above. Leave a blank line after the table.',
    '\nWhich is right?',
  ),
  invalidText(
    'markdown',
    '|a|b|\n⟦|-|-|-|⟧\n|1|2|',
    'This is not a table, because the line above does not have the same number of cells.',
  ),
];

const shown = (style: string) =>
  `Markdown makes this ${style} and hides the asterisks. Write \\\\* for an asterisk.`;
const unpaired =
  'Bold words are between two pairs of asterisks, but one pair is missing. Add it, or write \\\\*\\\\* for two asterisks.';

const emphasisCases: readonly RuleCase[] = [
  ...validTexts(
    'emphasis',
    'Which is **not** *true*?',
    '**Assertion (A):** Ice floats. **Reason** (R): it is *less* dense.',
    '5 * 3 * 2 and 2**3 and a ** b',
    'the conjugate z* of z, and *p or *q',
    '2\\*x\\*3',
    '$a*b*c$',
    '以下**不正确**的是',
  ),
  invalidText('emphasis', '2⟦*x*⟧3', shown('italic'), '\\*x\\*'),
  invalidText('emphasis', 'z⟦*w and w*⟧z', shown('italic'), '\\*w and w\\*'),
  invalidText('emphasis', '(a)⟦*(b)*⟧(c)', shown('italic'), '\\*(b)\\*'),
  invalidText('emphasis', '$a$⟦*$b*1$*⟧$c$', shown('italic'), '\\*$b*1$\\*'),
  invalidText('emphasis', 'x⟦**2 + y**⟧2', shown('bold'), '\\*\\*2 + y\\*\\*'),
  invalidText(
    'emphasis',
    'Find the ⟦** incorrect **⟧ one.',
    'This is not bold, because there are spaces between the words and the asterisks.',
    '**incorrect**',
  ),
  invalidText(
    'emphasis',
    '⟦**Note:**⟧Take $g = 10$.',
    'This is not bold, because Markdown needs a space after the last asterisks.',
    '**Note:** ',
  ),
  invalidText('emphasis', '⟦**⟧Note: take $g = 10$.', unpaired),
  invalidText('emphasis', 'Note:⟦**⟧ take $g = 10$.', unpaired),
];

const bare =
  'Leave the square brackets empty, and write only the file name in the parentheses. The alternative text belongs in "diagrams".';
const drawn = (question: string) => ({
  ...bankOf({ ...sampleQuestions.mcq, question, diagrams: [{ file: 'q1_a.png', alt: 'A ruler.' }] }),
  [`${shiftPath}/diagrams/q1_a.png`]: png(2, 2),
});
/** Cases of a question with a diagram. */
const withDiagram = (cases: readonly RuleCase[]): RuleCase[] =>
  cases.map((one) => {
    const [paper] = Object.values(one.files).filter(
      (file) => typeof file === 'object' && 'questions' in file,
    );
    const { questions } = paper as { readonly questions: readonly { readonly question: string }[] };
    return { ...one, files: drawn(questions[0]?.question ?? '') };
  });

const placeCases: readonly RuleCase[] = withDiagram([
  ...validTexts(
    'diagram-place',
    'Look:\n\n![](q1_a.png)\n\nHow long is it?',
    '![A ruler.](q1_a.png)',
    'Really! [1] (2)',
    '| a |\n|---|\n| ![](q1_a.png) |',
  ),
  invalidText('diagram-place', '⟦![A bar](q1_a.png)⟧ is', bare, '![](q1_a.png)'),
  invalidText('diagram-place', '⟦![](q1_a.png "A ruler.")⟧ is', bare, '![](q1_a.png)'),
  invalidText('diagram-place', '![](q1_a.png) or ⟦![](q1_a.png)⟧', 'This diagram is already in this text.'),
  invalidText(
    'diagram-place',
    '⟦![](q1_b.png)⟧',
    'The question does not list the diagram q1_b.png. Add it to "diagrams" of the question.',
    '![](q1_a.png)',
  ),
  invalidText(
    'diagram-place',
    '⟦![](https://example.org/a.png)⟧',
    'Texts can contain only diagrams of the bank. Put the file into the folder "diagrams", list it in "diagrams" of the question, and write its name here.',
  ),
  invalidText(
    'diagram-place',
    '⟦![](q1 a.png)⟧',
    'This does not insert a diagram. Write ![](file), with a file name without spaces.',
  ),
]);

const many = 'More than one blank line is shown as one. Write two line breaks.';

const blankLineCases: readonly RuleCase[] = [
  ...validTexts('blank-lines', 'One.\n\nTwo.', '$$\n\n\n\na$$'),
  invalidText('blank-lines', 'One.⟦\n\n\n⟧Two.', many, '\n\n'),
  invalidText('blank-lines', 'One.⟦\n \n \n⟧Two.', many, '\n\n'),
];

/** Cases of the rules on Markdown. */
export const markdownCases: readonly RuleCase[] = [
  ...subsetCases,
  ...emphasisCases,
  ...placeCases,
  ...blankLineCases,
];
