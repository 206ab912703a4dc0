/** What only a whole bank shows: the order of a report, what follows from what, exit status, and what a build does. */
import assert from 'node:assert/strict';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Diagnostic } from '../../build/check/diagnostic.ts';
import type { Question } from '../../build/content/written.ts';
import { defaultBank } from '../../build/release/config.ts';
import { allRules } from '../../build/rules/rules.ts';
import {
  BankFolder,
  type Files,
  makeBank,
  paperOf,
  paperPath,
  sampleQuestions,
  shiftPath,
  temporaryFolder,
  testNow,
} from './bank-folder.ts';
import { cases } from './cases/all-cases.ts';
import { isQuestion, unmarked } from './cases/rule-case.ts';
import { png } from './image-bytes.ts';
import { buildFolder } from './release-folder.ts';
import { validateFolder } from './validate-folder.ts';

const clean = fileURLToPath(new URL('corpus/bank', import.meta.url));
const physics = 'neet/2024/2024-05-05-s1/physics.json';
const biology = 'neet/2024/2024-05-05-s1/biology.json';
const laterBiology = 'neet/2025/2025-05-04-s1/biology.json';
const mathematics = 'jeemain/2025/2025-01-22-s1/mathematics.json';
const line = 'jeemain/2025/2025-01-22-s1/diagrams/jeemain-2025-01-22-s1-mathematics-02.png';
const exceptions = 'exceptions.json';

/** Replaces text in a file. */
type Edit = readonly [file: string, right: string, wrong: string];

interface ChangedBank {
  readonly title: string;
  readonly edits?: readonly Edit[];
  readonly make?: (bank: BankFolder) => Promise<unknown>;
  /** Each diagnostic as `rule file:line:column`, in order. */
  readonly found: readonly string[];
}

/** Mistakes in the valid bank: rules must not disturb each other, nor report what follows from another mistake. */
const changedBanks: readonly ChangedBank[] = [
  {
    title: 'mistakes of several files and kinds, in the order of their places',
    edits: [
      [physics, '"answer": "C"', '"answer": "E"'],
      [physics, 'Schrödinger', 'SchrÃ¶dinger'],
      [physics, '"hard"', '"Hard"'],
      [physics, '"27"', '"-0"'],
      [biology, 'holds chlorophyll?', 'holds \\\\alpha?'],
      [mathematics, '"A,C"', '"C,A"'],
    ],
    make: (bank) => bank.write('neet/2024/notes.txt', 'To do'),
    found: [
      `answer-among-options ${mathematics}:14:17`,
      `latex-outside-formula ${biology}:20:53`,
      `answer-among-options ${physics}:15:17`,
      `numerical-answer ${physics}:44:17`,
      `mojibake ${physics}:51:24`,
      `schema ${physics}:60:21`,
      'stray-file neet/2024/notes.txt:1:1',
    ],
  },
  {
    title: 'nothing but the syntax of a file that is not JSON, and mistakes in others',
    edits: [
      [physics, '"answer": "C",', '"answer": "E"'],
      [physics, '"id": "neet-2024-05-05-s1-physics-02"', '"id": "neet-2024-05-05-s1-physics-01"'],
      [mathematics, '"A,C"', '"C,A"'],
    ],
    found: [`answer-among-options ${mathematics}:14:17`, `syntax ${physics}:16:7`],
  },
  {
    title:
      'all that a schema error does not concern: ids, diagrams, answers, texts, and the time of the update',
    edits: [
      [physics, '"easy"', '"Easy"'],
      [physics, '"answer": "C"', '"answer": "E"'],
      [physics, '"2024-06-01T10:00:00Z"', '"2204-06-01T10:00:00Z"'],
      [physics, '"medium",\n', '"medium",\n      "width": 2,\n'],
      [
        biology,
        '"questions"',
        '"passages": [{ "id": "p1", "text": "If a &lt; b." }],\n  "questions"',
      ],
      [biology, '"topic": "Cell', '"passage": "p1", "topik": "Cell'],
      [biology, '"neet-2024-05-05-s1-biology-02"', '"neet-2024-05-05-s1-physics-01"'],
    ],
    async make(bank) {
      await bank.write(`${dirname(physics)}/diagrams/unused.png`, png(2, 2));
      // A question of a file that breaks its schema may use the passage.
      const question = { ...sampleQuestions.numerical, id: 'neet-2024-05-05-s1-chemistry-01' };
      const passages = [{ id: 'p2', text: 'Salt dissolves.' }];
      await bank.write(`${dirname(physics)}/chemistry.json`, { ...paperOf(question), passages });
    },
    found: [
      `html ${biology}:4:44`,
      `id-place ${biology}:19:13`,
      `schema ${biology}:27:24`,
      `unused-diagram ${dirname(physics)}/diagrams/unused.png:1:1`,
      `updated ${physics}:3:18`,
      `unique-ids ${physics}:6:13`,
      `answer-among-options ${physics}:15:17`,
      `schema ${physics}:17:21`,
      `schema ${physics}:32:7`,
    ],
  },
  {
    title: "mistakes in formulas between LaTeX's own delimiters, and in those beside them",
    edits: [
      [
        biology,
        'holds chlorophyll?',
        'is \\\\(\\\\farc{1}{2}\\\\) or $\\\\sqr{2}$ or \\\\[ x \\\\]?',
      ],
    ],
    found: [
      `formula-delimiters ${biology}:20:50`,
      `formula ${biology}:20:53`,
      `formula ${biology}:20:73`,
      `formula-delimiters ${biology}:20:86`,
    ],
  },
  {
    title: 'a shift with a date that does not exist, but not its ids and the exception for it',
    edits: [[exceptions, '2025-05-04-s1', '2025-05-34-s1']],
    make: ({ dir }) =>
      rename(join(dir, 'neet/2025/2025-05-04-s1'), join(dir, 'neet/2025/2025-05-34-s1')),
    found: ['shift-name neet/2025/2025-05-34-s1/biology.json:1:1'],
  },
  {
    title: 'a warning about a copied question, beside an exception for another',
    edits: [
      [
        laterBiology,
        'In a cross of two plants that are $Tt$, what share of the offspring is $tt$?',
        'Which part of a plant cell  holds chlorophyll?',
      ],
      [laterBiology, '"$\\\\frac{1}{4}$"', '"Chloroplast"'],
      [laterBiology, '"$\\\\frac{1}{2}$" },', '"Nucleus" }'],
      [laterBiology, '        { "key": "C", "value": "$\\\\frac{3}{4}$" }\n', ''],
    ],
    found: [`repeated-stem ${laterBiology}:20:19`],
  },
];

/** Copies the valid bank and changes it. */
async function changeBank({ edits = [], make }: Partial<ChangedBank>): Promise<BankFolder> {
  const bank = new BankFolder(await temporaryFolder());
  await cp(clean, bank.dir, { recursive: true });
  for (const [file, right, wrong] of edits) {
    const text = await readFile(join(bank.dir, file), 'utf8');
    assert.ok(text.includes(right), `${file} has no ${right}`);
    await writeFile(
      join(bank.dir, file),
      text.replace(right, () => wrong),
    );
  }
  await make?.(bank);
  return bank;
}

async function diagnosticsOf({ dir }: BankFolder): Promise<readonly Diagnostic[]> {
  return (await validateFolder(dir)).report.diagnostics;
}

describe('Validation', () => {
  it('reports nothing in a valid bank', async () => {
    assert.deepEqual(await diagnosticsOf(new BankFolder(clean)), []);
  });

  for (const changed of changedBanks) {
    it(`reports ${changed.title}`, async () => {
      const diagnostics = await diagnosticsOf(await changeBank(changed));
      assert.deepEqual(
        diagnostics.map(({ rule, file, line, column }) => `${rule} ${file}:${line}:${column}`),
        changed.found,
      );
    });
  }
});

describe('A build', () => {
  it('reports the same as validation, and publishes nothing if there is an error', async () => {
    const bank = await changeBank(changedBanks[0] ?? {});
    const { report, publication } = await buildFolder(bank.dir, await temporaryFolder());
    assert.deepEqual(report.diagnostics, await diagnosticsOf(bank));
    assert.equal(publication, undefined);
  });

  it('publishes a bank with exceptions to the rules that allow them', async () => {
    const nonStrict = allRules.filter(({ strict }) => !strict).map(({ name }) => name);
    // The first invalid question of each rule that has one.
    const questions = nonStrict.flatMap((name, index) => {
      const [content] = (cases[name] ?? [])
        .filter(({ found }) => found.length > 0)
        .flatMap(({ content: one }) => (isQuestion(one) ? [one] : []));
      return content
        ? [
            {
              ...(JSON.parse(String(unmarked(JSON.stringify(content)))) as Question),
              id: `c${index}`,
            },
          ]
        : [];
    });
    const section = { name: 'A', subject: 'physics', questions: 1, attempt: 2 };
    const wrongForm = { duration: 60, totalMarks: 4, sections: [section] };
    const bank = await changeBank({
      edits: [
        [
          'neet/exam.json',
          '"biology"]',
          `"biology"], "topics": { "physics": ["Units"] }, "form": ${JSON.stringify(wrongForm)}`,
        ],
        [physics, '"neet-2024-05-05-s1-physics-04"', '"neet-2024-05-05-s1-biology-94"'],
        [
          mathematics,
          '"A line through the origin with slope one, and the point P at (0, 3.5)."',
          '"Diagram"',
        ],
        [
          mathematics,
          '"lastUpdated"',
          '"passages": [{ "id": "p1", "text": "A *passage*." }], "lastUpdated"',
        ],
      ],
      make: async (changed) => {
        await changed.write('notes.txt', 'To do');
        await changed.write(`${dirname(mathematics)}/diagrams/unused.png`, png(2, 2));
        await rename(join(changed.dir, line), join(changed.dir, dirname(line), 'line.png'));
        await changed.set(mathematics, '/questions/1/diagrams/0/file', 'line.png');
        await changed.set(mathematics, '/questions/1/question', 'Look: ![](circle.png)');
        await changed.set(physics, '/questions/0/section', 'B');
        await changed.set(mathematics, '/questions/0/number', '1');
        await changed.set(mathematics, '/questions/1/number', '1');
        await changed.set(mathematics, '/lastUpdated', '2204-06-01T10:00:00Z');
        await mkdir(join(changed.dir, 'neet/2025/2025-05-04-s2'));
        await changed.write(`${dirname(physics)}/shift.json`, { date: '2024' });
        await changed.write(`${dirname(physics)}/chemistry.json`, paperOf(...questions));
        await changed.write(
          `${dirname(biology)}/biology.hi.json`,
          JSON.stringify({
            lastUpdated: '2024-06-01T10:00:00Z',
            questions: [
              { id: 'neet-2024-05-05-s1-biology-01', question: '$1$', options: hindiOptions },
              { id: 'neet-2024-05-05-s1-biology-02', question: '$2$', options: hindiOptions },
            ],
          }),
        );
        await rm(join(changed.dir, exceptions));
      },
    });
    const config = { ...defaultBank, requireSource: true };
    const { diagnostics } = (await validateFolder(bank.dir, testNow, config)).report;
    const broken = new Set(diagnostics.map(({ rule }) => rule));
    assert.deepEqual(
      nonStrict.filter((name) => !broken.has(name)),
      [],
    );
    await bank.write(exceptions, {
      exceptions: diagnostics.map(({ rule, file, pointer }) => {
        return { rule, file, pointer, reason: 'An exception for a test.' };
      }),
    });
    const { report, publication } = await buildFolder(
      bank.dir,
      await temporaryFolder(),
      undefined,
      config,
    );
    assert.deepEqual(report.diagnostics, []);
    assert.ok(publication);
  });
});

const hindiOptions = ['A', 'B'].map((key) => ({ key, value: `${key} मान` }));

const { mcq } = sampleQuestions;
const biologyPath = `${shiftPath}/biology.json`;
const reason = 'An exception for a test.';
const repeated = { ...mcq, id: 'q2' };
const sameText = { ...mcq, options: mcq.options.map((option) => ({ ...option, value: 'm' })) };
const ofRepeated = {
  rule: 'repeated-stem',
  file: paperPath,
  pointer: '/questions/0/question',
  reason,
};
const ofSameText = {
  rule: 'option-texts',
  file: paperPath,
  pointer: '/questions/0/options/1/value',
  reason,
};

/** The rules that a bank breaks, whose biology paper has the same question as its physics paper. */
async function rulesBroken(exceptions: readonly object[], files: Files = {}): Promise<string[]> {
  const bank = await makeBank({
    ...{ [biologyPath]: paperOf(mcq), [paperPath]: paperOf(repeated) },
    ...files,
    'exceptions.json': { exceptions },
  });
  const { diagnostics } = (await validateFolder(bank.dir)).report;
  return diagnostics.map(({ rule, pointer }) => (rule === 'schema' ? `${rule} ${pointer}` : rule));
}

describe('An exception', () => {
  it('is not reported as unneeded while its file cannot be parsed', async () => {
    const files = { [biologyPath]: paperOf({ ...mcq, id: 'q3', question: 'Which?' }) };
    assert.deepEqual(
      await rulesBroken([ofSameText], { ...files, [paperPath]: paperOf(sameText) }),
      [],
    );
    assert.deepEqual(await rulesBroken([ofSameText], { ...files, [paperPath]: '{' }), ['syntax']);
  });

  it('is not reported as unneeded while another file that it depends on cannot be parsed', async () => {
    assert.deepEqual(await rulesBroken([ofRepeated]), []);
    assert.deepEqual(await rulesBroken([ofRepeated], { [biologyPath]: '{' }), ['syntax']);
  });

  it('applies even if another one in the list is invalid', async () => {
    const expected = ['schema /exceptions/1', 'schema /exceptions/1/rule'];
    assert.deepEqual(await rulesBroken([ofRepeated, { rule: 7 }]), expected);
  });

  it('hides no problem of another question, file or folder', async () => {
    for (const name of [
      { question: 'q1' },
      { file: biologyPath },
      { file: 'neet/202' },
      { file: 'neet/2024/*.json' },
    ])
      assert.deepEqual(await rulesBroken([{ rule: 'repeated-stem', ...name, reason }]), [
        'exception',
        'repeated-stem',
      ]);
  });

  it('hides no problem of another rule', async () => {
    const wrong = { [paperPath]: paperOf({ ...repeated, answer: 'Z' }) };
    assert.deepEqual(await rulesBroken([ofRepeated], wrong), ['answer-among-options']);
  });
});
