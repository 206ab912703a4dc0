/** Content of a size that is expensive to validate if the time of some check grows faster than its input. */
import type { SubjectFile } from '../../../build/content/written.ts';
import {
  examPath,
  type Files,
  paperOf,
  sampleExam,
  sampleQuestions,
  shiftPath,
} from '../../build/bank-folder.ts';
import { bankOf } from '../../build/cases/rule-case.ts';
import { png } from '../../build/image-bytes.ts';

const { mcq, numerical } = sampleQuestions;

/** @param count of items, of about a hundred bytes each */
type Make = (count: number) => Files;

const list = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));
const questions = (count: number, question: (index: number) => object): Files =>
  bankOf(
    paperOf(
      ...(list(count, (index) => ({
        ...mcq,
        id: `q${index}`,
        ...question(index),
      })) as SubjectFile['questions']),
    ),
  );
const inQuestion = (fields: object): Files => bankOf(paperOf({ ...mcq, ...fields } as typeof mcq));
/** Texts as long as texts may be. */
const texts =
  (unit: string): Make =>
  (count) =>
    questions(Math.ceil(count / 200), () => ({
      question: unit.repeat(Math.floor(19_990 / unit.length)),
    }));

export const hostileFiles: Readonly<Record<string, Make>> = {
  'names of another format': (count) =>
    questions(count, (index) => ({ [`choice${index % 7}`]: ['x'], text: 'y' })),
  'another unknown name in each question': (count) =>
    questions(count, (index) => ({ [`optionx${index}`]: 1 })),
  'topics that are not listed': (count) => ({
    ...questions(count / 2, (index) => ({ topic: `Mechanics of ${index} bodies` })),
    [examPath]: {
      ...sampleExam,
      topics: { physics: list(count / 2, (index) => `Mechanics with ${index} forces`) },
    },
  }),
  'passages that do not exist': (count) => {
    const content = paperOf(
      ...list(count / 2, (index) => ({ ...mcq, id: `q${index}`, passage: `passage-a${index}` })),
    );
    return bankOf({
      ...content,
      passages: list(count / 2, (index) => ({ id: `passage-b${index}`, text: 'A train.' })),
    });
  },
  'a long passage of many questions': (count) => {
    const content = paperOf(
      ...list(count, (index) => ({ ...mcq, id: `q${index}`, passage: 'p1' })),
    );
    return bankOf({ ...content, passages: [{ id: 'p1', text: '*A* train. '.repeat(400) }] });
  },
  options: (count) =>
    inQuestion({ options: list(count, (index) => ({ key: 'A', value: ' '.repeat(60) + index })) }),
  'long options': (count) =>
    inQuestion({
      options: list(26, (index) => ({
        key: String.fromCharCode(65 + index),
        value: `${'a '.repeat(2 * count)}${index}`,
      })),
    }),
  'accepted answers': (count) =>
    bankOf(paperOf({ ...numerical, accepted: list(5 * count, (index) => `${index}.5`) })),
  'a long answer': (count) =>
    bankOf(paperOf({ ...numerical, answer: `1${'0'.repeat(100 * count)}1` })),
  diagrams: (count) =>
    inQuestion({
      diagrams: list(count, (index) => ({ file: `q1-${index}.png`, alt: 'A line of a drawing.' })),
    }),
  'diagrams that do not exist': (count) => ({
    ...questions(count, (index) => ({
      diagrams: [{ file: `q${index}-a.png`, alt: 'A line of a drawing.' }],
    })),
    ...Object.fromEntries(
      list(Math.min(500, count), (index) => [`${shiftPath}/diagrams/q${index}-b.png`, png(1, 1)]),
    ),
  }),
  'a translation of other questions': (count) => ({
    ...questions(count / 2, () => ({})),
    [`${shiftPath}/physics.hi.json`]: {
      lastUpdated: '2024-06-01T10:00:00Z',
      questions: list(count / 2, (index) => ({ id: `other-${index}`, question: 'x' })),
    },
  }),
  'exceptions for nothing': (count) =>
    bankOf(paperOf(mcq), {
      'exceptions.json': {
        exceptions: list(count, (index) => ({
          rule: 'html',
          file: `${'**/'.repeat(9)}${index}`,
          reason: 'It is printed so.',
        })),
      },
    }),
  'questions without properties': (count) =>
    bankOf({ lastUpdated: '2024-06-01T10:00:00Z', questions: list(8 * count, () => ({})) }),
  'topics of many subjects': (count) => ({
    ...questions(1, () => ({})),
    [examPath]: {
      ...sampleExam,
      topics: Object.fromEntries(list(8 * count, (index) => [`a${index}`, 1])),
    },
  }),
  'subjects with labels': (count) => ({
    ...questions(1, () => ({})),
    [examPath]: {
      ...sampleExam,
      subjects: list(4 * count, (index) => ({ code: `a${index}`, label: `${index}` })),
    },
  }),
  'repeated ids': (count) => questions(count, () => ({ id: 'q1' })),
  'wrong answers': (count) => questions(count, () => ({ answer: 'Z', difficulty: 'Easy' })),
  brackets: (count) => bankOf('['.repeat(100 * count)),
  commas: (count) => bankOf(`[${','.repeat(100 * count)}`),
  escapes: (count) => bankOf(`"${'\\q'.repeat(50 * count)}"`),
  'no JSON': (count) => bankOf("x = 'y';\n".repeat(11 * count)),
  'duplicate names': (count) => bankOf(`{${'"a":1,'.repeat(16 * count)}"a":1}`),
  numbers: (count) => bankOf(`[1${',1'.repeat(50 * count)}]`),
  'long texts': (count) => inQuestion({ question: '&amp;'.repeat(20 * count) }),
  entities: texts('&amp;'),
  'quotes in formulas': texts('$“$'),
  'percent signs in formulas': texts('$50%$'),
  quotations: texts('>'),
  'list items': texts('- '),
  accents: texts('\u0344\u0301a'),
  tags: texts('<b>'),
  'unknown commands': texts('$\\fooo$'),
  asterisks: texts('*a'),
  'brackets of LaTeX': texts('\\('),
  'misread characters': texts('Ã©'),
  tabs: texts('a\tb'),
};
