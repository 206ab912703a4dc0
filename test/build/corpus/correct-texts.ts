import { type ChangedBank, edit } from './broken-bank.ts';

const stem = 'Which part of a plant cell holds chlorophyll?';

/** The question on chlorophyll with another text. */
const inStem = (title: string, text: string): ChangedBank => ({
  title,
  edits: [edit('biology', stem, text)],
});

/** Correct texts with signs that mean something in Markdown, LaTeX or HTML. */
export const correctTexts: readonly ChangedBank[] = [
  inStem('blanks to fill in', 'The (____) holds the (____).\\n____ is green; ______ is not.'),
  inStem('names with underscores', 'Does v_max of _Elodea_ depend on file_name_1?'),
  inStem('products, powers and footnotes with asterisks', '5 * 3 * 2 = 30, 2**5 = 32, z* and *p are given*.'),
  inStem('comparisons', 'If x<y and y>z, or a < b > c, is n > 5, List<String> or #3 right?'),
  inStem('bars', 'P(A|B) and |x| + |y|, or $|x| \\\\mid \\\\|v\\\\|$ | neither'),
  inStem('brackets', '[ML] (see [1]) and [Fe(CN)6]4- (aq): which?'),
  inStem('statements with numbers in brackets', '(1) One\\n(2) Two\\n(a) and (b)\\nI. One\\nII. Two'),
  inStem('a list with numbers, and a question directly below', '1. One\\n2. Two\\nWhich is right?'),
  inStem('a list of points', `Given:\\n\\n- a leaf\\n- a root\\n\\n${stem}`),
  inStem('bold and italic words', '**Assertion (A):** *Elodea* is **not** green. **Reason** (R): it is.'),
  inStem('bold words in a language without spaces', '以下哪项**不正确**？请*选择*。'),
  inStem(
    'a table with formulas that have bars',
    'Match.\\n\\n| Column I | Column II |\\n|---|:-:|\\n| $|x|$ | **leaf** |\\n| (b) |\\n\\nWhich?',
  ),
  inStem('escaped signs of Markdown', '2\\\\*x\\\\*3, \\\\# 5, \\\\> 5 and 1984\\\\. It was.'),
  inStem('signs of Markdown in a formula', '$\\n- 3 * x * y\\n> 5\\n$ and $a*b*c$ [x]'),
  {
    title: 'a diagram in its place in the text',
    edits: [
      edit(
        'physics',
        'In the circuit shown, the battery',
        'Look:\\n\\n![](neet-2024-05-05-s1-physics-02-circuit.svg)\\n\\nThe battery',
      ),
    ],
  },
  {
    title: 'an environment in a display formula, with its line breaks',
    edits: [
      edit('mathematics', '\\\\cos x\\n$$', '\\\\begin{cases} x & x > 0 \\\\\\\\ 0 \\\\end{cases}\\n$$'),
    ],
  },
  {
    title: 'chemical equations and quantities with units',
    edits: [
      edit('biology', '"Nucleus"', '"$\\\\ce{2H2 + O2 ->[\\\\Delta] 2H2O v}$"'),
      edit('biology', '"Chloroplast"', '"$\\\\pu{6.022e23 mol-1}$"'),
    ],
  },
];
