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

const moments: Row = [
  '/lastUpdated',
  ['2024-06-01T10:00:00.123456789Z', '2024-02-29T23:59:59Z'],
  ['2024-06-01', '2024-06-01T10:00:00+02:00', '2024-06-01t10:00:00z', '2023-02-29T10:00:00Z'],
];
const ids = ['', '-q1', 'q 1', 'q1.a', 'frage-ä', 'q1\n', 'q'.repeat(101)];
const languages: Row = ['/lang', ['hi', 'pt-BR', 'zh-Hant'], ['', 'English', 'pt_BR']];
const at = (place: string, [pointer, ...values]: Row): Row => [place + pointer, ...values];

/** A printed text: one line without space around it. Characters count, not UTF-16 units. */
const printed = (pointer: string, limit: number): Row => [
  pointer,
  ['12 (a)', 'भाग क', '🎓'.repeat(limit)],
  ['', ' 12', '12 ', '1\n2', 'N'.repeat(limit + 1)],
];

const diagram = (place: string): Row => [
  `${place}/file`,
  ['q1.png', 'fig_2.q1-a.svg'],
  ['q1.bmp', 'q1.PNG', 'q1.png.exe', '.q1.png', '../q1.png', 'q 1.png', 'q1.png\n'],
];

const paperRows: readonly Row[] = [
  moments,
  ['/marking/correct', [-1000, 0.25], ['1', -1001, 1001]],
  ['/passages/0/id', ['P_1-a', 'p'.repeat(100)], ids],
  ['/questions/0/id', ['7', 'Q_1-a', 'q'.repeat(100)], ids],
  printed('/questions/0/number', 20),
  printed('/questions/0/section', 100),
  printed('/questions/0/options/1/label', 20),
  ['/questions/0/options/1/key', ['B'], ['b', 'AB', '2', 'Ä', 'B\n']],
  diagram('/questions/0/options/1/diagram'),
  diagram('/questions/0/diagrams/0'),
  diagram('/passages/0/diagrams/0'),
  ['/questions/0/answer', ['A', 'B'], ['a', 'A,B', 'metre', ' A', 'A\n', undefined]],
  ['/questions/1/answer', ['A', 'A,B,C'], ['A, C', 'AC', 'A,', 'A;C', 'A,C\n']],
  [
    '/questions/2/answer',
    ['0', '-0.5', '2.50', '-120'],
    ['+1', '.5', '1.', '01', '1e3', '1,5', '½', '−1', '٣', '1\n'],
  ],
  ['/questions/0/accepted', [['A', 'B']], [['A'], ['A', 'A'], ['A', 'a']]],
  ['/questions/3/answer', ['A', undefined], ['a']],
  ['/questions/2/tolerance', ['0.05', '1'], ['-1', '.5']],
  at('/questions/0', languages),
  ['/questions/0/difficulty', ['easy', 'medium', 'hard', undefined], ['Easy', 'impossible']],
  ['/questions/0/dropped', [true, undefined], [false, 'yes']],
];

const codes = ['Biology', 'life sciences', '2nd-language', '../physics'];
const sourceRows: readonly Row[] = [
  ['/source/url', ['http://a.b/c?d', undefined], ['a.b', 'javascript:0', 'https://a b']],
  ['/source/title', ['A'], ['', undefined]],
];
const examRows: readonly Row[] = [
  ['/subjects/1', ['english-2', { code: 'cs', label: 'Computer Science' }], codes],
  ['/subjects/0/code', ['x-2'], codes],
  ['/topics', [undefined, {}], [{ physics: [] }, { physics: ['Units', 'Units'] }]],
  ['/form/languages', [['en', 'pt-BR']], [[], ['en', 'en'], ['English']]],
  ['/form/sections/0/attempt', [1, 10_000], [0, 2.5, 10_001]],
  ['/form/duration', [0.5], [0, 10_001]],
  languages,
  ...sourceRows,
];

const shiftRows: readonly Row[] = [
  ...sourceRows,
  printed('/edition', 40),
  ['/date', ['2019', '2019-12', undefined], ['19', '2019-6', '2019-13', '2019-06-01']],
  ['/answerKey/date', ['2024-06-04'], ['2024-06', '2024-13-01']],
  ['/answerKey/status', ['provisional', 'final'], ['Final']],
];

const exception = {
  ...{ rule: 'repeated-stem', question: 'q1', file: paperPath, pointer: '/questions/0' },
  ...{ count: 1, reason: 'Both asked it.' },
};
const exceptionRows: readonly Row[] = [
  ['/exceptions/0/pointer', ['', '/a/0', undefined], ['questions/0']],
  ['/exceptions/0/count', [1, 2], [0, 1.5]],
  ['/exceptions/0/reason', ['0123456789'], ['It is so.', undefined]],
];

const files: readonly (readonly [
  schema: string,
  kind: JsonFile['kind'],
  valid: unknown,
  rows: readonly Row[],
])[] = [
  ['subject-file', 'paper', everyFieldFiles[paperPath], paperRows],
  ['translation', 'translation', everyFieldFiles[hindiPath], [moments]],
  ['exam', 'exam', everyFieldFiles[examPath], examRows],
  ['shift', 'shift', everyFieldFiles[`${shiftPath}/shift.json`], shiftRows],
  ['exceptions', 'exceptions', { exceptions: [exception] }, exceptionRows],
];

/** Values of every type, which are right in few places. */
const oddValues = [
  undefined,
  null,
  true,
  0,
  -1,
  7.5,
  '',
  ' ',
  'odd',
  [],
  ['A'],
  [[]],
  {},
  { A: 1 },
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
  describe(`The schema of ${name} files`, () => {
    const editorAccepts = ajv.getSchema(schemas[index].$id) ?? assert.fail(name);
    const findingsIn = (value: unknown) => {
      return [
        ...schemaRule.check({ path: 'a.json', kind, state: 'parsed', value, text: '' } as JsonFile),
      ];
    };

    it('allows and rejects the values of each format', () => {
      for (const [pointer, allowed, rejected] of rows) {
        for (const value of allowed)
          assert.deepEqual(findingsIn(withValue(valid, pointer, value)), [], `${pointer} ${value}`);
        for (const value of rejected)
          assert.equal(
            findingsIn(withValue(valid, pointer, value)).length,
            1,
            `${pointer} ${value}`,
          );
      }
    });

    it('accepts in editors what the rule accepts, and the rule reports other values at their place', () => {
      const values = new Map(Array.from(valuesOf(valid), ([pointer, value]) => [pointer, value]));
      const places = [...values.keys()];
      const cases = [
        ...places.flatMap((pointer) => oddValues.map((value) => [pointer, value] as const)),
        ...places.map((pointer) => [`${pointer}/colour`, 'red'] as const),
        ...rows.flatMap(([pointer, ...both]) =>
          both.flat().map((value) => [pointer, value] as const),
        ),
      ];
      for (const [pointer, value] of cases) {
        const parent = pointer.slice(0, pointer.lastIndexOf('/'));
        const around = values.get(parent);
        const isObject = typeof around === 'object' && !Array.isArray(around);
        if (pointer.endsWith('/colour') && !isObject) continue;
        if (value === undefined && /(?:^|\/\d+)$/.test(pointer)) continue;
        const file = withValue(valid, pointer, value);
        const found = findingsIn(file);
        const what = `${pointer} ${JSON.stringify(value)}`;
        assert.equal(editorAccepts(file), found.length === 0, what);
        for (const { pointer: place = '' } of found)
          assert.ok(place.startsWith(pointer) || pointer.startsWith(place), `${what}: ${place}`);
      }
    });
  });
}

describe('A question has at most one diagnostic', () => {
  const questions: readonly Question[] = [
    { ...sampleQuestions.mcq, accepted: ['A', 'B'] },
    { ...sampleQuestions.msq, accepted: ['A,C', 'C'] },
    { ...sampleQuestions.numerical, accepted: ['2.25', '2.3'] },
  ];
  const invalid = ['', 'x', ' ', 'Easy', 0, -1, true, false, null, {}, [], ['x'], [{}], [[]]];
  for (const question of questions) {
    const places = [...valuesOf(question)].filter(([pointer]) => !['', '/id'].includes(pointer));
    const changed = places.flatMap(([pointer, valid]) => {
      const parent = pointer.slice(0, pointer.lastIndexOf('/'));
      const values = invalid.filter((value) => JSON.stringify(value) !== JSON.stringify(valid));
      const without = withValue(question, pointer, undefined);
      const names = ['/x', `${pointer.slice(parent.length)}s`];
      return [
        ...values.map((value) => withValue(question, pointer, value)),
        ...(/\/\d+$/.test(pointer)
          ? []
          : [without, ...names.map((name) => withValue(without, `${parent}${name}`, valid))]),
      ];
    });

    it(`for an invalid, missing or misspelt property of type ${question.type}`, async () => {
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
});

/** Snippets as Visual Studio Code inserts them, with the proposed text (or the first choice) at each place. */
function snippetsOf(name: string, definition: string): Map<string, never> {
  const { $defs } = schemas[files.findIndex(([one]) => one === name)];
  const snippets: readonly { readonly label: string; readonly body: object }[] =
    $defs[definition].defaultSnippets;
  return new Map(
    snippets.map(({ label, body }) => {
      const text = JSON.stringify(body).replace(/\$\{\d+(?::([^}]*)|\|([^,|]*)[^}]*)\}/g, '$1$2');
      return [label, JSON.parse(text) as never];
    }),
  );
}

describe('A snippet of the editor inserts valid content:', () => {
  const { mcq } = sampleQuestions;
  const questions = snippetsOf('subject-file', 'question');
  const [diagram] = snippetsOf('subject-file', 'diagram').values();
  const { file } = diagram as unknown as { readonly file: string };
  const exceptions = snippetsOf('exceptions', 'exception');
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
