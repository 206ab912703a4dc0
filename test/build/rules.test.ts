import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Diagnostic, Location } from '../../build/check/diagnostic.ts';
import { allRules } from '../../build/rules/rules.ts';
import { makeBank, makeFolderOf, paperOf, paperPath, sampleQuestions, shiftPath } from './bank-folder.ts';
import { bankCases } from './cases/bank-cases.ts';
import { diagramCases } from './cases/diagram-cases.ts';
import { exceptionCases } from './cases/exception-cases.ts';
import { factCases } from './cases/fact-cases.ts';
import { fileCases } from './cases/file-cases.ts';
import { formulaCases } from './cases/formula-cases.ts';
import { idCases } from './cases/id-cases.ts';
import { markdownCases } from './cases/markdown-cases.ts';
import { markupCases } from './cases/markup-cases.ts';
import { paperCases } from './cases/paper-cases.ts';
import { placeCases } from './cases/place-cases.ts';
import type { Found, RuleCase } from './cases/rule-case.ts';
import { stemCases } from './cases/stem-cases.ts';
import { textCases } from './cases/text-cases.ts';
import { png } from './image-bytes.ts';
import { validateFolder } from './validate-folder.ts';

const cases: readonly RuleCase[] = [
  ...fileCases,
  ...factCases,
  ...textCases,
  ...markupCases,
  ...markdownCases,
  ...formulaCases,
  ...paperCases,
  ...idCases,
  ...diagramCases,
  ...placeCases,
  ...bankCases,
  ...stemCases,
  ...exceptionCases,
];

/** Root can list any folder: hostile-content.test.ts tests this rule in an unprivileged process. */
const testedElsewhere = new Set(['readable-folder']);

for (const { name, severity, description } of allRules) {
  describe(`${name}: ${description}`, () => {
    for (const { title, files, make, found } of cases.filter(({ rule }) => rule === name)) {
      it(title, async () => {
        const { dir } = await makeFolderOf(files);
        await make?.(dir);
        const { diagnostics } = (await validateFolder(dir)).report;
        assert.deepEqual(diagnostics.map(asFound), found);
        for (const diagnostic of diagnostics) {
          assert.deepEqual([diagnostic.rule, diagnostic.severity], [name, severity]);
          await assertPlaceMatchesPointer(dir, diagnostic);
        }
      });
    }

    it('has a valid and an invalid case', () => {
      if (testedElsewhere.has(name)) return;
      const own = cases.filter(({ rule }) => rule === name);
      assert.ok(own.some(({ found }) => found.length === 0));
      assert.ok(own.some(({ found }) => found.length > 0));
    });
  });
}

describe('The rules', () => {
  it('have unique names in lower case with hyphens', () => {
    const names = allRules.map(({ name }) => name);
    assert.deepEqual([...new Set(names)], names);
    for (const name of names) assert.match(name, /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
  });

  it('have a description in one sentence, and an example of wrong and right', () => {
    for (const { name, description, example } of allRules) {
      assert.match(description, /^[A-Z`].*\.$/s, name);
      assert.notEqual(example.wrong.trim(), '', name);
      assert.notEqual(example.right.trim(), '', name);
      assert.notEqual(example.wrong, example.right, name);
    }
  });

  it('include the rule of every case', () => {
    const known = new Set(allRules.map(({ name }) => name));
    assert.deepEqual(
      cases.filter(({ rule }) => !known.has(rule)),
      [],
    );
  });

  it('skip a file that does not conform to its schema', async () => {
    const bank = await makeBank({ 'neet/exam.json': { label: 'NEET' } });
    await bank.write(`${shiftPath}/mathematics.json`, paperOf());
    const { diagnostics } = (await validateFolder(bank.dir)).report;
    assert.deepEqual(
      diagnostics.map(({ file, message }) => [file, message]),
      [
        [`${shiftPath}/mathematics.json`, 'A paper needs at least one question.'],
        ['neet/exam.json', 'The property "subjects" is missing.'],
      ],
    );
  });

  it('do not report a diagram as unused if the paper that may name it is invalid', async () => {
    const drawn = { ...sampleQuestions.mcq, diagrams: [{ file: 'q1.png', alt: 'A ruler.' }] };
    const bank = await makeBank({ [paperPath]: paperOf(drawn), [`${shiftPath}/diagrams/q1.png`]: png(2, 2) });
    await bank.set(paperPath, '/questions/0/topic', '');
    const { diagnostics } = (await validateFolder(bank.dir)).report;
    assert.deepEqual(
      diagnostics.map(({ rule, pointer }) => [rule, pointer]),
      [['schema', '/questions/0/topic']],
    );
  });

  it('check the other questions of a paper with an invalid one', async () => {
    const { mcq } = sampleQuestions;
    const bank = await makeBank({ [paperPath]: paperOf(mcq, { ...mcq, id: 'q2', answer: 'C' }) });
    await bank.set(paperPath, '/questions/0/topic', '');
    const { diagnostics } = (await validateFolder(bank.dir)).report;
    assert.deepEqual(
      diagnostics.map(({ rule, pointer }) => [rule, pointer]),
      [
        ['schema', '/questions/0/topic'],
        ['answer-among-options', '/questions/1/answer'],
      ],
    );
  });

  it('check all that a schema error does not concern: ids, diagrams, answers, and the time of the update', async () => {
    const { mcq } = sampleQuestions;
    const bank = await makeBank({
      [paperPath]: paperOf(
        { ...mcq, id: 'q1', answer: 'C' },
        { ...mcq, id: 'q2', diagrams: [{ file: 'q2.png', alt: 'A ruler.' }] },
      ),
      [`${shiftPath}/diagrams/q2.png`]: png(2, 2),
      [`${shiftPath}/diagrams/q7.png`]: png(2, 2),
      [`${shiftPath}/biology.json`]: paperOf({ ...mcq, id: 'q1', question: 'Which unit?' }),
    });
    await bank.set(paperPath, '/questions/0/difficulty', 'Easy');
    await bank.set(paperPath, '/questions/1/diagrams/0/width', 2);
    await bank.set(paperPath, '/lastUpdated', '2204-06-01T10:00:00Z');
    const { diagnostics, summary } = (await validateFolder(bank.dir)).report;
    assert.deepEqual(
      diagnostics.map(({ rule, file, pointer }) => [rule, file.slice(shiftPath.length + 1), pointer]),
      [
        ['unused-diagram', 'diagrams/q7.png', ''],
        ['updated', 'physics.json', '/lastUpdated'],
        ['unique-ids', 'physics.json', '/questions/0/id'],
        ['answer-among-options', 'physics.json', '/questions/0/answer'],
        ['schema', 'physics.json', '/questions/0/difficulty'],
        ['schema', 'physics.json', '/questions/1/diagrams/0/width'],
      ],
    );
    assert.deepEqual([summary.files, summary.questions], [3, 3]);
  });

  it("check formulas between LaTeX's own delimiters, and those beside them", async () => {
    const question = 'Is \\(\\farc{1}{2}\\) or $\\sqr{2}$ or \\[ x \\] right?';
    const bank = await makeBank({ [paperPath]: paperOf({ ...sampleQuestions.mcq, question }) });
    const { diagnostics } = (await validateFolder(bank.dir)).report;
    assert.deepEqual(
      diagnostics.map((found) => [found.rule, found.suggestion, rangeText(found)]),
      [
        ['formula-delimiters', '$\\farc{1}{2}$', '7:23-7:41'],
        ['formula', '\\frac', '7:26-7:32'],
        ['formula', '\\sqrt', '7:46-7:51'],
        ['formula-delimiters', '$$x$$', '7:59-7:68'],
      ],
    );
  });

  it('reject the year 0999, which the service would publish as 999', async () => {
    const { dir } = await makeFolderOf({
      'neet/exam.json': { label: 'NEET', subjects: ['physics'] },
      'neet/0999/0999-05-05-s1/physics.json': paperOf(sampleQuestions.mcq),
    });
    assert.equal((await validateFolder(dir)).report.summary.errors, 1);
  });
});

function asFound(diagnostic: Diagnostic): Found {
  const { message, file, pointer, suggestion, related } = diagnostic;
  return {
    message,
    file,
    pointer,
    at: rangeText(diagnostic),
    ...(suggestion !== undefined && { suggestion }),
    ...(related && {
      related: related.map((place) => ({ message: place.message, file: place.file, at: rangeText(place) })),
    }),
  };
}

function rangeText({ line, column, endLine, endColumn }: Location): string {
  return `${line}:${column}-${endLine}:${endColumn}`;
}

/**
 * Asserts that the text between start and end is the JSON of the value that the pointer names, a part of it, or the
 * name of its property. Does not use code of the build.
 */
async function assertPlaceMatchesPointer(dir: string, diagnostic: Diagnostic): Promise<void> {
  const { file, pointer } = diagnostic;
  const text = file.endsWith('.json') ? await readFile(join(dir, file), 'utf8').catch(() => '') : '';
  const value = parsed(text);
  if (value === undefined) return;
  const marked = textAt(text.replace(/^\ufeff/, ''), diagnostic);
  const names = pointer.split('/').slice(1);
  const named = names.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], value);
  const read = parsed(marked);
  if (read !== undefined && JSON.stringify(read) === JSON.stringify(named)) return;
  const piece = parsed(`"${marked}"`);
  const isPiece = typeof named === 'string' && typeof piece === 'string' && named.includes(piece);
  assert.ok(isPiece || read === names.at(-1), `${marked} is not at ${pointer}`);
}

function textAt(text: string, { line, column, endLine, endColumn }: Location): string {
  const lines = text.split('\n').slice(line - 1, endLine);
  const last = lines.length - 1;
  lines[last] = lines[last]?.slice(0, endColumn - 1) ?? '';
  lines[0] = lines[0]?.slice(column - 1) ?? '';
  return lines.join('\n');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
