/** Runs the cases of each rule, or of the one that RULE in the environment names. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { Diagnostic, Location } from '../../build/check/diagnostic.ts';
import bounds from '../../build/content/bounds.json' with { type: 'json' };
import type { Question } from '../../build/content/written.ts';
import { fixContent } from '../../build/fix/fix.ts';
import { defaultBank } from '../../build/release/config.ts';
import { allRules } from '../../build/rules/rules.ts';
import {
  type FileContent,
  type Files,
  makeFolderOf,
  paperOf,
  paperPath,
  testNow,
} from './bank-folder.ts';
import { cases } from './cases/all-cases.ts';
import {
  bankOf,
  type Found,
  type FoundPlace,
  isQuestion,
  placer,
  type RuleCase,
  unmarked,
} from './cases/rule-case.ts';
import { validateInThread } from './check/validate-in-thread.ts';
import { noDataDir } from './validate-folder.ts';

/** Root can list any folder: hostile-content.test.ts tests this rule in an unprivileged process. */
const testedElsewhere = new Set(['readable-folder']);

const only = process.env['RULES']?.split(',');
const selected = allRules.filter(({ name }) => only?.includes(name) ?? true);
const unknown = only?.filter((name) => !selected.some((rule) => rule.name === name)) ?? [];
assert.deepEqual(
  unknown,
  [],
  'No rule, file or folder has this name. The rules are in docs/validation.md.',
);

for (const { name, severity, description, strict } of selected) {
  describe(`${name}: ${description}`, () => {
    const own = cases[name] ?? [];
    const outcomeOf = outcomes(own);

    for (const one of own) {
      it(one.title, async () => {
        const { diagnostics, expected, left } = await outcomeOf(one);
        assert.deepEqual(diagnostics.map(asExpected), expected);
        for (const { rule, severity: of } of diagnostics)
          assert.deepEqual([rule, of], [name, severity]);
        const isFixed = diagnostics.every(({ fix }) => fix !== undefined);
        if (isFixed) assert.ok(!left.some(({ rule }) => rule === name), 'after --fix');
      });
    }

    it('allows exceptions unless it is strict, with which the content compiles', async () => {
      const wrong = own.find(({ found }) => found.length > 0);
      if (!wrong || strict || name === 'exception') return;
      const { content } = wrong;
      const files = isQuestion(content) ? bankOf(paperOf(content)) : content;
      const { diagnostics } = await validate(files, wrong);
      const exceptions = diagnostics.map(({ rule, file, pointer }) => {
        return { rule, file, pointer, reason: 'An exception for a test.' };
      });
      const excepted = await validate({ ...files, 'exceptions.json': { exceptions } }, wrong);
      assert.deepEqual(excepted.diagnostics, []);
    });

    it('has a valid and an invalid case', () => {
      if (testedElsewhere.has(name)) return;
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
      Object.keys(cases).filter((name) => !known.has(name)),
      [],
    );
  });

  it('are in the table in the docs, with their severity and whether they allow exceptions', async () => {
    const docs = await readFile(new URL('../../docs/validation.md', import.meta.url), 'utf8');
    const rows = docs.matchAll(/^\| `([a-z0-9-]+)` +\| (.+?) +\| (.+?) +\|$/gm);
    // Markdown escapes its signs, and a dollar would begin a formula.
    const plainText = (text: string) =>
      text.replace(/\\([\\<|_*])/g, '$1').replaceAll('&#36;', '$');
    assert.deepEqual(
      Array.from(rows, ([, name, severity, description = '']) => [
        name,
        severity,
        plainText(description),
      ]),
      allRules.map(({ name, severity, strict, description }) => {
        return [name, strict ? `${severity}, _always_` : severity, description];
      }),
    );
  });
});

it('The bounds are in the table in the docs, and those of lists and answers in the schemas', async () => {
  const textOf = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
  const [, table = ''] = /## Bounds\n(.*?)\n## /s.exec(await textOf('docs/validation.md')) ?? [];
  const written = Array.from(
    table.matchAll(/\| ([\d,]+)( MB)?[^|]*\|$/gm),
    ([, number = '', unit]) => {
      return Number(number.replaceAll(',', '')) * (unit ? 2 ** 20 : 1);
    },
  );
  assert.deepEqual(written, Object.values(bounds));
  const size = `${bounds.imageBytes / 2 ** 20} MB and ${bounds.imageSide} pixels`;
  assert.ok(
    allRules.some(({ name, description }) => name === 'diagram-size' && description.includes(size)),
  );
  for (const kind of ['subject-file', 'translation']) {
    const schema = await textOf(`content/schema/${kind}.schema.json`);
    const most = new Set(
      Array.from(schema.matchAll(/"maxItems": ([1-9]\d*)/g), ([, items]) => Number(items)),
    );
    const { options, accepted, diagrams } = bounds;
    assert.deepEqual(
      most,
      new Set(kind === 'translation' ? [options, diagrams] : [diagrams, accepted, options]),
    );
    assert.equal(schema.includes(`"maxLength": ${bounds.answer}`), kind === 'subject-file');
  }
});

interface Outcome {
  readonly diagnostics: readonly Diagnostic[];
  readonly expected: readonly object[];
  /** The diagnostics that are left after `--fix`. */
  readonly left: readonly Diagnostic[];
}

/** Returns a function that validates the content of a case. Cases of one question are validated together, in one paper. */
function outcomes(all: readonly RuleCase[]): (one: RuleCase) => Promise<Outcome> {
  const shared = all.filter(({ content }) => isQuestion(content));
  const questions = shared.map(({ content }, index) => ({
    ...(content as Question),
    id: `q${index}`,
  }));
  const files = bankOf(paperOf(...questions));
  const place = placer(files);
  const expected = shared.map(({ found }, index) => {
    return found.map((finding) => expectedOf(inQuestion(finding, index), place));
  });
  let run: ReturnType<typeof validate> | undefined;
  return async (one) => {
    const { content, found } = one;
    if (!isQuestion(content)) {
      const placeInFiles = placer(content);
      return {
        ...(await validate(content, one)),
        expected: found.map((finding) => expectedOf(finding, placeInFiles)),
      };
    }
    run ??= validate(files);
    const { diagnostics, left } = await run;
    const index = shared.indexOf(one);
    // What is not in a question counts for the first. Questions of several cases are the same.
    const isOwn = ({ pointer, rule }: Diagnostic) =>
      rule !== 'repeated-question' &&
      Number(/^\/questions\/(\d+)/.exec(pointer)?.[1] ?? 0) === index;
    return {
      diagnostics: diagnostics.filter(isOwn),
      left: left.filter(isOwn),
      expected: expected[index] ?? [],
    };
  };
}

function inQuestion({ related, ...finding }: Found, index: number): Found {
  const placed = <Place extends FoundPlace>(one: Place) => ({
    ...one,
    pointer: `/questions/${index}${one.pointer ?? ''}`,
  });
  return { ...placed(finding), ...(related && { related: related.map(placed) }) };
}

/** Validates content as the build does, which also compiles it, and then with `--fix`. */
async function validate(files: Files, one?: RuleCase): Promise<Omit<Outcome, 'expected'>> {
  const entries = Object.entries(files).map(([path, content]): [string, FileContent] => {
    return [path, unmarked(content)];
  });
  const { dir } = await makeFolderOf(Object.fromEntries(entries));
  await one?.make?.(dir);
  const setting = {
    contentDir: dir,
    dataDir: noDataDir,
    now: testNow,
    bank: { ...defaultBank, ...one?.bank },
  };
  const report = () => validateInThread(setting, undefined, undefined, true);
  const { diagnostics: all } = await report();
  // The banks of other cases repeat one question.
  const isSimilar = one?.found.some(({ message }) => message.includes('% of the words'));
  const diagnostics = all.filter(({ rule }) => rule !== 'similar-question' || isSimilar);
  if (diagnostics.every(({ fix }) => fix === undefined)) return { diagnostics, left: diagnostics };
  const fixed = await fixContent(dir, report);
  const left = fixed.report.diagnostics;
  return { diagnostics, left: left.filter(({ rule }) => rule !== 'similar-question') };
}

type Placer = ReturnType<typeof placer>;

function expectedOf(finding: Found, place: Placer): object {
  const { message, file = paperPath, pointer = '', suggestion, related } = finding;
  return {
    ...{ message, file, pointer, at: place(finding) },
    ...(suggestion !== undefined && { suggestion }),
    ...(related && {
      related: related.map((one) => ({
        message: one.message,
        file: one.file ?? paperPath,
        at: place(one, true),
      })),
    }),
  };
}

function asExpected(diagnostic: Diagnostic): object {
  const { message, file, pointer, suggestion, related } = diagnostic;
  return {
    ...{ message, file, pointer, at: rangeText(diagnostic) },
    ...(suggestion !== undefined && { suggestion }),
    ...(related && {
      related: related.map((one) => ({ message: one.message, file: one.file, at: rangeText(one) })),
    }),
  };
}

function rangeText({ line, column, endLine, endColumn }: Location): string {
  return `${line}:${column}-${endLine}:${endColumn}`;
}
