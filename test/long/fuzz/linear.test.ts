/** The time of validation grows no faster than content, however hostile. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkTexts } from '../../../build/check/check-texts.ts';
import type { Diagnostic } from '../../../build/check/diagnostic.ts';
import bounds from '../../../build/content/bounds.json' with { type: 'json' };
import { readImage } from '../../../build/content/image.ts';
import { makeFolderOf, temporaryFolder, testNow } from '../../build/bank-folder.ts';
import { validateInThread } from '../../build/check/validate-in-thread.ts';
import { hostileSvgs } from '../../build/hostile-svg.ts';
import { noDataDir } from '../../build/validate-folder.ts';
import { startCommand } from '../../gateway/started-process.ts';
import { parameters } from './arbitraries.ts';
import { hostileFiles } from './hostile-files.ts';

/** Parts of texts that have no end, can begin anywhere, or are inside each other. */
const pieces = [
  ...'$ $$ \\( \\) \\[ \\] \\\\ \\ \\text{ \\frac{ \\begin{a} \\end{a} { } % “ ” ’ * ** _ ` ``` > # | [ ] ]( ![](q.png) ! < ='.split(
    ' ',
  ),
  ...'<!-- --> <b> </b> &amp; & ; &lt; a 1 . - + Ã © â€ \u0301 e\u0301 \u200d \ufeff \ud800 क $50%$ $“$ $\\fooo$'.split(
    ' ',
  ),
  ...[
    '- ',
    '> ',
    '1. ',
    ' ',
    '\t',
    '\n',
    '\n\n',
    '\r\n',
    '\f',
    '\times',
    '|a|b|\n|-|-|\n',
    '<b a="b"',
  ],
];
/** In half a hostile file. */
const items = Number(process.env['ITEMS'] ?? 1000);

const hostileText = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(''));

/** Milliseconds of processor time, the least of several runs. */
async function least(work: () => Promise<unknown>, runs: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

/**
 * Asserts that twice the input takes at most 2.5 times as long. Less than a quarter of a second is not
 * measured: quadratic work on a text of the largest size takes longer.
 */
async function assertLinear(
  what: string,
  half: () => Promise<unknown>,
  whole: () => Promise<unknown>,
): Promise<void> {
  // Measured together, they take about as long as the whole: on a busy machine both are disturbed as often.
  const halves = async () => {
    await half();
    await half();
  };
  let wholeTime = await least(whole, 2);
  if (wholeTime < 250) return;
  let halvesTime = await least(halves, 2);
  for (let runs = 4; (2 * wholeTime) / halvesTime > 2.5; runs *= 2) {
    assert.ok(runs <= 16, `${what}: ${((2 * wholeTime) / halvesTime).toFixed(2)} times`);
    wholeTime = Math.min(wholeTime, await least(whole, runs));
    halvesTime = Math.min(halvesTime, await least(halves, runs));
  }
}

describe('Hostile content of twice the size takes at most 2.5 times as long:', () => {
  it('a text', async () => {
    const check = (question: string) =>
      checkTexts(
        [{ path: 'a', placed: [{ pointer: '', texts: { question, diagrams: [] } }] }],
        new Set(),
      );
    const property = fc.asyncProperty(hostileText, async (unit) => {
      const pairs = Math.floor(bounds.text / unit.length / 4) * 2;
      await assertLinear(
        JSON.stringify(unit),
        () => check(unit.repeat(pairs)),
        () => check(unit.repeat(2 * pairs)),
      );
    });
    await fc.assert(property, parameters('linear', Number(process.env['TEXTS'] ?? 12)));
  });

  for (const [name, make] of Object.entries(hostileFiles)) {
    it(name, async () => {
      const validate = async (count: number) => {
        const { dir } = await makeFolderOf(make(count));
        return () => validateInThread({ contentDir: dir, dataDir: noDataDir, now: testNow });
      };
      await assertLinear(name, await validate(items), await validate(2 * items));
    });
  }
});

it('A large drawing that exhausts something is rejected', () => {
  for (const [name, content] of hostileSvgs) {
    const image = readImage('q1.svg', Buffer.from(content));
    assert.ok('fault' in image || image.problems.length > 0, name);
  }
});

it('pastpaper validate names all hostile files of a folder, in ten seconds of two processors and 500 MB', async () => {
  const shifts = Object.values(hostileFiles).map((make, index) => {
    const shift = `2024-05-05-s${index + 1}`;
    return Object.entries(make(1000)).map(
      ([path, content]) => [path.replace('2024-05-05-s1', shift), content] as const,
    );
  });
  const drawings = hostileSvgs.map(
    ([, svg], index) => [`neet/2024/2024-05-05-s1/diagrams/${index}.svg`, svg] as const,
  );
  const files = Object.fromEntries([...shifts.flat(), ...drawings]);
  const { dir } = await makeFolderOf(files);
  const program = `process.on('exit', () => console.error(JSON.stringify(process.resourceUsage())));`;
  const words = ['--import', `data:text/javascript,${program}`, 'build/pastpaper.js', 'validate'];
  // Coverage would slow it down.
  const settings = { CONTENT_DIR: dir, DATA_DIR: await temporaryFolder(), NODE_V8_COVERAGE: '' };
  const { status, stdout, stderr } = await startCommand(
    process.execPath,
    [...words, '--format', 'json'],
    settings,
  ).ended;
  assert.equal(status, 1, stderr);
  const { diagnostics }: { diagnostics: readonly Diagnostic[] } = JSON.parse(stdout);
  const named = new Set(
    diagnostics.flatMap(({ file, related = [] }) => [file, ...related.map((one) => one.file)]),
  );
  const harmless = /exam\.json|\.png$/;
  assert.deepEqual(
    Object.keys(files).filter((file) => !named.has(file) && !harmless.test(file)),
    [],
  );
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
  // Of two processors, that other programs may need, too.
  const seconds = (userCPUTime + systemCPUTime) / 1e6 / 2;
  const megabytes = maxRSS / 1024;
  console.log(`${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB`);
  assert.ok(seconds < 10 && megabytes < 500, `${seconds} s, ${megabytes} MB`);
});
