/** Cases of the rules on texts and formulas. Those of one text with at most one problem are in texts.json. */
import type { TranslationFile } from '../../../build/content/written.ts';
import { examPath, paperOf, sampleExam, sampleQuestions, shiftPath } from '../bank-folder.ts';
import { png } from '../image-bytes.ts';
import {
  accepts,
  acceptsTexts,
  bankOf,
  type Cases,
  drawnBank,
  isQuestion,
  type RuleCase,
  rejects,
  rejectsText,
} from './rule-case.ts';
import texts from './texts.json' with { type: 'json' };

const { mcq } = sampleQuestions;

/** Texts of a rule: the valid ones, and by its message each invalid one, with the suggestion. */
interface Texts {
  readonly valid: readonly string[];
  readonly invalid: Readonly<Record<string, Readonly<Record<string, string | null>>>>;
}

/** The cases of a rule. In a message, {} stands for the marked part of the text, and {tag} for the tag in it. */
function listed({ valid, invalid }: Texts): RuleCase[] {
  const cases = Object.entries(invalid).flatMap(([message, marked]) =>
    Object.entries(marked).map(([text, suggestion]) => {
      const [, part = ''] = /⟦(.*)⟧/s.exec(text) ?? [];
      const [, tag = ''] = /<\/?([\w:]+)/.exec(part) ?? [];
      const said = message.replace('{}', () => part).replace('{tag}', tag);
      return rejectsText(text, said, suggestion ?? undefined);
    }),
  );
  return [...acceptsTexts(...valid), ...cases];
}

/** Cases of a question with a diagram. */
function withDiagram(cases: readonly RuleCase[]): RuleCase[] {
  return cases.map((one) => {
    const question = isQuestion(one.content) ? one.content.question : '';
    const found = one.found.map((finding) => ({ ...finding, pointer: '/questions/0/question' }));
    return {
      ...one,
      content: drawnBank(['q1_a.png'], { 'q1_a.png': png(2, 2) }, { question }),
      found,
    };
  });
}

function unescapedCommand(command: string, written: string, name: string): string {
  return `JSON reads the ${written} of ${command} as ${name}. Write two backslashes.`;
}

const invisible = (names: string) => `${names} is invisible here. Remove it.`;
const notNfc = 'This looks right but is stored in a form that searches do not find. Type it again.';
const unknown = (command: string) => `Unknown command ${command}.`;
const noSign = (character: string) =>
  `KaTeX renders ${character} in another font. Put words in \\text{...}.`;
const unpaired =
  'Bold words are between two pairs of asterisks, but one pair is missing. Add it, or write \\\\*\\\\* for two asterisks.';

/** A paper and its translation with an invisible character in every text. */
const soft = (text: string) => `${text}⟦\u00ad⟧s`;
const paper = {
  ...paperOf({
    ...{
      ...mcq,
      number: soft('1'),
      section: soft('A'),
      passage: 'p1',
      question: soft('Which unit'),
    },
    options: [
      { key: 'A', label: soft('1'), value: soft('metre') },
      { key: 'B', label: '2', diagram: { file: 'q1.png', alt: soft('A ruler') } },
    ],
    ...{
      solution: soft('It i'),
      topic: soft('Unit'),
      diagrams: [{ file: 'q1-b.png', alt: soft('A line') }],
    },
  }),
  passages: [
    { id: 'p1', text: soft('A train'), diagrams: [{ file: 'p1.png', alt: soft('Train') }] },
  ],
};
const translation: TranslationFile = {
  ...{ lastUpdated: paper.lastUpdated },
  passages: [{ id: 'p1', text: soft('Ein Zug'), diagrams: [{ file: 'p1.png', alt: soft('Zug') }] }],
  questions: [
    {
      ...{ id: 'q1', question: soft('Welche Einheit'), solution: soft('Sie i') },
      options: [
        { key: 'A', value: soft('Meter') },
        { key: 'B', diagram: { file: 'q1.png', alt: soft('Lineal') } },
      ],
      diagrams: [{ file: 'q1-b.png', alt: soft('Eine Linie') }],
    },
  ],
};
const translationPath = `${shiftPath}/physics.de.json`;
const diagrams = ['q1.png', 'q1-b.png', 'p1.png'].map((file) => [
  `${shiftPath}/diagrams/${file}`,
  png(2, 2),
]);
const passageTexts = ['/passages/0/text', '/passages/0/diagrams/0/alt'];

const everyText: RuleCase = rejects(
  'an invisible character in every text of a paper and a translation',
  bankOf(paper, { [translationPath]: translation, ...Object.fromEntries(diagrams) }),
  ...[
    ...passageTexts,
    ...['question', 'solution', 'options/0/value', 'options/1/diagram/alt', 'diagrams/0/alt'].map(
      (text) => `/questions/0/${text}`,
    ),
  ].map((pointer) => ({ message: invisible('U+00AD'), file: translationPath, pointer })),
  ...[
    'question',
    'options/0/label',
    'options/0/value',
    'options/1/diagram/alt',
    'topic',
    'number',
    'section',
  ]
    .concat('solution', 'diagrams/0/alt')
    .map((text) => `/questions/0/${text}`)
    .concat(passageTexts)
    .map((pointer) => ({ message: invisible('U+00AD'), pointer })),
);

export const textCases: Cases = {
  html: [
    ...listed(texts.html),
    accepts(
      'HTML in the label of an exam, which is shown literally',
      bankOf(paperOf(sampleQuestions.mcq), {
        [examPath]: { ...sampleExam, label: 'NEET <b> & $' },
      }),
    ),
  ],
  'half-characters': listed(texts['half-characters']),
  'control-characters': [
    ...listed(texts['control-characters']),
    rejects(
      'each command without its backslash',
      { ...mcq, question: '$⟦\tau⟧ ⟦\times⟧ ⟦\beta⟧$' },
      ...[
        ['\\tau', '\\t', 'a tab'],
        ['\\times', '\\t', 'a tab'],
        ['\\beta', '\\b', 'the control character U+0008'],
      ].map(([command = '', written = '', name = '']) => ({
        ...{
          message: unescapedCommand(command, written, name),
          pointer: '/question',
          suggestion: command,
        },
      })),
    ),
    rejects(
      'tabs between formulas, as those of a table',
      { ...mcq, question: '$a$⟦\t⟧$b$⟦\t⟧$c$' },
      ...Array(2).fill({
        message:
          'Tabs separate the cells of these lines, but Markdown does not show a table. ' +
          'Write one: | a | b |, with | --- | --- | below its first line.',
        pointer: '/question',
      }),
    ),
  ],
  'private-use-characters': listed(texts['private-use-characters']),
  'invisible-characters': [...listed(texts['invisible-characters']), everyText],
  mojibake: listed(texts.mojibake),
  nfc: [
    ...listed(texts.nfc),
    rejectsText(`e⟦${'\u0334\u0323'.repeat(6)}⟧`, 'No letter has so many accents. Remove them.'),
    // A letter of Hebrew, Tibetan, Vietnamese and Devanagari each, with as many marks as printed texts have.
    ...acceptsTexts('בּ\u05b8\u0591\u05bd ་རྒྱུ\u0f7e ệ र्त्स्न्या'.normalize('NFC')),
    rejects(
      'the label of an exam, the display name of a subject and a listed topic',
      bankOf(paperOf(mcq), {
        [examPath]: {
          label: 'Caf⟦e\u0301⟧',
          subjects: ['physics', { code: 'cs', label: '⟦e\u0301⟧' }],
          topics: { physics: ['Units', '⟦e\u0301⟧'] },
        },
      }),
      ...['/label', '/subjects/1/label', '/topics/physics/1'].map((pointer) => ({
        ...{ message: notNfc, file: examPath, pointer, suggestion: '\u00e9' },
      })),
    ),
  ],
  'formula-delimiters': listed(texts['formula-delimiters']),
  'latex-outside-formula': listed(texts['latex-outside-formula']),
  'smart-quotes': listed(texts['smart-quotes']),
  formula: [
    ...listed(texts.formula),
    rejectsText(
      `$⟦${'{'.repeat(5000)}${'}'.repeat(5000)}⟧$`,
      'This formula is nested too deeply. Simplify it.',
    ),
    rejectsText(
      `$⟦${'{'.repeat(5_001)}${'}'.repeat(5_001)}⟧$`,
      'This formula is longer than 10000 characters. Split it.',
    ),
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
    ...listed(texts['formula-characters']),
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
        related: ['0', '1'].map((index) => ({
          message: 'Here, too.',
          pointer: `/questions/0/options/${index}/value`,
        })),
      },
    ),
  ],
  markdown: [...listed(texts.markdown)],
  emphasis: [
    ...listed(texts.emphasis),
    rejects(
      'two bold words that nothing ends',
      { ...sampleQuestions.mcq, question: 'Is ⟦**⟧one or ⟦**⟧two right?' },
      ...[unpaired, unpaired].map((message) => ({ message, pointer: '/question' })),
    ),
  ],
  'diagram-place': withDiagram(listed(texts['diagram-place'])),
  'blank-lines': listed(texts['blank-lines']),
};
