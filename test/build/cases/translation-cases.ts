import type { Question } from '../../../build/content/written.ts';
import { type Files, paperOf, sampleQuestions, shiftPath } from '../bank-folder.ts';
import { png } from '../image-bytes.ts';
import { accepts, bankOf, type Cases, type Found, rejects } from './rule-case.ts';

const { mcq, msq, numerical } = sampleQuestions;
const hindi = `${shiftPath}/physics.hi.json`;
const question = {
  ...{ id: 'q1', question: 'लंबाई का मात्रक क्या है?' },
  options: [
    { key: 'A', value: 'मीटर' },
    { key: 'B', value: 'सेकंड' },
  ],
};
const square = { id: 'q1', question: '$-1.5$ का वर्ग क्या है?' };
const translation = (...questions: object[]) => ({
  lastUpdated: '2024-06-01T10:00:00Z',
  questions,
});

/** A paper of these questions and its translation. */
function translated(originals: readonly Question[], ...translations: object[]): Files {
  return bankOf(paperOf(...originals), { [hindi]: translation(...translations) });
}

const inHindi = (pointer: string, message: string, more: Partial<Found> = {}): Found => ({
  ...{ file: hindi, pointer, message },
  ...more,
});

/** A question and a passage, each with a diagram, and one of an option. */
const diagram = (file: string, alt?: string) => ({ file, ...(alt !== undefined && { alt }) });
const drawn = {
  ...paperOf({
    ...{ ...mcq, passage: 'p1', diagrams: [diagram('q1-axes.png', 'Two axes.')] },
    options: [
      { key: 'A', value: 'metre' },
      { key: 'B', diagram: diagram('q1-b.png', 'A parabola.') },
    ],
  }),
  passages: [
    { id: 'p1', text: 'A train leaves at noon.', diagrams: [diagram('p1.png', 'A train.')] },
  ],
};
const images = Object.fromEntries(
  ['q1-axes.png', 'q1-b.png', 'p1.png'].map((file) => [`${shiftPath}/diagrams/${file}`, png(2, 2)]),
);
const drawnInHindi = {
  ...question,
  diagrams: [diagram('q1-axes.png', 'दो अक्ष')],
  options: [question.options[0], { key: 'B', diagram: diagram('q1-b.png', 'एक परवलय') }],
};
const passageInHindi = { id: 'p1', text: 'एक रेल चलती है।', diagrams: [diagram('p1.png', 'रेल')] };
const drawnTranslation = (questionInHindi: object, ...passages: object[]) =>
  bankOf(drawn, { ...images, [hindi]: { ...translation(questionInHindi), passages } });

const twelve = Array.from({ length: 12 }, (_, index) => ({
  ...numerical,
  id: `n${index}`,
  question: `What is ${index}?`,
}));

export const translationCases: Cases = {
  'translation-name': [
    accepts(
      'a language with a script',
      bankOf(paperOf(mcq), { [`${shiftPath}/physics.ks-Deva.json`]: translation(question) }),
    ),
    rejects(
      'what is no language, another spelling, and a translation without an original',
      bankOf(paperOf(mcq), {
        [`${shiftPath}/physics.backup.json`]: translation(question),
        [`${shiftPath}/physics.hin.json`]: translation(question),
        [`${shiftPath}/phisics.hi.json`]: translation(question),
      }),
      {
        file: `${shiftPath}/phisics.hi.json`,
        message:
          'There is no phisics.json in the folder of this translation. Rename the file, or add the original.',
      },
      {
        file: `${shiftPath}/physics.backup.json`,
        message:
          '"backup" is not a language. Name the file with a language code, such as hi for Hindi.',
      },
      { file: `${shiftPath}/physics.hin.json`, message: 'Write the language as hi, not hin.' },
    ),
  ],
  'translation-complete': [
    accepts('a whole translation', translated([mcq], question)),
    accepts(
      'a translation in another order',
      translated([mcq, { ...numerical, id: 'q2' }], { ...square, id: 'q2' }, question),
    ),
    accepts('translated diagrams and passages', drawnTranslation(drawnInHindi, passageInHindi)),
    rejects(
      'a passage of another paper that is not translated',
      bankOf(paperOf({ ...mcq, passage: 'chemistry/p1' }), {
        [`${shiftPath}/chemistry.json`]: {
          ...paperOf({ ...msq, id: 'q2' }),
          passages: [{ id: 'p1', text: 'A train.' }],
        },
        [hindi]: translation(question),
      }),
      inHindi('', 'The passage chemistry/p1 is not translated: add chemistry.hi.json.'),
    ),
    rejects(
      'missing questions, and options with other keys',
      translated([mcq, { ...msq, id: 'q2' }, { ...numerical, id: 'q3' }], {
        ...{ ...question, options: question.options.slice(1) },
      }),
      inHindi('/questions', '2 questions are not translated: q2, q3.'),
      inHindi('/questions/0/options', 'The options of the original are A, B, in this order.'),
    ),
    rejects(
      'many missing questions, of which it lists ten',
      translated([mcq, ...twelve], question),
      inHindi(
        '/questions',
        '12 questions are not translated: n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, and 2 more.',
      ),
    ),
    rejects(
      'a misspelt id, and one that is translated twice',
      translated([mcq, { ...numerical, id: 'length-2' }], question, question, {
        ...square,
        id: 'lenght-2',
      }),
      inHindi('/questions/1/id', 'The question "q1" is translated twice.', {
        related: [{ message: 'First occurrence.', file: hindi, pointer: '/questions/0/id' }],
      }),
      inHindi('/questions/2/id', 'The original has no question "lenght-2".', {
        suggestion: 'length-2',
      }),
    ),
    rejects(
      'a missing solution',
      translated([{ ...mcq, solution: 'By definition.' }], question),
      inHindi('/questions/0', 'The solution is not translated.'),
    ),
    rejects(
      'a solution that the original does not have',
      translated([mcq], { ...question, solution: 'परिभाषा से।' }),
      inHindi('/questions/0/solution', 'The original has no solution. Remove this one.'),
    ),
    rejects(
      'a question without its options',
      translated([mcq], { id: 'q1', question: question.question }),
      inHindi('/questions/0', 'The options of the original are A, B, in this order.'),
    ),
    rejects(
      'options that the original does not have',
      translated([numerical], { ...square, options: question.options }),
      inHindi('/questions/0/options', 'The original has no options. Remove these.'),
    ),
    rejects(
      'an option without its text',
      translated([mcq], { ...question, options: [question.options[0], { key: 'B' }] }),
      inHindi('/questions/0/options/1', 'The text of the option B is not translated.'),
    ),
    rejects(
      'a text of an option that has none in the original',
      drawnTranslation({ ...drawnInHindi, options: question.options }, passageInHindi),
      inHindi('/questions/0', 'The description of q1-b.png is not translated.'),
      inHindi(
        '/questions/0/options/1/value',
        'The option B of the original has no text. Remove this one.',
      ),
    ),
    rejects(
      'missing passages, and a misspelt diagram',
      drawnTranslation({ ...drawnInHindi, diagrams: [diagram('q1-axis.png', 'दो अक्ष')] }),
      inHindi('', '1 passage is not translated: p1.'),
      inHindi('/questions/0/diagrams/0/file', 'The original has no diagram "q1-axis.png" here.', {
        suggestion: 'q1-axes.png',
      }),
    ),
    rejects(
      'a missing diagram of a passage',
      drawnTranslation(drawnInHindi, { id: 'p1', text: 'एक रेल चलती है।' }),
      inHindi('/passages/0', 'The description of p1.png is not translated.'),
    ),
  ],
  'translation-formulas': [
    accepts('the same numbers', translated([numerical], square)),
    rejects(
      'another number in a formula',
      translated([numerical], { ...square, question: '$-2.5$ का वर्ग क्या है?' }),
      inHindi(
        '/questions/0/question',
        'The numbers in the formulas differ. Original: 1.5. Translation: 2.5.',
      ),
    ),
    rejects(
      'a formula that the original does not have',
      translated([mcq], { ...question, question: 'लंबाई का मात्रक $1$ क्या है?' }),
      inHindi(
        '/questions/0/question',
        'The numbers in the formulas differ. Original: none. Translation: 1.',
      ),
    ),
  ],
};
