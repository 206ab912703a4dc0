import type { Question } from '../../../build/content/written.ts';
import {
  examPath,
  type Files,
  paperOf,
  paperPath,
  sampleExam,
  sampleQuestions,
  shiftPath,
} from '../bank-folder.ts';
import { png } from '../image-bytes.ts';
import {
  accepts,
  bankOf,
  type Cases,
  drawnBank,
  type Found,
  type RuleCase,
  rejects,
} from './rule-case.ts';

const { mcq, msq, numerical } = sampleQuestions;
const questionNames =
  'id, number, section, passage, type, question, options, answer, answerRange, tolerance, lang, solution, topic, difficulty, marking, diagrams, accepted, dropped';
const optionNames = 'key, label, value, diagram';
const [metre, second] = mcq.options;

/** A question with other fields, which break the schema in one place. */
function invalid(what: string, fields: object, found: Found, question: Question = mcq): RuleCase {
  return rejects(what, { ...question, ...fields } as Question, found);
}

const at = (pointer: string, message: string, suggestion?: string): Found => ({
  ...{ pointer: pointer && `/${pointer}`, message },
  ...(suggestion !== undefined && { suggestion }),
});
const unknown = (pointer: string, names: string, suggestion?: string): Found => ({
  ...at(
    pointer,
    `Unknown property "${pointer.split('/').at(-1)}". Known properties: ${names}.`,
    suggestion,
  ),
  part: 'name',
});

const oneKey = 'The key of one option: a capital letter.';
const someKeys = 'The keys of one or more options, in order, joined by commas: `A,C`.';
const decimal = 'A decimal number: `12`, `-0.5`.';
const shortText =
  'A text of one line: `3/4`, `Paris`. Answers to several blanks are separated by semicolons: `2; -3`.';
const inWords = { mcq: oneKey, msq: someKeys, numerical: decimal, text: shortText };
const braces = 'Write this in braces, with a name before each value: { "...": ... }.';
const brackets = 'Write a list in square brackets: [...].';
const fileName =
  "The image's file name. It contains the id of the question or passage and ends in .png, .jpg, .jpeg, .webp, .gif, .avif or .svg.";
const identifier =
  "The question's identifier, unique in the whole bank, made of letters, digits, `-` and `_`, as in `<exam>-<shift>-<subject>-<number>`. The names of its diagrams contain it.";
const subjectName =
  'A subject\'s name in lower case: `physics`. With a display name: `{"code": "cs", "label": "Computer Science"}`.';
const updated =
  "When the questions of this file last changed, in UTC: `2024-06-01T10:00:00Z` is 10 o'clock on 1 June 2024.";

/** Answers in a wrong format, and the right one where it can be guessed. */
const wrongAnswers: Readonly<
  Record<Question['type'], Readonly<Record<string, string | undefined>>>
> = {
  mcq: {
    a: 'A',
    '(b)': 'B',
    metre: undefined,
    '1': undefined,
  },
  msq: { 'C and A': 'A,C', AC: 'A,C', 'A,': 'A' },
  numerical: {
    ...{ '−2.25': '-2.25', '-.5': '-0.5', '007': '7', '12.': '12', '−0': '0' },
    ...{ '1,5': '1.5', '1,500': undefined, '1e3': undefined },
  },
  text: { ' 3/4': '3/4' },
};

/** A paper with other fields, with one problem at a pointer. */
function invalidPaper(fields: object, found: Found): RuleCase {
  return rejects(
    `a paper with ${shortJson(fields)}`,
    bankOf({ ...paperOf(mcq), ...fields }),
    found,
  );
}

function invalidFile(file: string, content: object, ...found: readonly Found[]): RuleCase {
  const all: Files = { ...bankOf(paperOf(mcq)), [file]: content };
  return rejects(
    `${file.split('/').at(-1)} with ${shortJson(content)}`,
    all,
    ...found.map((one) => ({ ...one, file })),
  );
}

const shortJson = (value: object) => JSON.stringify(value).slice(0, 60);
const invalidExam = (fields: object, found: Found) =>
  invalidFile(examPath, { ...sampleExam, ...fields }, found);
const twice = (value: string) => `"${value}" is listed twice.`;

function converted(index: number): Question {
  const { question, options, answer, ...others } = { ...mcq, id: `q${index}` };
  return { ...others, text: question, choices: options, correct: answer } as unknown as Question;
}

export const schemaCases: Cases = {
  schema: [
    accepts(
      'a valid paper',
      bankOf(paperOf(mcq, { ...msq, id: 'q2' }, { ...numerical, id: 'q3' })),
    ),
    invalid(
      'a value in the wrong case',
      { difficulty: 'Hard' },
      at('difficulty', 'Write "hard", not "Hard": upper and lower case differ.', 'hard'),
    ),
    invalid(
      'a misspelt value',
      { difficulty: 'meduim' },
      at('difficulty', '"meduim" is not one of easy, medium, hard.', 'medium'),
    ),
    invalid(
      'a misspelt property, which is not reported as missing too',
      { question: undefined, qestion: 'Which?' },
      unknown('qestion', questionNames, 'question'),
    ),
    invalid(
      'a property with another name',
      { options: [metre, { key: 'B', text: 'second' }] },
      unknown('options/1/text', optionNames, 'value'),
    ),
    invalid('an unknown property', { remark: 4 }, unknown('remark', questionNames)),
    rejects(
      'a mistake of many questions once, and the field names of another format with ours',
      bankOf(paperOf(...Array.from({ length: 12 }, (_, index) => converted(index)))),
      ...[
        ['text', 'question'],
        ['choices', 'options'],
        ['correct', 'answer'],
      ].map(([name = '', right = '']): Found => {
        const message = `12 questions have "${name}". The property is called "${right}".`;
        const related = Array.from({ length: 10 }, (_, index): Found => {
          return {
            message: 'Here, too.',
            pointer: `/questions/${index + 1}/${name}`,
            part: 'name',
          };
        });
        return { ...at(`questions/0/${name}`, message, right), part: 'name', related };
      }),
    ),
    invalid(
      'a missing property',
      { options: [{ key: 'A' }, second] },
      at('options/0', 'The property "value" is missing.'),
    ),
    invalid(
      'several missing properties',
      { question: undefined, options: undefined, answer: undefined },
      at('', 'The properties "answer", "question" and "options" are missing.'),
    ),
    invalid(
      'a number in place of a number as text',
      { answer: 27 },
      at('answer', 'Put the number in quotation marks: "27".', '27'),
      numerical,
    ),
    invalid(
      'a truth value',
      { topic: true },
      at('topic', 'Put the word in quotation marks: "true".'),
    ),
    invalid('an object in place of a list', { options: { A: 'metre' } }, at('options', brackets)),
    invalid(
      'a text in place of an object',
      { options: [metre, 'second'] },
      at('options/1', braces),
    ),
    invalid('false', { dropped: false }, at('dropped', 'Write true, or leave the property out.')),
    invalid(
      'a word',
      { dropped: 'yes' },
      at('dropped', 'Write true or false, without quotation marks.'),
    ),
    ...(
      [
        ['4', 'Write the number without quotation marks: 4.'],
        ['four', 'Write the number without quotation marks.'],
        [[4], 'Write a number.'],
        [1001, '1001 is too large. Marks for a correct response: `4`.'],
        [-1001, '-1001 is too small. Marks for a correct response: `4`.'],
      ] as const
    ).map(([correct, message]) =>
      invalid(
        `${JSON.stringify(correct)} as marks`,
        { marking: { correct } },
        at('marking/correct', message),
      ),
    ),
    ...Object.values(sampleQuestions).flatMap((question) =>
      Object.entries(wrongAnswers[question.type]).map(([answer, right]) =>
        invalid(
          `the answer ${JSON.stringify(answer)} of type ${question.type}`,
          { answer },
          answer === 'metre'
            ? at('answer', '"metre" is the text of option A. Write its key.', 'A')
            : at(
                'answer',
                `${JSON.stringify(answer)} has the wrong format. ${inWords[question.type]}`,
                right,
              ),
          question,
        ),
      ),
    ),
    invalid(
      'a long answer, which it does not correct',
      { answer: `${'a '.repeat(60)}` },
      at('answer', `"${'a '.repeat(38)}... has the wrong format. ${oneKey}`),
    ),
    ...(
      [
        ['msq', 'numerical', msq],
        ['numerical', 'msq', numerical],
      ] as const
    ).map(([right, type, question]) =>
      invalid(
        `a question of type ${right} as ${type}`,
        { type },
        at('type', `The options and the answer of this question match the type ${right}.`, right),
        question,
      ),
    ),
    invalid(
      'a numerical question with options, whose mistakes are not reported too',
      { options: [{ key: 'a', value: '2.25' }] },
      at('options', 'A question of this type has no options: write [].'),
      numerical,
    ),
    rejects(
      'options and an answer that match no type',
      { ...numerical, type: 'mcq', answer: 'x' },
      at('options', 'A multiple-choice question needs at least two options.'),
      at('answer', `"x" has the wrong format. ${oneKey}`, 'X'),
    ),
    rejects(
      'a question, but not its diagram as unused',
      drawnBank(['q1.png'], { 'q1.png': png(2, 2) }, { topic: '' }),
      at('questions/0/topic', 'The text is empty.'),
    ),
    invalid(
      'one option',
      { options: [metre] },
      at('options', 'A multiple-choice question needs at least two options.'),
    ),
    invalid(
      'one accepted answer',
      { accepted: ['A'] },
      at('accepted', 'List at least two accepted answers, or remove "accepted".'),
    ),
    invalid(
      'a repeated accepted answer',
      { accepted: ['A', 'B', 'B'] },
      {
        ...at('accepted/2', twice('B')),
        related: [{ message: 'First occurrence.', pointer: '/accepted/1' }],
      },
    ),
    invalid('an empty text', { question: '' }, at('question', 'The text is empty.')),
    invalid(
      'a text so long that nothing else in it is checked',
      { question: `${'$“$ &amp; '.repeat(2000)} a` },
      at(
        'question',
        'The text is longer than 20000 characters. Nothing else in it was checked. Split it.',
      ),
    ),
    invalid(
      'a long text',
      { topic: 'U'.repeat(101) },
      at('topic', 'The text is longer than 100 characters.'),
    ),
    ...([['q 1.png', 'q-1.png'], ['q1.bmp']] as const).map(([file, right]) =>
      invalid(
        `the file name ${file}`,
        { diagrams: [{ file, alt: 'A ruler.' }] },
        at('diagrams/0/file', `"${file}" has the wrong format. ${fileName}`, right),
      ),
    ),
    invalidPaper(
      { questions: [{ ...mcq, id: 'q 1' }] },
      at('questions/0/id', `"q 1" has the wrong format. ${identifier}`, 'q-1'),
    ),
    invalidPaper(
      { lastUpdated: '2024-06-01' },
      at('lastUpdated', `"2024-06-01" has the wrong format. ${updated}`),
    ),
    invalidPaper(
      { lastUpdated: '2024-06-31T10:00:00Z' },
      at('lastUpdated', `"2024-06-31T10:00:00Z" is not a valid date and time. ${updated}`),
    ),
    invalidPaper({ questions: [] }, at('questions', 'A paper needs at least one question.')),
    invalidFile(paperPath, [], { message: braces }),
    invalidFile(
      examPath,
      { lable: 'NEET', subjects: ['physics'] },
      unknown('lable', '$schema, label, subjects, lang, source, form, topics', 'label'),
    ),
    invalidExam(
      { subjects: ['physics', 'Life Sciences'] },
      at('subjects/1', `"Life Sciences" has the wrong format. ${subjectName}`),
    ),
    invalidExam({ subjects: [] }, at('subjects', 'An exam needs at least one subject.')),
    invalidExam(
      { topics: { physics: [] } },
      at('topics/physics', 'List at least one topic, or leave the subject out.'),
    ),
    invalidFile(
      'exceptions.json',
      { exceptions: [{ rule: 'html', reason: 'It is so.' }] },
      at(
        'exceptions/0/reason',
        'The text is shorter than 10 characters. The reason for the exception, for people who read it later.',
      ),
    ),
    invalidFile(
      `${shiftPath}/physics.hi.json`,
      { lastUpdated: '2024-06-01T10:00:00Z', questions: [{ id: 'q1' }] },
      at('questions/0', 'The property "question" is missing.'),
    ),
  ],
};
