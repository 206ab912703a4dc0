import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { bankRules, paperRules } from '../../build/check/rules.ts';
import type { Diagnostic } from '../../build/report/diagnostic.ts';
import { validateContent } from '../../build/validate.ts';
import { makeBank, makeFolderOf, paperOf, paperPath, sampleQuestions, shiftPath } from './bank-folder.ts';
import { bankCases } from './cases/bank-cases.ts';
import { paperCases } from './cases/paper-cases.ts';
import { placeCases } from './cases/place-cases.ts';
import type { Found, RuleCase } from './cases/rule-case.ts';
import { png } from './image-bytes.ts';

const rules = [...bankRules, ...paperRules];
const cases: readonly RuleCase[] = [...placeCases, ...bankCases, ...paperCases];

for (const { name, severity, description } of rules) {
  describe(`${name}: ${description}`, () => {
    for (const { shows, files, found } of cases.filter(({ rule }) => rule === name)) {
      it(shows, async () => {
        const { dir } = await makeFolderOf(files);
        const { diagnostics } = (await validateContent(dir)).report;
        assert.deepEqual(diagnostics.map(asFound), found);
        for (const diagnostic of diagnostics) {
          assert.deepEqual([diagnostic.rule, diagnostic.severity], [name, severity]);
          await assertPlaceIsThePointers(dir, diagnostic);
        }
      });
    }

    it('has a case that keeps it and one that breaks it', () => {
      const own = cases.filter(({ rule }) => rule === name);
      assert.ok(own.some(({ found }) => found.length === 0));
      assert.ok(own.some(({ found }) => found.length > 0));
    });
  });
}

describe('The rules', () => {
  it('have names of their own', () => {
    const names = rules.map(({ name }) => name);
    assert.deepEqual([...new Set(names)], names);
  });

  it('are all that the cases are about', () => {
    const known = new Set(rules.map(({ name }) => name));
    assert.deepEqual(
      cases.filter(({ rule }) => !known.has(rule)),
      [],
    );
  });

  it('pass over a file that broke its schema: its subjects and its questions are not known', async () => {
    const bank = await makeBank({ 'neet/exam.json': { label: 'NEET' } });
    await bank.write(`${shiftPath}/mathematics.json`, paperOf());
    const { diagnostics } = (await validateContent(bank.dir)).report;
    assert.deepEqual(
      diagnostics.map(({ file, message }) => [file, message]),
      [
        [`${shiftPath}/mathematics.json`, 'At least one item belongs here.'],
        ['neet/exam.json', 'The property "subjects" is missing.'],
      ],
    );
  });

  it('do not call a diagram unused while the paper that may name it cannot be read', async () => {
    const drawn = { ...sampleQuestions.mcq, diagrams: [{ file: 'q1.png', alt: 'A ruler.' }] };
    const bank = await makeBank({ [paperPath]: paperOf(drawn), [`${shiftPath}/diagrams/q1.png`]: png(2, 2) });
    await bank.set(paperPath, '/questions/0/topic', '');
    const { diagnostics } = (await validateContent(bank.dir)).report;
    assert.deepEqual(
      diagnostics.map(({ rule, message }) => [rule, message]),
      [['schema', 'The text is empty.']],
    );
  });

  it('refuses a year that is no 4-digit integer: the service would publish 0999 as 999', async () => {
    const { dir } = await makeFolderOf({
      'neet/exam.json': { label: 'NEET', subjects: ['physics'] },
      'neet/0999/0999-05-05-s1/physics.json': paperOf(sampleQuestions.mcq),
    });
    assert.equal((await validateContent(dir)).report.summary.errors, 1);
  });
});

function asFound(diagnostic: Diagnostic): Found {
  const { message, file, pointer, line, column, endLine, endColumn, related } = diagnostic;
  return {
    message,
    file,
    pointer,
    at: `${line}:${column}-${endLine}:${endColumn}`,
    ...(related && {
      related: related.map((place) => ({
        message: place.message,
        file: place.file,
        at: `${place.line}:${place.column}`,
      })),
    }),
  };
}

/** The text between start and end is the JSON of the value that the pointer names, found here without the build. */
async function assertPlaceIsThePointers(dir: string, diagnostic: Diagnostic): Promise<void> {
  const { file, pointer, line, column, endLine, endColumn } = diagnostic;
  if (!file.endsWith('.json')) return;
  const text = await readFile(join(dir, file), 'utf8');
  const lines = text.split('\n').slice(line - 1, endLine);
  const last = lines.length - 1;
  lines[last] = lines[last]?.slice(0, endColumn - 1) ?? '';
  lines[0] = lines[0]?.slice(column - 1) ?? '';
  const named = pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], JSON.parse(text));
  assert.deepEqual(JSON.parse(lines.join('\n')), named);
}
