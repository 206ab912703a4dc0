import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Diagnostic } from '../../build/check/diagnostic.ts';
import type { Question } from '../../build/content/types.ts';
import { type BankFolder, type Files, makeBank, paperOf, paperPath, sampleQuestions } from './bank-folder.ts';
import { validateFolder } from './validate-folder.ts';

const names = fc.constantFrom(
  ...['lastUpdated', 'questions', 'exceptions', 'subjects', 'label', 'rule', 'file', 'pointer', '$schema'],
  ...[
    'id',
    'type',
    'question',
    'options',
    'answer',
    'topic',
    'difficulty',
    'diagrams',
    'accepted',
    'dropped',
  ],
  ...['key', 'value', 'alt', '__proto__', 'toString', 'constructor', ''],
);
const words = fc.constantFrom(
  ...['mcq', 'msq', 'numerical', 'easy', 'A', 'A,B', '2.5', '-0', '2024-06-01T10:00:00Z', 'q1.png'],
  ...['**', '> ', '\n- ', '1. ', '![](q1.png)', '|a|\n|-|\n', '`', '\\ce{'],
  ...['$', '$$', '\\', '\\(', '$\\frac{1}$', '<b>', '&lt;', '\u200d', '\ud800', 'Ã©', 'e\u0301', '%'],
);

/** JSON of any shape, with the property names and values of content files. */
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.oneof(words, fc.string({ unit: 'binary', maxLength: 20 }), fc.jsonValue({ maxDepth: 1 })),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(names, tie('json'), { maxKeys: 8, noNullPrototype: true }),
  ),
}));

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc
    .string({ unit: fc.constantFrom(...'{}[]",:\\ \n\t/*abu019.-+eE\'#'), maxLength: 80 })
    .map((text) => Buffer.from(text)),
);

/** Validates a bank after writing these files to it. The bank is reused, because creating folders is slow. */
async function diagnosticsOf(bank: BankFolder, files: Files): Promise<readonly Diagnostic[]> {
  for (const [path, content] of Object.entries(files)) await bank.write(path, content);
  return (await validateFolder(bank.dir)).report.diagnostics;
}

/** Asserts that validation throws nothing, and that every diagnostic has a valid place. */
async function assertValidDiagnostics(bank: BankFolder, files: Files): Promise<void> {
  const diagnostics = await diagnosticsOf(bank, files);
  for (const { line, column, endLine, endColumn, message } of diagnostics) {
    assert.ok(line >= 1 && column >= 1, message);
    assert.ok(endLine > line || (endLine === line && endColumn >= column), message);
  }
}

const runs = { numRuns: 50 };

describe('Validation returns diagnostics and does not throw for', () => {
  it('any JSON as a paper, exam file or list of exceptions', async () => {
    const bank = await makeBank();
    await fc.assert(
      fc.asyncProperty(json, json, json, (paper, exam, exceptions) =>
        assertValidDiagnostics(bank, {
          [paperPath]: JSON.stringify(paper),
          'jeemain/exam.json': JSON.stringify(exam),
          'exceptions.json': JSON.stringify(exceptions),
        }),
      ),
      runs,
    );
  });

  it('a question with any value in one of its properties', async () => {
    const bank = await makeBank();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.values(sampleQuestions)),
        names,
        json,
        (question, name, value) =>
          assertValidDiagnostics(bank, {
            [paperPath]: JSON.stringify(paperOf({ ...question, [name]: value })),
          }),
      ),
      runs,
    );
  });

  it('a question with any question text and option text', async () => {
    const bank = await makeBank();
    const text = fc
      .array(fc.oneof(words, fc.string({ unit: 'grapheme', maxLength: 8 })), { minLength: 1 })
      .map((all) => all.join(''));
    await fc.assert(
      fc.asyncProperty(text, text, (question, value) => {
        const options = [
          { key: 'A', value },
          { key: 'B', value: 'B' },
        ];
        return assertValidDiagnostics(bank, {
          [paperPath]: paperOf({ ...sampleQuestions.mcq, question, options }),
        });
      }),
      runs,
    );
  });

  it('any bytes as a paper, exam file or diagram', async () => {
    const bank = await makeBank();
    await fc.assert(
      fc.asyncProperty(bytes, bytes, bytes, (paper, exam, image) =>
        assertValidDiagnostics(bank, {
          [paperPath]: paper,
          'jeemain/exam.json': exam,
          'neet/2024/2024-05-05-s1/diagrams/q1.svg': Buffer.concat([Buffer.from('<svg '), image]),
        }),
      ),
      runs,
    );
  });
});

describe('Validation reports at most one diagnostic', () => {
  const questionsWithAllFields: readonly Question[] = [
    { ...sampleQuestions.mcq, accepted: ['A', 'B'] },
    { ...sampleQuestions.msq, accepted: ['A,C', 'C'] },
    { ...sampleQuestions.numerical, accepted: ['2.25', '2.3'] },
  ];
  const invalidValues: readonly unknown[] = [
    '',
    'x',
    ' ',
    'Easy',
    0,
    -1,
    true,
    false,
    null,
    {},
    [],
    ['x'],
    [{}],
    [[]],
  ];

  for (const question of questionsWithAllFields) {
    it(`for an invalid value in a question of type ${question.type}`, async () => {
      const bank = await makeBank();
      for (const [pointer, validValue] of valuesOf(question)) {
        for (const value of invalidValues) {
          if (JSON.stringify(value) === JSON.stringify(validValue)) continue;
          const diagnostics = await diagnosticsOf(bank, {
            [paperPath]: paperOf(changed(question, pointer, value)),
          });
          const shown = `${pointer} = ${JSON.stringify(value)}: ${JSON.stringify(diagnostics.map(({ message }) => message))}`;
          assert.ok(diagnostics.length <= 1, shown);
        }
      }
    });

    it(`for a missing or misspelt property in a question of type ${question.type}`, async () => {
      const bank = await makeBank();
      for (const [pointer] of valuesOf(question)) {
        if (/\/\d+$/.test(pointer)) continue;
        for (const name of [undefined, 'x', `${pointer.slice(pointer.lastIndexOf('/') + 1)}s`]) {
          const diagnostics = await diagnosticsOf(bank, {
            [paperPath]: paperOf(renamed(question, pointer, name)),
          });
          const shown = `${pointer} as ${name}: ${JSON.stringify(diagnostics.map(({ message }) => message))}`;
          assert.ok(diagnostics.length <= 1, shown);
        }
      }
    });
  }
});

/** Every value inside a value, with its JSON pointer. */
function valuesOf(value: unknown, pointer = ''): [pointer: string, value: unknown][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]): [string, unknown][] => [
    [`${pointer}/${name}`, inner],
    ...valuesOf(inner, `${pointer}/${name}`),
  ]);
}

function changed(question: Question, pointer: string, value: unknown): Question {
  const copy = structuredClone(question);
  const [parent, name] = parentOf(copy, pointer);
  parent[name] = value;
  return copy;
}

/** @param name the new name; undefined removes the property */
function renamed(question: Question, pointer: string, name: string | undefined): Question {
  const copy = structuredClone(question);
  const [parent, oldName] = parentOf(copy, pointer);
  if (name !== undefined) parent[name] = parent[oldName];
  delete parent[oldName];
  return copy;
}

function parentOf(question: Question, pointer: string): [Record<string, unknown>, string] {
  const names = pointer.split('/').slice(1);
  const last = names.pop() ?? '';
  const parent = names.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], question);
  return [parent as Record<string, unknown>, last];
}
