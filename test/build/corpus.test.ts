import assert from 'node:assert/strict';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Location } from '../../build/check/diagnostic.ts';
import { fixContent } from '../../build/fix/fix.ts';
import { allRules } from '../../build/rules/rules.ts';
import { temporaryFolder } from './bank-folder.ts';
import { buildFolder } from './build-folder.ts';
import { parseMarkedText } from './cases/marked-text.ts';
import type { BrokenBank, ChangedBank, Edit } from './corpus/broken-bank.ts';
import { brokenDiagrams } from './corpus/broken-diagrams.ts';
import { brokenFacts, correctFacts } from './corpus/broken-facts.ts';
import { brokenFiles } from './corpus/broken-files.ts';
import { brokenMarkdown } from './corpus/broken-markdown.ts';
import { brokenPlaces } from './corpus/broken-places.ts';
import { brokenProperties } from './corpus/broken-properties.ts';
import { brokenQuestions } from './corpus/broken-questions.ts';
import { brokenTexts } from './corpus/broken-texts.ts';
import { correctBanks } from './corpus/correct-banks.ts';
import { correctTexts } from './corpus/correct-texts.ts';
import { validateFolder } from './validate-folder.ts';

const clean = fileURLToPath(new URL('corpus/bank', import.meta.url));
const corpus: readonly BrokenBank[] = [
  ...brokenFiles,
  ...brokenFacts,
  ...brokenProperties,
  ...brokenPlaces,
  ...brokenDiagrams,
  ...brokenQuestions,
  ...brokenTexts,
  ...brokenMarkdown,
];

const severities = new Map(allRules.map(({ name, severity }) => [name, severity]));

/** The place of a problem, computed from the marks in the text. */
type Place = Pick<Location, 'file' | 'line' | 'column' | 'endLine' | 'endColumn'>;

describe('The clean bank of the corpus', () => {
  it('has no diagnostics', async () => {
    const { report } = await validateFolder(clean);
    assert.deepEqual(report.diagnostics, []);
  });
});

describe('A bank without a mistake has no diagnostics:', () => {
  for (const correct of [...correctBanks, ...correctTexts, ...correctFacts]) {
    it(correct.title, async () => {
      const { dir } = await changeBank(correct);
      assert.deepEqual((await validateFolder(dir)).report.diagnostics, []);
    });
  }
});

describe('A bank with one mistake has exactly one diagnostic:', () => {
  for (const broken of corpus) {
    it(`${broken.rule}: ${broken.title}`, async () => {
      const { rule, severity = 'error', pointer, message, suggestion, related = 0 } = broken;
      const { dir, marked, other } = await changeBank(broken);
      const { diagnostics } = (await validateFolder(dir)).report;
      const [diagnostic, ...others] = diagnostics;
      assert.ok(diagnostic);
      assert.deepEqual(others, []);
      const actual = { rule: diagnostic.rule, severity: diagnostic.severity, pointer: diagnostic.pointer };
      assert.deepEqual(actual, { rule, severity, pointer });
      assert.equal(severities.get(rule), severity);
      assert.deepEqual(placeOf(diagnostic), marked);
      assert.equal(diagnostic.suggestion, suggestion);
      assert.ok(diagnostic.message.includes(message), diagnostic.message);
      assert.equal(diagnostic.related?.length ?? 0, related);
      if (other) assert.deepEqual(diagnostic.related?.map(placeOf), [other]);
    });
  }
});

describe('A certain correction of a mistake leaves no problem:', async () => {
  for (const broken of corpus) {
    it(`${broken.rule}: ${broken.title}`, async () => {
      const { dir } = await changeBank(broken);
      const { fixed, report } = await fixContent(dir, async () => (await validateFolder(dir)).report);
      if (fixed.length > 0) assert.deepEqual(report.diagnostics, []);
      else assert.equal(report.diagnostics.length, 1);
    });
  }
});

describe('A build reports the same diagnostics as validate, and publishes nothing if there is an error:', () => {
  for (const broken of brokenPlaces) {
    it(`${broken.rule}: ${broken.title}`, async () => {
      const { dir } = await changeBank(broken);
      const distDir = await temporaryFolder();
      const { report, publication } = await buildFolder(dir, distDir);
      assert.deepEqual(report.diagnostics, (await validateFolder(dir)).report.diagnostics);
      assert.equal(publication === undefined, report.summary.errors > 0);
    });
  }
});

describe('The corpus', () => {
  it('has at least 60 broken banks', () => assert.ok(corpus.length >= 60, String(corpus.length)));

  it('covers every rule except readable-folder, because root can list any folder', () => {
    const covered = new Set(corpus.map(({ rule }) => rule));
    assert.deepEqual(
      allRules.map(({ name }) => name).filter((name) => !covered.has(name)),
      ['readable-folder'],
    );
  });
});

describe('A build succeeds with exceptions to the rule', async () => {
  // Each build reuses the pages that the previous one has compressed.
  const dist = await temporaryFolder();
  // The build itself may depend on a strict rule.
  for (const { name } of allRules.filter(({ strict }) => !strict)) {
    it(name, async () => {
      const broken = corpus.find(({ rule }) => rule === name);
      assert.ok(broken);
      const { dir } = await changeBank(broken);
      const { diagnostics } = (await validateFolder(dir)).report;
      const file = join(dir, 'exceptions.json');
      const { exceptions } = JSON.parse(await readFile(file, 'utf8'));
      const more = diagnostics.map(({ rule, file, pointer }) => ({
        ...{ rule, file, pointer },
        reason: 'An exception for a test.',
      }));
      await writeFile(file, JSON.stringify({ exceptions: [...exceptions, ...more] }));
      const { report, publication } = await buildFolder(dir, dist);
      assert.deepEqual(report.diagnostics, []);
      assert.ok(publication);
    });
  }
});

interface Changed {
  readonly dir: string;
  readonly marked: Place;
  readonly other: Place | undefined;
}

/** Copies the clean bank and changes it. Returns the place of the mistake, if it is marked. */
async function changeBank({
  edits = [],
  make,
  file,
}: ChangedBank & Pick<Partial<BrokenBank>, 'file'>): Promise<Changed> {
  const dir = await temporaryFolder();
  await cp(clean, dir, { recursive: true });
  let marked: Place | undefined;
  let other: Place | undefined;
  for (const path of new Set(edits.map((one) => one.file))) {
    const text = await editedText(
      join(dir, path),
      edits.filter((one) => one.file === path),
    );
    const unmarkedText = withoutMarks(text);
    marked ??= placeIn(file ?? path, text, ['⟦', '⟧']);
    other ??= placeIn(path, text, ['⟪', '⟫']);
    await mkdir(dirname(join(dir, path)), { recursive: true });
    // Text with a U+FFFD in the place of an invalid byte is written by `make`.
    if (!unmarkedText.includes('\ufffd') || !make) await writeFile(join(dir, path), unmarkedText);
  }
  await make?.(dir);
  const start = { file: file ?? '', line: 1, column: 1, endLine: 1, endColumn: 1 };
  return { dir, marked: marked ?? start, other };
}

async function editedText(path: string, edits: readonly Edit[]): Promise<string> {
  let text = await readFile(path, 'utf8').catch(() => '');
  for (const { right, wrong } of edits) {
    assert.ok(text.includes(right), `${path} has no ${right}`);
    text = text.replace(right, () => wrong);
  }
  return text;
}

function withoutMarks(text: string): string {
  return text.replace(/[⟦⟧⟪⟫]/g, '');
}

function placeIn(file: string, text: string, marks: readonly [string, string]): Place | undefined {
  const others = marks[0] === '⟦' ? /[⟪⟫]/g : /[⟦⟧]/g;
  const marked = parseMarkedText(text.replace(others, ''), marks);
  if (!marked) return undefined;
  const [line, column] = position(marked.text, marked.start);
  const [endLine, endColumn] = position(marked.text, marked.end);
  return { file, line, column, endLine, endColumn };
}

function position(text: string, offset: number): readonly [line: number, column: number] {
  const lines = text.slice(0, offset).split('\n');
  return [lines.length, (lines.at(-1)?.length ?? 0) + 1];
}

function placeOf({ file, line, column, endLine, endColumn }: Location): Place {
  return { file, line, column, endLine, endColumn };
}
