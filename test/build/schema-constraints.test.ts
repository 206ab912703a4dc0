import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';
import type { SubjectFile } from '../../build/content/types.ts';
import {
  type BankFolder,
  examPath,
  type Files,
  makeBank,
  paperOf,
  paperPath,
  sampleQuestions,
  shiftPath,
} from './bank-folder.ts';
import { typedAnswerRows } from './constraints/answers.ts';
import type { ConstraintRow } from './constraints/constraint-row.ts';
import { examFileRows } from './constraints/exam-file.ts';
import { exceptionsFile, exceptionsFileRows } from './constraints/exceptions-file.ts';
import { questionRows } from './constraints/question.ts';
import { constraintsOf, removeConstraints } from './constraints/schema-keywords.ts';
import { subjectFileRows } from './constraints/subject-file.ts';
import { translationFile, translationPath, translationRows } from './constraints/translation-file.ts';
import { png } from './image-bytes.ts';
import { validateFolder } from './validate-folder.ts';

interface ConstrainedFile {
  readonly schema: string;
  readonly path: string;
  /** Files of the bank besides the paper and its exam. */
  readonly files: Files;
  readonly rows: readonly ConstraintRow[];
}

const files: readonly ConstrainedFile[] = [
  { schema: 'exam.schema.json', path: examPath, files: {}, rows: examFileRows },
  {
    schema: 'subject-file.schema.json',
    path: paperPath,
    files: {},
    rows: [...subjectFileRows, ...questionRows, ...typedAnswerRows],
  },
  {
    schema: 'translation.schema.json',
    path: translationPath,
    files: { [translationPath]: translationFile },
    rows: translationRows,
  },
  {
    schema: 'exceptions.schema.json',
    path: 'exceptions.json',
    // With this paper, the bank needs the exception.
    files: {
      [`${shiftPath}/biology.json`]: paperOf({ ...sampleQuestions.mcq, id: 'q2' }),
      'exceptions.json': exceptionsFile,
    },
    rows: exceptionsFileRows,
  },
];

for (const { schema, path, files: others, rows } of files) {
  const schemaText = await readFile(new URL(`../../content/schema/${schema}`, import.meta.url), 'utf8');

  describe(`The schema ${schema}`, () => {
    for (const row of rows) {
      const { constraints, at, passes, fails, message = '', pointer = at } = row;
      const title = `${constraints.join(' and ')}, ${JSON.stringify(fails)?.slice(0, 40) ?? 'left out'}`;

      for (const value of passes) {
        it(`allows ${JSON.stringify(value)?.slice(0, 60) ?? 'nothing'} at ${at}`, async () => {
          const bank = await changedBank({ path, files: others }, row, value);
          await addDiagrams(bank);
          assert.deepEqual((await validateFolder(bank.dir)).report.diagnostics, []);
        });
      }

      it(`rejects a violation of ${title} with one diagnostic`, async () => {
        const bank = await changedBank({ path, files: others }, row, fails);
        const { report } = await validateFolder(bank.dir);
        // An invalid exception no longer hides the problem that it is for.
        const diagnostics = report.diagnostics.filter(({ rule }) => rule !== 'repeated-stem');
        assert.deepEqual(
          diagnostics.map(({ rule, severity, file, pointer }) => ({ rule, severity, file, pointer })),
          [{ rule: 'schema', severity: 'error', file: path, pointer }],
          JSON.stringify(diagnostics),
        );
        assert.ok(diagnostics[0]?.message.includes(message), diagnostics[0]?.message);
      });

      it(`rejects a violation of ${title} by that constraint alone`, async () => {
        const bank = await changedBank({ path, files: others }, row, fails);
        const file = await readJson(bank, path);
        assert.equal(accepts(schemaText, constraints, file), true, 'another constraint rejects it too');
        for (const constraint of constraints) {
          const others = constraints.filter((name) => name !== constraint);
          assert.equal(accepts(schemaText, others, file), false, `${constraint} does not reject it`);
        }
      });
    }

    it('has an invalid file for each constraint', () => {
      const covered = new Set(rows.flatMap(({ constraints }) => constraints));
      const all = constraintsOf(JSON.parse(schemaText));
      assert.ok(all.length > 0);
      assert.deepEqual(
        all.filter((constraint) => !covered.has(constraint)),
        [],
      );
    });
  });
}

async function changedBank(
  { path, files: others }: Pick<ConstrainedFile, 'path' | 'files'>,
  { question, at }: ConstraintRow,
  value: unknown,
): Promise<BankFolder> {
  const bank = await makeBank({ [paperPath]: paperOf(question ?? sampleQuestions.mcq), ...others });
  await bank.set(path, at, value);
  return bank;
}

/** Adds the diagrams that the paper names, without which the bank is invalid. */
async function addDiagrams(bank: BankFolder): Promise<void> {
  const { questions } = (await readJson(bank, paperPath)) as SubjectFile;
  for (const { file } of questions.flatMap(({ diagrams = [] }) => diagrams)) {
    await bank.write(`${shiftPath}/diagrams/${file}`, png(2, 2));
  }
}

async function readJson(bank: BankFolder, path: string): Promise<unknown> {
  return JSON.parse(await readFile(join(bank.dir, path), 'utf8'));
}

const validators = new Map<string, ValidateFunction>();
const ajv = new Ajv2020({ strict: false, addUsedSchema: false });
formatsPlugin.default(ajv);

/** Whether the schema without some constraints accepts the file. Does not use the build's settings of Ajv. */
function accepts(schemaText: string, dropped: readonly string[], file: unknown): boolean {
  const key = `${schemaText} ${dropped}`;
  const cached = validators.get(key);
  if (cached) return cached(file);
  const validate = ajv.compile(removeConstraints(JSON.parse(schemaText), dropped));
  validators.set(key, validate);
  return validate(file);
}
