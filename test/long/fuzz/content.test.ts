import assert from 'node:assert/strict';
import { readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { build } from '../../../build/build.ts';
import type { Location, Report } from '../../../build/check/diagnostic.ts';
import { readCurrent } from '../../../build/release/read.ts';
import { currentLink } from '../../../build/release/root.ts';
import { findDamage } from '../../../build/release/verify.ts';
import { openCache } from '../../../build/run/cache.ts';
import {
  bytesOf,
  examPath,
  makeFolderOf,
  paperOf,
  paperPath,
  sampleExam,
  sampleQuestions,
  temporaryFolder,
  testNow,
} from '../../build/bank-folder.ts';
import { validateInThread } from '../../build/check/validate-in-thread.ts';
import { everyFieldFiles } from '../../build/every-field.ts';
import { filesBelow } from '../../build/release-folder.ts';
import { sampleContentDir } from '../../content/sample-bank.ts';
import { ContentFolder } from '../engine/medium-bank.ts';
import { parameters, pickWith } from './arbitraries.ts';
import { type Bank, mutateBank } from './content/mutations.ts';

/** `npm run test:long -- fuzz` tries a hundred thousand. */
const mutations = Number(process.env['MUTATIONS'] ?? 200);

/** The bank with every field, and each shift of the sample bank with its exam. */
async function sampleBanks(): Promise<readonly Bank[]> {
  const all = [...(await filesBelow(sampleContentDir))];
  const shifts = new Set(all.flatMap(([path]) => /^.*\/(?=[^/]*\.json$)/.exec(path) ?? []));
  const everyField = Object.entries(everyFieldFiles).map(
    ([path, content]) => [path, Buffer.from(bytesOf(content))] as const,
  );
  return [...shifts]
    .filter((shift) => shift.split('/').length === 4)
    .flatMap((shift) => {
      const exam = `${shift.split('/')[0]}/exam.json`;
      const files = all.filter(([path]) => path === exam || path.startsWith(shift));
      return [new Map(files), new Map(everyField)];
    });
}

/** Whether a place is in a file or folder of the bank. */
function isInside(bank: Bank, { file, line, column, endLine, endColumn }: Location): boolean {
  const bytes = bank.get(file);
  // Problems of binary files and folders are reported at their start.
  if (line === 1 && column === 1 && endLine === 1 && endColumn === 1) return true;
  const lines = new TextDecoder().decode(bytes).split('\n');
  const isIn = (at: number, inLine: number) =>
    at >= 1 && inLine >= 1 && inLine <= (lines[at - 1] ?? '').length + 1;
  const isForward = endLine > line || (endLine === line && endColumn >= column);
  const isEnd = endLine <= lines.length && isIn(endLine, endColumn);
  return bytes !== undefined && isForward && isEnd && isIn(line, column);
}

describe('Mutated content', async () => {
  const banks = await sampleBanks();
  const distDir = await temporaryFolder();
  const dataDir = await temporaryFolder();
  // Of the results of earlier banks, only the formulas that KaTeX accepts are reused.
  const cache = await openCache(dataDir);
  let folder = await ContentFolder.of({});

  /**
   * Validates a bank, and builds it after the earlier ones if `isBuilt` says so.
   *
   * @returns whether it is accepted; undefined if no folder can contain these files, as one of them is the folder of another
   */
  async function check(
    bank: Bank,
    isBuilt: (isAccepted: boolean) => boolean,
  ): Promise<boolean | undefined> {
    try {
      await folder.update(Object.fromEntries(bank));
    } catch (error) {
      assert.match(String((error as NodeJS.ErrnoException).code), /^(EEXIST|EISDIR|ENOTDIR)$/);
      folder = await ContentFolder.of({});
      return undefined;
    }
    const setting = { contentDir: folder.dir, dataDir, now: testNow };
    const report = await validateInThread(setting, undefined, cache);
    const isAccepted = report.summary.errors === 0;
    for (const diagnostic of report.diagnostics)
      for (const place of [diagnostic, ...(diagnostic.related ?? [])])
        assert.ok(isInside(bank, place), JSON.stringify(diagnostic));
    if (isBuilt(isAccepted)) await checkBuild(report);
    return isAccepted;
  }

  async function checkBuild({ diagnostics, summary }: Report): Promise<void> {
    const link = join(distDir, currentLink);
    const current = () => readlink(link).catch(() => undefined);
    const before = await current();
    const { report, publication } = await build(
      { contentDir: folder.dir, dataDir, now: testNow },
      distDir,
    );
    assert.deepEqual(report.diagnostics, diagnostics);
    assert.equal(publication !== undefined, summary.errors === 0);
    if (!publication) assert.equal(await current(), before);
    else assert.deepEqual((await findDamage(await readCurrent(distDir))).problems, []);
  }

  it('is rejected with valid locations, or published as an undamaged release', async () => {
    const tally = { accepted: 0, rejected: 0, impossible: 0, built: 0 };
    const property = fc.asyncProperty(fc.gen(), async (value) => {
      const pick = pickWith(value);
      const bank = mutateBank(pick, pick(banks));
      const chance = pick([...Array(300).keys()]);
      const isBuilt = (isAccepted: boolean) => chance < (isAccepted ? 60 : 6);
      try {
        const isAccepted = await check(bank, isBuilt);
        tally[isAccepted === undefined ? 'impossible' : isAccepted ? 'accepted' : 'rejected'] += 1;
        if (isAccepted !== undefined && isBuilt(isAccepted)) tally.built += 1;
      } catch (error) {
        const files = [...bank]
          .filter(([path]) => path.endsWith('.json'))
          .map(([path, bytes]) => [path, `${bytes}`]);
        const input = JSON.stringify(Object.fromEntries(files), undefined, 2);
        throw new Error(`${(error as Error).stack ?? error}\n${input}`, { cause: error });
      }
    });
    await fc.assert(property, parameters('content', mutations));
    console.log(`${mutations} mutations: ${JSON.stringify(tally)}`);
    // Mutations that break everything or nothing would test nothing.
    if (process.env['CASE'] !== undefined) return;
    assert.ok(
      tally.accepted > mutations / 10 && tally.rejected > mutations / 10 && tally.built > 0,
    );
  });

  for (const [name, path] of [
    ['a paper whose name is no subject', paperPath.replace('physics', '#')],
    ['a year in non-ASCII digits', paperPath.replace('/2024/', '/\u0662\u0660\u0662\u0664/')],
  ] as const) {
    it(`that was once reported as an internal error: ${name}`, async () => {
      const { dir } = await makeFolderOf({
        [examPath]: sampleExam,
        [path]: paperOf(sampleQuestions.mcq),
      });
      assert.equal(await check(await filesBelow(dir), () => true), false);
    });
  }
});
