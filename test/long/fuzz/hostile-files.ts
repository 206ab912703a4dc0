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

const { mcq } = sampleQuestions;

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
  options: (count) =>
    inQuestion({ options: list(count, (index) => ({ key: 'A', value: ' '.repeat(60) + index })) }),
  'diagrams that do not exist': (count) => ({
    ...questions(count, (index) => ({
      diagrams: [{ file: `q${index}-a.png`, alt: 'A line of a drawing.' }],
    })),
    ...Object.fromEntries(
      list(Math.min(500, count), (index) => [`${shiftPath}/diagrams/q${index}-b.png`, png(1, 1)]),
    ),
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
  brackets: (count) => bankOf('['.repeat(100 * count)),
  'duplicate names': (count) => bankOf(`{${'"a":1,'.repeat(16 * count)}"a":1}`),
  'quotes in formulas': texts('$“$'),
  'a tab among spaces': (count) => inQuestion({ question: `${' '.repeat(10 * count - 1)}\t` }),
  accents: texts('\u0344\u0301a'),
};
