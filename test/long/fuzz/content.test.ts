import assert from 'node:assert/strict';
import { readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { build } from '../../../build/build.ts';
import type { Report } from '../../../build/check/diagnostic.ts';
import { currentLink } from '../../../build/release/root.ts';
import { openCache } from '../../../build/run/cache.ts';
import {
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
import { filesBelow } from '../../build/release-folder.ts';
import { ContentFolder } from '../engine/medium-bank.ts';
import { parameters, pickWith } from './arbitraries.ts';
import { type Bank, sampleBanks } from './content/bank.ts';
import { contentErrors } from './content/model/content.ts';
import { locationErrors } from './content/model/locations.ts';
import { releaseErrors } from './content/model/resources.ts';
import { translationErrors } from './content/model/translation.ts';
import { mutateBank } from './content/mutations.ts';
import { readStoredRelease } from './http/stored-release.ts';

/** `npm run test:long -- fuzz` tries a hundred thousand. */
const mutations = Number(process.env['MUTATIONS'] ?? 200);

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
    assert.deepEqual(locationErrors(bank, report.diagnostics), []);
    if (!isAccepted) assert.ok(report.diagnostics.some(({ severity }) => severity === 'error'));
    // Exceptions allow texts that the model rejects.
    else if (!bank.has('exceptions.json'))
      assert.deepEqual([...contentErrors(bank), ...translationErrors(bank)], []);
    if (isBuilt(isAccepted)) await checkBuild(bank, report);
    return isAccepted;
  }

  async function checkBuild(bank: Bank, { diagnostics, summary }: Report): Promise<void> {
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
    else assert.deepEqual(releaseErrors(bank, await readStoredRelease(distDir)).slice(0, 1), []);
  }

  it('is rejected with valid locations, or meets the design and is published as designed', async () => {
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
