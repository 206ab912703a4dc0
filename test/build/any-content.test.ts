import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Diagnostic } from '../../build/check/diagnostic.ts';
import type { Question } from '../../build/content/types.ts';
import { type BankFolder, type Files, makeBank, paperOf, paperPath, sampleQuestions } from './bank-folder.ts';
import { validated } from './validated.ts';

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
  ...['$', '$$', '\\', '\\(', '$\\frac{1}$', '<b>', '&lt;', '\u200d', '\ud800', 'Ã©', 'e\u0301', '%'],
);

/** JSON of any shape, in the words of content files. */
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

/** What is found in a bank whose files are these now. The bank is written over: folders cost more than files. */
async function foundIn(bank: BankFolder, files: Files): Promise<readonly Diagnostic[]> {
  for (const [path, content] of Object.entries(files)) await bank.write(path, content);
  return (await validated(bank.dir)).report.diagnostics;
}

/** What is wrong with it is told: nothing is thrown, and every place is one. */
async function assertTold(bank: BankFolder, files: Files): Promise<void> {
  const diagnostics = await foundIn(bank, files);
  for (const { line, column, endLine, endColumn, message } of diagnostics) {
    assert.ok(line >= 1 && column >= 1, message);
    assert.ok(endLine > line || (endLine === line && endColumn >= column), message);
  }
}

const runs = { numRuns: 50 };

describe('Whatever a file holds, it is told and nothing is thrown:', () => {
  it('JSON of any shape as paper, exam file or list of exceptions', async () => {
    const bank = await makeBank();
    await fc.assert(
      fc.asyncProperty(json, json, json, (paper, exam, exceptions) =>
        assertTold(bank, {
          [paperPath]: JSON.stringify(paper),
          'jeemain/exam.json': JSON.stringify(exam),
          'exceptions.json': JSON.stringify(exceptions),
        }),
      ),
      runs,
    );
  });

  it('a question with any value in the place of one of its own', async () => {
    const bank = await makeBank();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.values(sampleQuestions)),
        names,
        json,
        (question, name, value) =>
          assertTold(bank, { [paperPath]: JSON.stringify(paperOf({ ...question, [name]: value })) }),
      ),
      runs,
    );
  });

  it('a question with any texts', async () => {
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
        return assertTold(bank, { [paperPath]: paperOf({ ...sampleQuestions.mcq, question, options }) });
      }),
      runs,
    );
  });

  it('any bytes as paper, exam file or diagram', async () => {
    const bank = await makeBank();
    await fc.assert(
      fc.asyncProperty(bytes, bytes, bytes, (paper, exam, image) =>
        assertTold(bank, {
          [paperPath]: paper,
          'jeemain/exam.json': exam,
          'neet/2024/2024-05-05-s1/diagrams/q1.svg': Buffer.concat([Buffer.from('<svg '), image]),
        }),
      ),
      runs,
    );
  });
});

describe('One value that is wrong is one mistake:', () => {
  const full: readonly Question[] = [
    { ...sampleQuestions.mcq, accepted: ['A', 'B'] },
    { ...sampleQuestions.msq, accepted: ['A,C', 'C'] },
    { ...sampleQuestions.numerical, accepted: ['2.25', '2.3'] },
  ];
  const wrong: readonly unknown[] = [
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

  for (const question of full) {
    it(`in a question of the type ${question.type}`, async () => {
      const bank = await makeBank();
      for (const [pointer, right] of valuesOf(question)) {
        for (const value of wrong) {
          if (JSON.stringify(value) === JSON.stringify(right)) continue;
          const diagnostics = await foundIn(bank, {
            [paperPath]: paperOf(changed(question, pointer, value)),
          });
          const shown = `${pointer} = ${JSON.stringify(value)}: ${JSON.stringify(diagnostics.map(({ message }) => message))}`;
          assert.ok(diagnostics.length <= 1, shown);
        }
      }
    });

    it(`and one that is missing or has another name, of the type ${question.type}`, async () => {
      const bank = await makeBank();
      for (const [pointer] of valuesOf(question)) {
        if (/\/\d+$/.test(pointer)) continue;
        for (const name of [undefined, 'x', `${pointer.slice(pointer.lastIndexOf('/') + 1)}s`]) {
          const diagnostics = await foundIn(bank, { [paperPath]: paperOf(renamed(question, pointer, name)) });
          const shown = `${pointer} as ${name}: ${JSON.stringify(diagnostics.map(({ message }) => message))}`;
          assert.ok(diagnostics.length <= 1, shown);
        }
      }
    });
  }
});

/** Every value in a value but itself, with the pointer to it. */
function valuesOf(value: unknown, pointer = ''): [pointer: string, value: unknown][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]): [string, unknown][] => [
    [`${pointer}/${name}`, inner],
    ...valuesOf(inner, `${pointer}/${name}`),
  ]);
}

function changed(question: Question, pointer: string, value: unknown): Question {
  const copy = structuredClone(question);
  const [holder, name] = holderOf(copy, pointer);
  holder[name] = value;
  return copy;
}

/** @param name instead of its own; undefined leaves the property out */
function renamed(question: Question, pointer: string, name: string | undefined): Question {
  const copy = structuredClone(question);
  const [holder, own] = holderOf(copy, pointer);
  if (name !== undefined) holder[name] = holder[own];
  delete holder[own];
  return copy;
}

function holderOf(question: Question, pointer: string): [Record<string, unknown>, string] {
  const names = pointer.split('/').slice(1);
  const last = names.pop() ?? '';
  const holder = names.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], question);
  return [holder as Record<string, unknown>, last];
}
