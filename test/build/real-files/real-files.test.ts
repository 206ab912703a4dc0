/** Small inputs that real files and bug reports led to: what `import`, `validate` and `validate --fix` make of them. */
import assert from 'node:assert/strict';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Question, SubjectFile } from '../../../build/content/written.ts';
import { makeFolderOf, temporaryFolder } from '../bank-folder.ts';
import { runCommand } from '../command.ts';
import { fileOf, zipOf } from '../exchange/imported.ts';
import { filesBelow } from '../release-folder.ts';
import { noDataDir, validateFolder } from '../validate-folder.ts';

const cases = fileURLToPath(new URL('cases', import.meta.url));
const place = 'x/2024/2024-01-01-s1/s';
const laterThanImports = new Date('2100-01-01T00:00:00Z');

interface Imported {
  readonly questions: readonly Question[];
  /** What the command printed, on both streams. */
  readonly printed: string;
  /** Problems of validation: `rule: message`. */
  readonly problems: readonly string[];
}

/** Imports the file of a case into an empty bank; several files as a package. */
async function imported(name: string): Promise<Imported> {
  const { dir } = await makeFolderOf({ 'x/exam.json': { label: 'X', subjects: ['s'] } });
  const files = await filesBelow(join(cases, name));
  const [only = ''] = files.keys();
  const file =
    files.size > 1
      ? await fileOf('p.zip', zipOf(Object.fromEntries(files)))
      : join(cases, name, only);
  const settings = { CONTENT_DIR: dir, DATA_DIR: noDataDir };
  const { stdout, stderr } = await runCommand(['import', file, '--to', place], settings);
  const text = await readFile(join(dir, `${place}.json`), 'utf8').catch(() => '{"questions": []}');
  const { questions }: SubjectFile = JSON.parse(text);
  const { report } = await validateFolder(dir, laterThanImports);
  const problems = report.diagnostics.map(({ rule, message }) => `${rule}: ${message}`);
  return { questions, printed: stdout + stderr, problems };
}

/** Validates a copy of the bank of a case. */
async function validated(name: string, ...options: readonly string[]) {
  const folder = await temporaryFolder();
  await cp(join(cases, name, 'bank'), folder, { recursive: true });
  const dir = join(folder, 'content');
  const settings = { CONTENT_DIR: dir, DATA_DIR: noDataDir };
  const { stdout } = await runCommand(['validate', '--format', 'json', ...options], settings);
  const { questions }: SubjectFile = JSON.parse(await readFile(join(dir, `${place}.json`), 'utf8'));
  return { questions, found: JSON.parse(stdout).diagnostics as readonly Found[] };
}

interface Found {
  readonly rule: string;
  readonly severity: string;
  readonly message: string;
  readonly suggestion?: string;
}

/** The texts of the first question that an import makes. */
const textsAre =
  (question: string, ...options: readonly string[]) =>
  (result: Imported) => {
    const [first] = result.questions;
    assert.equal(first?.question, question);
    const values = first?.options.map(({ value = '' }) => value) ?? [];
    for (const [index, option] of options.entries()) assert.equal(values[index], option);
    assert.deepEqual(result.problems, []);
  };

const reports =
  (...parts: readonly RegExp[]) =>
  (result: Imported) => {
    for (const part of parts) assert.match(result.printed, part);
  };

/** By the name of the folder, the kind of the mistake, and what is right. */
const imports: Readonly<
  Record<string, readonly [promise: string, ...checks: ((result: Imported) => void)[]]>
> = {
  'csv-answer-text-of-letters': [
    'keeps an answer that is the text of an option, whose letters are also keys',
    ({ questions: [first] }) => assert.deepEqual([first?.type, first?.answer], ['mcq', 'C']),
  ],
  'csv-codes-become-numbers': [
    'keeps codes with leading zeros and in other bases as text',
    ({ questions }) =>
      assert.deepEqual(
        questions.map(({ type, answer }) => `${type} ${answer}`),
        ['text 007', 'text 0x10', 'text 0101'],
      ),
  ],
  'gift-comment-inside': [
    'reads a comment between the lines of a GIFT question as nothing',
    textsAre('First line.\nWhich?', 'a', 'b'),
  ],
  'gift-sign-after-blank': ['keeps signs after the braces of GIFT', textsAre('The share is ____%')],
  'gift-solution-format': [
    'reads the format of a GIFT solution',
    ({ questions: [first] }) => assert.equal(first?.solution, 'Because **so**.'),
  ],
  'gift-tilde-equals': [
    'reads ~= in GIFT as a correct answer, or names it',
    ({ questions: [first], printed }) =>
      assert.ok(first?.answer === 'A' || printed.includes('~='), printed),
  ],
  'gift-two-blanks': [
    'does not import a GIFT question with several blanks',
    ({ questions }) => assert.deepEqual(questions, []),
    reports(/not imported: several blanks/),
  ],
  'gift-unescaped-tex': [
    'does not cut a GIFT question at the braces of a formula',
    ({ questions }) => assert.deepEqual(questions, []),
    reports(/not imported: .*\\\{/),
  ],
  'html-direction-marks': [
    'keeps direction marks in texts from right to left',
    textsAre('درجة \u200e-5\u200e م', '\u200e-5\u200e م'),
  ],
  'html-equation-image': [
    'reads the TeX of an image of a formula',
    textsAre('Solve $\\frac{1}{2}x$ = 4.'),
  ],
  'html-formula-br': [
    'reads a formula with <br> as one formula',
    textsAre('$$\\begin{matrix} 1 & 2 \\\\ 3 & 4 \\end{matrix}$$\nWhich?'),
  ],
  'html-list-letters': [
    'keeps the letters of a list',
    textsAre(
      'Consider:\n\nA. Two is even.\nB. Three is even.\nC. Four is even.\n\nWhich are true?',
    ),
  ],
  'html-nested-sup': ['raises text inside raised text', textsAre('Find 2$^{3^2}$.')],
  'html-pre-lines': [
    'keeps the lines of <pre>',
    ({ questions: [first] }) =>
      assert.match(first?.question ?? '', /a = 1\nif a:\n\s*a = 2\nprint\(a\)$/),
  ],
  'html-q-quotes': ['writes the quotation marks of <q>', textsAre('Who said “no”?')],
  'html-single-dollars': [
    'reports what looks like a formula between single dollars',
    reports(/single dollars: \$x\^2\+y\^2\$/),
  ],
  'html-span-underline': [
    'keeps or reports underlining by a style',
    ({ questions: [first], printed }) =>
      assert.ok(/\\underline/.test(first?.question ?? '') || /elements: u/.test(printed)),
  ],
  'html-sup-signs-dropped': [
    'keeps the signs in raised and lowered text',
    textsAre(
      'H$^{\\minuso}$ at 20$^\\circ$, t$_{\\frac{1}{2}}$, lim$_{x\\to 0}$, a$^*$, f$^\\prime$, n$_{i\\ne j}$',
    ),
  ],
  'html-tex-comment': ['ends a comment of TeX with its line', textsAre('$$a + b + c$$\nWhich?')],
  'html-two-lists': [
    'writes two numbered lists that Markdown shows as they were',
    ({ problems }) =>
      assert.deepEqual(
        problems.filter((one) => one.startsWith('markdown')),
        [],
      ),
  ],
  'qti-escaped-html': [
    'reads HTML that QTI has as text',
    textsAre('Which is **it**?', 'a$_1$', 'b'),
  ],
  'qti-mapping-silent': [
    'keeps mapped marks of QTI, and reports partial ones',
    ({ questions: [first] }) =>
      assert.deepEqual([first?.answer, first?.accepted], ['A', undefined]),
    reports(/partial/),
  ],
  'qti-section-rubric': [
    'shows the text of a QTI section with its questions, or reports it',
    ({ questions: [first] }) =>
      assert.match(
        first?.question ?? '',
        /A train leaves at noon and arrives at two\.\n\nPick one\./,
      ),
    reports(/./),
  ],
  'qti-section-title': [
    'gives a question the innermost QTI section around it',
    ({ questions }) =>
      assert.deepEqual(
        questions.map(({ question, section }) => `${question} ${section}`),
        ['Pick 1. Inner', 'Pick 2. Outer'],
      ),
  ],
  'qti12-package': [
    'reads QTI 1.2, as Canvas writes it',
    textsAre('Which?', 'a', 'b'),
    ({ questions: [first] }) => assert.deepEqual([first?.type, first?.answer], ['mcq', 'A']),
  ],
};

describe('import of real files', () => {
  for (const [name, [promise, ...checks]] of Object.entries(imports))
    it(`${promise} (${name})`, async () => {
      const result = await imported(name);
      for (const check of checks) check(result);
    });
});

describe('validate of real files', () => {
  const none = {
    'backslash-false-alarm': 'accepts a backslash that readers see',
    'isolates-false-alarm': 'accepts balanced isolates in texts from right to left',
    'translation-unicode-subscript': 'takes lowered Unicode digits for those of a formula',
  };
  for (const [name, promise] of Object.entries(none))
    it(`${promise} (${name})`, async () => {
      assert.deepEqual((await validated(name)).found, []);
    });

  it('rejects texts of only spaces (blank-option)', async () => {
    const { found } = await validated('blank-option');
    assert.deepEqual(
      found.map(({ severity, message }) => `${severity} ${message}`),
      Array(2).fill('error The text is empty.'),
    );
  });

  it('says how to write a formula inside \\text (dollars-in-text-command)', async () => {
    const { found } = await validated('dollars-in-text-command');
    assert.equal(found.length, 1);
    assert.match(found[0]?.message ?? '', /\\text\{if \}x\\text\{ is even\}/);
  });

  it('reports private-use characters (private-use-not-reported)', async () => {
    const { found } = await validated('private-use-not-reported');
    assert.ok(found.length > 0);
    assert.match(found.map(({ message }) => message).join(' '), /U\+F071.*U\+F0B0/s);
  });

  it('suggests no command with another meaning (wrong-suggestions)', async () => {
    const { found } = await validated('wrong-suggestions');
    assert.deepEqual(
      found.map(({ suggestion }) => suggestion),
      [undefined, '\\text{¢}', undefined],
    );
  });

  it('keeps rows of tabs (fix-flattens-tabs)', async () => {
    const { questions } = await validated('fix-flattens-tabs', '--fix');
    assert.match(questions[0]?.question ?? '', /Name(?:\t| \| )Mass(?:\t| \| )Length/);
  });

  it('composes all accents of a text in one run (fix-many-accents)', async () => {
    const { questions, found } = await validated('fix-many-accents', '--fix');
    const text = questions[0]?.question ?? '';
    assert.deepEqual([text, found], [text.normalize('NFC'), []]);
  });
});
