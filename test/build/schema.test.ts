/** The JSON Schemas of content files: what editors check with them, and what the rule on schemas reports, agree. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';
import type { JsonFile } from '../../build/content/file.ts';
import type { Question } from '../../build/content/written.ts';
import { schemaRule } from '../../build/rules/schema.ts';
import {
  examPath,
  type Files,
  makeBank,
  paperOf,
  paperPath,
  sampleQuestions,
  shiftPath,
} from './bank-folder.ts';
import { everyFieldFiles, hindiPath } from './every-field.ts';
import { png } from './image-bytes.ts';
import { valuesOf, withValue } from './json-pointer.ts';
import { validateFolder } from './validate-folder.ts';

/** Values at a place of a valid file; undefined leaves the property out. */
type Row = readonly [pointer: string, allowed: readonly unknown[], rejected: readonly unknown[]];

const noText = [7, null, ['A']];
const empty = [...noText, ''];
const longer = (limit: number) => 'N'.repeat(limit + 1);
/** Characters, not UTF-16 units: each of these has two. */
const longest = (limit: number) => ['N'.repeat(limit), '🎓'.repeat(limit)];
const noObject = ['text', 7, [], null];
const noList = [{}, 'text', 7, null];
const moments: readonly [allowed: readonly unknown[], rejected: readonly unknown[]] = [
  ['2024-06-01T10:00:00.5Z', '2024-06-01T10:00:00.123456789Z', '2024-02-29T23:59:59Z'],
  [
    ...[
      undefined,
      1_717_236_000,
      '2024-06-01',
      '2024-06-01T10:00:00+02:00',
      '2024-06-01t10:00:00z',
    ],
    ...['2024-06-01T10:00:00.1234567890Z', '2023-02-29T10:00:00Z', '2024-13-01T10:00:00Z'],
    '2024-06-01T24:00:00Z',
  ],
];
const anyFile: readonly Row[] = [
  ['', [], [[], null, 'text']],
  ['/colour', [], ['red']],
  ['/$schema', ['schema.json', undefined], [7]],
];
const ids = [
  '',
  '-q1',
  'q 1',
  'q/1',
  'q1.a',
  'frage-ä',
  'q1\n',
  'q'.repeat(101),
  ...noText,
  undefined,
];

/** A printed text: one line without space around it. */
const printed = (pointer: string, limit: number): Row => [
  pointer,
  ['1', '12 (a)', 'भाग क', ...longest(limit), undefined],
  ['', ' 12', '12 ', '1\n2', longer(limit), 12],
];

const marks = (at: string): Row[] => [
  [
    at,
    [{ correct: 4, incorrect: -1 }, undefined],
    [[4], 'text', {}, { incorrect: -1 }, { correct: 4, wrong: -1 }],
  ],
  ...['correct', 'incorrect', 'unanswered', 'partial'].map(
    (name): Row => [`${at}/${name}`, [-1000, 1000, 0.25], ['1', -1001, 1001, null]],
  ),
];

const diagram = (at: string, isOfTranslation = false): Row[] => [
  [
    at,
    [],
    [
      ...noObject.slice(0, 2),
      { alt: 'A cell.' },
      { file: 'q1.png', alt: 'A cell.', colour: 'red' },
    ],
  ],
  isOfTranslation
    ? [`${at}/file`, ['any'], [undefined, ...noText]]
    : [
        `${at}/file`,
        ['q1.png', 'fig_2.q1-a.svg', `q1${'x'.repeat(194)}.png`],
        [
          ...[
            'q1',
            'q1.bmp',
            'q1.PNG',
            'q1.png.exe',
            '.q1.png',
            'diagrams/q1.png',
            '../q1.png',
            'q 1.png',
          ],
          ...['q1.png\n', `q1${'x'.repeat(195)}.png`, ...noText, undefined],
        ],
      ],
  [`${at}/alt`, ['A'], isOfTranslation ? [...empty, undefined] : empty],
];

const passage = (at: string, isOfTranslation = false): Row[] => [
  [at, [], ['text', { id: 'p1' }, { text: 'A' }, { id: 'p1', text: 'A', title: 'A' }]],
  isOfTranslation
    ? [`${at}/id`, ['any'], [undefined, ...noText]]
    : [`${at}/id`, ['7', 'P_1-a', 'p'.repeat(100)], ids],
  [`${at}/text`, ['A'], [...empty, undefined]],
  [`${at}/lineNumbers`, isOfTranslation ? [] : [true, undefined], [false, 'true', 1]],
  [`${at}/diagrams`, [[], undefined], noList],
  ...diagram(`${at}/diagrams/0`, isOfTranslation),
];

/** The answers of the questions with every field, by their places in the paper. */
const answers: readonly (readonly [
  at: string,
  allowed: readonly string[],
  rejected: readonly unknown[],
])[] = [
  ['/questions/0', ['A', 'B'], ['a', 'A,B', 'metre', '1', '', ' A', 'A\n', 3]],
  ['/questions/1', ['A', 'A,C', 'A,B,C'], ['a', 'A, C', 'AC', 'A,', ',A', 'A;C', '', 'A,C\n', 3]],
  [
    '/questions/2',
    ['0', '12', '-0.5', '2.50', '0.05', '-120'],
    ['', 'A', '+1', '.5', '1.', '01', '1e3', '1,5', '1 000', '½', '−1', '٣', '1\n', 3],
  ],
];

const languages = ['hi', 'pt-BR', 'zh-Hant', undefined];
const notLanguages = ['', 'English', 'pt_BR', 7];

const option = '/questions/0/options/1';
const paperRows: readonly Row[] = [
  ...anyFile,
  ['/lastUpdated', ...moments],
  ...marks('/marking'),
  ['/passages', [], noList],
  ...passage('/passages/0'),
  ['/questions', [], [undefined, {}, []]],
  ['/questions/0', [], noObject],
  ['/questions/0/colour', [], ['red']],
  ['/questions/0/id', ['7', 'Q_1-a', 'q'.repeat(100)], ids],
  printed('/questions/0/number', 20),
  printed('/questions/0/section', 100),
  ['/questions/0/passage', ['p2', undefined], noText],
  ...[0, 1, 2].map((index): Row => [`/questions/${index}/type`, [], [undefined, 'essay', 1]]),
  ['/questions/0/question', ['?'], [...empty, undefined]],
  ['/questions/0/options', [], [...noList, [], [{ key: 'A', value: 'metre' }], undefined]],
  ['/questions/1/options', [], [...noList, [], [{ key: 'A', value: 'metre' }], undefined]],
  ['/questions/2/options', [], [...noList, [{ key: 'A', value: '2.25' }], undefined]],
  [
    option,
    [{ key: 'B', value: 'a' }],
    ['second', { key: 'B' }, { value: 'a' }, { key: 'B', value: 'a', colour: 'red' }],
  ],
  [`${option}/key`, ['B'], ['b', 'AB', '2', '', 'Ä', 'B\n', 2, undefined]],
  printed(`${option}/label`, 20),
  [`${option}/value`, ['1', undefined], empty],
  ...diagram(`${option}/diagram`),
  ...answers.flatMap(([at, allowed, rejected]): Row[] => {
    const [first] = allowed;
    const accepted = [[first, first], ...rejected.map((one) => [first, one]), [first], ...noList];
    return [
      [`${at}/answer`, allowed, [...rejected, undefined]],
      [`${at}/accepted`, [allowed, undefined], accepted],
    ];
  }),
  ['/questions/3/answer', ['A', undefined], ['a']],
  [
    '/questions/2/answerRange',
    [undefined],
    [...noObject, { max: '2.3' }, { min: '2.2' }, { min: '2', max: '3', mean: '2' }],
  ],
  ['/questions/2/answerRange/min', ['-1'], [2.2, '2,2']],
  ['/questions/2/answerRange/max', ['3.0'], [2.2, '2,2']],
  ['/questions/2/tolerance', ['0.05', '1', undefined], ['-1', '.5', 0.1, '']],
  ['/questions/0/lang', languages, notLanguages],
  ['/questions/0/solution', ['A', undefined], empty],
  ['/questions/0/topic', [...longest(100), undefined], [...empty, longer(100)]],
  [
    '/questions/0/difficulty',
    ['easy', 'medium', 'hard', undefined],
    ['Easy', 'impossible', 1, null],
  ],
  ...marks('/questions/0/marking'),
  ['/questions/0/diagrams', [[], undefined], noList],
  ...diagram('/questions/0/diagrams/0'),
  ['/questions/0/dropped', [true, undefined], [false, 'yes', 1]],
];

const translationRows: readonly Row[] = [
  ...anyFile,
  ['/lastUpdated', ...moments],
  ['/passages', [[], undefined], noList],
  ...passage('/passages/0', true),
  ['/questions', [], [undefined, {}, []]],
  ['/questions/0', [], noObject],
  ['/questions/0/colour', [], ['red']],
  ['/questions/0/id', ['any'], [undefined, ...noText]],
  ['/questions/0/question', ['?'], [...empty, undefined]],
  ['/questions/0/solution', ['A', undefined], empty],
  ['/questions/0/options', [[], undefined], noList],
  [
    '/questions/0/options/1',
    [{ key: 'B' }],
    ['second', { value: 'a' }, { key: 'B', colour: 'red' }],
  ],
  ['/questions/0/options/1/key', ['any'], [undefined, ...noText]],
  ['/questions/0/options/1/value', ['1', undefined], empty],
  ...diagram('/questions/0/options/0/diagram', true),
  ['/questions/0/diagrams', [[], undefined], noList],
  ...diagram('/questions/0/diagrams/0', true),
];

const subject = { code: 'cs', label: 'Computer Science' };
const badCodes = ['Biology', 'life sciences', '2nd-language', '', '../physics'];
const topics = (list: unknown) => ({ physics: list });
const examRows: readonly Row[] = [
  ...anyFile,
  ['/label', ['N', ...longest(100)], [...empty, longer(100), undefined]],
  ['/subjects', [['physics']], [...noList, [], undefined]],
  [
    '/subjects/1',
    ['mathematics', 'english-2', 'x', subject],
    [2, ...badCodes, { code: 'cs' }, { label: 'A' }, { ...subject, name: 'x' }],
  ],
  ['/subjects/0/code', ['x-2'], [7, ...badCodes]],
  ['/subjects/0/label', ['A', ...longest(100)], [7, '', longer(100)]],
  ['/lang', languages, notLanguages],
  [
    '/topics',
    [undefined, {}, topics(['Optics', 'Units']), { chemistry: ['Solutions'] }],
    [
      ['Units'],
      ...[
        ...noList,
        [],
        ['Units', 'Units'],
        ['Units', 7],
        ['Units', ''],
        ['Units', longer(100)],
      ].map(topics),
    ],
  ],
];

const sourceRows: readonly Row[] = [
  [
    '/source',
    [{ title: 'A' }, undefined],
    [...noObject, { url: 'https://a.b' }, { title: 'A', author: 'B' }],
  ],
  ['/source/title', [...longest(200)], [...empty, longer(200), undefined]],
  [
    '/source/url',
    ['http://a.b/c?d', undefined],
    ['', 'a.b', 'javascript:0', 'https://a b', `https://${longer(993)}`, 7],
  ],
  ['/source/licence', [...longest(200), undefined], [...empty, longer(200)]],
  ['/source/attribution', [...longest(500), undefined], [...empty, longer(500)]],
];

const whole = [
  [1, 10_000],
  [0, -1, 2.5, 10_001, '2', null],
] as const;
const minutes = [
  [0.5, 10_000],
  [0, -1, 10_001, '180', null],
] as const;
const section = { name: 'A', subject: 'physics', questions: 2, attempt: 1 };
const form = { duration: 180, totalMarks: 4, sections: [section] };
const formRows: readonly Row[] = [
  [
    '/form',
    [undefined, { duration: 1, totalMarks: 1, sections: [section] }],
    [...noObject, { duration: 180 }],
  ],
  ['/form/duration', minutes[0], [...minutes[1], undefined]],
  ['/form/totalMarks', [0.25, 100_000], [0, -1, 100_001, '300', undefined]],
  [
    '/form/languages',
    [['en', 'pt-BR'], undefined],
    [...noList, [], ['en', 'en'], ['English'], [7]],
  ],
  ['/form/source', [{ title: 'A' }, undefined], [...noObject, { url: 'https://a.b' }]],
  ['/form/sections', [[section]], [...noList, [], ['A'], [{ ...section, marks: 4 }], undefined]],
  [
    '/form/sections/0/name',
    ['Section A', ...longest(100)],
    [...empty, ' A', longer(100), undefined],
  ],
  ['/form/sections/0/subject', ['english-2'], [...empty, 'Physics', undefined]],
  ...['questions', 'attempt'].map(
    (name): Row => [`/form/sections/0/${name}`, whole[0], [...whole[1], undefined]],
  ),
  ['/form/sections/0/duration', [...minutes[0], undefined], minutes[1]],
  ...marks('/form/sections/0/marking'),
];

const answerKey = { title: 'A', url: 'https://a.b', date: '2024-06-04', status: 'final' };
const shiftRows: readonly Row[] = [
  ...anyFile,
  ...sourceRows,
  ['/form', [undefined, form], noObject],
  printed('/edition', 40),
  printed('/booklet', 40),
  ['/answerKey', [undefined, answerKey], noObject],
  ['/answerKey/title', ['Final key', ...longest(200)], [...empty, ' A', longer(200), undefined]],
  ['/answerKey/url', ['https://a.b/c', undefined], ['a.b', ...empty]],
  ['/answerKey/date', ['2024-06-04'], ['2024-06', '2024-13-01', ...noText, undefined]],
  ['/answerKey/status', ['provisional', 'final'], ['Final', ...noText, undefined]],
  [
    '/date',
    ['2019', '2019-06', '2019-12', undefined],
    ['19', '2019-6', '2019-13', '2019-06-01', '', 2019, null],
  ],
];

const source = { title: 'A', url: 'https://a.b', licence: 'MIT', attribution: '© A' };
const exception = {
  rule: 'repeated-stem',
  file: paperPath,
  pointer: '/questions/0',
  reason: 'Both asked it.',
};
const exceptionRows: readonly Row[] = [
  ...anyFile,
  ['/exceptions', [[], [exception]], [...noList, undefined]],
  ['/exceptions/0', [{ rule: 'html', reason: '0123456789' }], noObject],
  ['/exceptions/0/colour', [], ['red']],
  ['/exceptions/0/rule', ['any'], [...empty, undefined]],
  ['/exceptions/0/question', ['q1'], empty],
  ['/exceptions/0/file', ['**', undefined], empty],
  ['/exceptions/0/pointer', ['', '/a/0', undefined], ['questions/0', ...noText]],
  ['/exceptions/0/count', [1, 2, undefined], [0, 1.5, '2']],
  ['/exceptions/0/reason', ['0123456789'], ['It is so.', ...noText, undefined]],
];

const files: readonly (readonly [
  schema: string,
  kind: JsonFile['kind'],
  valid: unknown,
  rows: readonly Row[],
])[] = [
  ['subject-file', 'paper', everyFieldFiles[paperPath], paperRows],
  ['translation', 'translation', everyFieldFiles[hindiPath], translationRows],
  ['exam', 'exam', everyFieldFiles[examPath], [...examRows, ...sourceRows, ...formRows]],
  [
    'shift',
    'shift',
    { edition: '2020', date: '2019-06', source, form, answerKey, booklet: 'Q1' },
    shiftRows,
  ],
  ['exceptions', 'exceptions', { exceptions: [exception] }, exceptionRows],
];

/** What editors know of the schemas. It does not use the build's settings. */
const ajv = new Ajv2020({ strict: false });
formatsPlugin.default(ajv);
const schemas = await Promise.all(
  files.map(async ([name]) => {
    return JSON.parse(
      await readFile(new URL(`../../content/schema/${name}.schema.json`, import.meta.url), 'utf8'),
    );
  }),
);
ajv.addSchema(schemas);

for (const [index, [name, kind, valid, rows]] of files.entries()) {
  const schema = schemas[index];

  describe(`The schema of ${name} files`, () => {
    const editorAccepts = ajv.getSchema(schema.$id) ?? assert.fail(name);
    const findingsIn = (value: unknown) => {
      return [
        ...schemaRule.check({ path: 'a.json', kind, state: 'parsed', value, text: '' } as JsonFile),
      ];
    };

    for (const [pointer, allowed, rejected] of rows) {
      it(`at ${pointer || 'the top'}`, () => {
        for (const value of allowed) {
          const file = withValue(valid, pointer, value);
          assert.deepEqual(findingsIn(file), [], JSON.stringify(value));
          assert.ok(editorAccepts(file), JSON.stringify(value));
        }
        for (const value of rejected) {
          const file = withValue(valid, pointer, value);
          const [found, ...others] = findingsIn(file);
          assert.ok(found, `${JSON.stringify(value)} is allowed`);
          assert.deepEqual(others, [], JSON.stringify(value));
          const at = found.pointer ?? '';
          assert.ok(
            at.startsWith(pointer) || pointer.startsWith(at),
            `${JSON.stringify(value)}: ${at}`,
          );
          assert.ok(!editorAccepts(file), JSON.stringify(value));
        }
      });
    }

    it('has a row for each property', () => {
      const tested = new Set(rows.map(([pointer]) => pointer.slice(pointer.lastIndexOf('/') + 1)));
      const definitions: { readonly properties?: object }[] = [
        schema,
        ...Object.values(schema.$defs ?? {}),
      ];
      const names = definitions.flatMap(({ properties = {} }) => Object.keys(properties));
      assert.deepEqual(
        names.filter((one) => !tested.has(one)),
        [],
      );
    });
  });
}

describe('A question has at most one diagnostic', () => {
  const questions: readonly Question[] = [
    { ...sampleQuestions.mcq, accepted: ['A', 'B'] },
    { ...sampleQuestions.msq, accepted: ['A,C', 'C'] },
    { ...sampleQuestions.numerical, accepted: ['2.25', '2.3'] },
  ];
  const values = ['', 'x', ' ', 'Easy', 0, -1, true, false, null, {}, [], ['x'], [{}], [[]]];

  for (const question of questions) {
    const places = [...valuesOf(question)].filter(([pointer]) => !['', '/id'].includes(pointer));
    const withInvalidValue = places.flatMap(([pointer, valid]) =>
      values
        .filter((value) => JSON.stringify(value) !== JSON.stringify(valid))
        .map((value) => withValue(question, pointer, value)),
    );
    const names = places.filter(([pointer]) => !/\/\d+$/.test(pointer));
    const withoutProperty = names.flatMap(([pointer, valid]) => [
      withValue(question, pointer, undefined),
      ...['/x', `${pointer.slice(pointer.lastIndexOf('/'))}s`].map((name) => {
        const parent = pointer.slice(0, pointer.lastIndexOf('/'));
        return withValue(withValue(question, pointer, undefined), `${parent}${name}`, valid);
      }),
    ]);

    for (const [what, changed] of [
      ['an invalid value', withInvalidValue],
      ['a missing or misspelt property', withoutProperty],
    ] as const) {
      it(`for ${what} in a question of type ${question.type}`, async () => {
        const all = changed.map((one, index) => ({ ...(one as Question), id: `q${index}` }));
        const { dir } = await makeBank({ [paperPath]: paperOf(...all) });
        const { diagnostics } = (await validateFolder(dir)).report;
        for (const [index, one] of all.entries()) {
          const own = diagnostics.filter((found) =>
            `${found.pointer}/`.startsWith(`/questions/${index}/`),
          );
          const messages = own.map(({ message }) => message);
          assert.ok(own.length <= 1, `${JSON.stringify(one)}: ${messages.join(' ')}`);
        }
      });
    }
  }
});

/** Snippets as Visual Studio Code inserts them, with the proposed text (or the first choice) at each place. */
async function snippetsOf(schema: string, definition: string): Promise<Map<string, never>> {
  const { $defs } = JSON.parse(
    await readFile(new URL(`../../content/schema/${schema}.schema.json`, import.meta.url), 'utf8'),
  );
  const snippets: readonly { readonly label: string; readonly body: object }[] =
    $defs[definition].defaultSnippets;
  return new Map(
    snippets.map(({ label, body }) => {
      const text = JSON.stringify(body).replace(/\$\{\d+(?::([^}]*)|\|([^,|]*)[^}]*)\}/g, '$1$2');
      return [label, JSON.parse(text) as never];
    }),
  );
}

describe('A snippet of the editor inserts valid content:', async () => {
  const { mcq } = sampleQuestions;
  const questions = await snippetsOf('subject-file', 'question');
  const [diagram] = (await snippetsOf('subject-file', 'diagram')).values();
  const { file } = diagram as unknown as { readonly file: string };
  const exceptions = await snippetsOf('exceptions', 'exception');
  const named = { ...mcq, id: 'question-id' };
  const banks = new Map<string, Files>([
    ...[...questions].map(
      ([label, question]) => [label, { [paperPath]: paperOf(question) }] as const,
    ),
    [
      'a diagram',
      {
        [paperPath]: paperOf({ ...named, diagrams: [diagram as never] }),
        [`${shiftPath}/diagrams/${file}`]: png(2, 2),
      },
    ],
    ...[...exceptions].map(([label, exception]) => {
      const papers = {
        [paperPath]: paperOf(named),
        [`${shiftPath}/biology.json`]: paperOf({ ...mcq, id: 'q2' }),
      };
      return [label, { ...papers, 'exceptions.json': { exceptions: [exception] } }] as const;
    }),
  ]);
  for (const [label, files] of banks) {
    it(label, async () => {
      const { dir } = await makeBank(files);
      const { diagnostics } = (await validateFolder(dir)).report;
      // Its options are still to be written.
      assert.deepEqual(
        diagnostics.filter(({ rule }) => rule !== 'placeholder'),
        [],
      );
    });
  }

  it('there is a question of each type', () => {
    const types = [...questions.values()].map(({ type }) => type);
    assert.deepEqual(types.sort(), Object.keys(sampleQuestions).sort());
  });
});
