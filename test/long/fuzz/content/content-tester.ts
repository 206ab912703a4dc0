import { mkdir, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from '../../../../build/build.ts';
import type { Report } from '../../../../build/check/diagnostic.ts';
import { ResultCache } from '../../../../build/check/result-cache.ts';
import { currentLink } from '../../../../build/release/manifest.ts';
import { BankFolder, testNow } from '../../../build/bank-folder.ts';
import { validateInThread } from '../../../build/check/validate-in-thread.ts';
import { runCommand } from '../../../build/command.ts';
import { readStoredRelease } from '../http/stored-release.ts';
import type { Bank } from './bank.ts';
import { contentErrors } from './model/content.ts';
import { locationErrors } from './model/locations.ts';
import { releaseErrors } from './model/resources.ts';
import { translationErrors } from './model/translation.ts';

/** How deeply a bank is tested: with validation only, with a build, or with the commands in their own processes. */
export type Depth = 'checks' | 'build' | 'commands';

/** The result for a bank. */
export interface TestResult {
  /** Undefined if there can be no such folder. */
  readonly isAccepted: boolean | undefined;
  /** What validation or the build did wrong, if anything. */
  readonly failure: string | undefined;
}

/** Tests validation and the build on one bank after the other, in its own folders. */
export class ContentTester {
  readonly #contentDir: string;
  readonly #cache: ResultCache;
  readonly #distDir: string;
  readonly #dataDir: string;

  private constructor(folder: string, cache: ResultCache) {
    this.#contentDir = join(folder, 'content');
    this.#cache = cache;
    this.#distDir = join(folder, 'dist');
    this.#dataDir = join(folder, 'data');
  }

  /** @param folder an empty folder */
  static async in(folder: string): Promise<ContentTester> {
    return new ContentTester(folder, await ResultCache.open(join(folder, 'data')));
  }

  /** Tests a bank. A build follows the builds of earlier banks. */
  async try(bank: Bank, depth: (isAccepted: boolean) => Depth): Promise<TestResult> {
    if (!(await writeBank(this.#contentDir, bank))) return { isAccepted: undefined, failure: undefined };
    let isAccepted: boolean | undefined;
    try {
      const report = await this.#validate();
      isAccepted = report.summary.errors === 0;
      const failure = checkReport(bank, report) ?? (await this.#deeper(depth(isAccepted), bank, report));
      return { isAccepted, failure };
    } catch (error) {
      return { isAccepted, failure: (error as Error).stack ?? String(error) };
    }
  }

  /** Of the results, only the formulas that KaTeX accepts are reused. */
  #validate(): Promise<Report> {
    const setting = { contentDir: this.#contentDir, dataDir: this.#dataDir, now: testNow };
    return validateInThread(setting, undefined, this.#cache);
  }

  async #deeper(depth: Depth, bank: Bank, report: Report): Promise<string | undefined> {
    if (depth === 'build') return this.#build(bank, report);
    return depth === 'commands' ? this.#command(report) : undefined;
  }

  async #command({ diagnostics, summary }: Report): Promise<string | undefined> {
    // The commands use the current date, and these tests do not.
    if (diagnostics.some(({ rule }) => rule === 'updated')) return undefined;
    const settings = { CONTENT_DIR: this.#contentDir, DIST_DIR: this.#distDir, DATA_DIR: this.#dataDir };
    for (const command of ['validate', 'build']) {
      const { status, stderr } = await runCommand([command], settings);
      const right = summary.errors > 0 ? 1 : 0;
      const isQuiet = command === 'build' || stderr === '';
      if (status !== right || !isQuiet || /fault of/i.test(stderr))
        return `${command} ends with ${status}, not ${right}: ${stderr}`;
    }
    return undefined;
  }

  async #build(bank: Bank, expected: Report): Promise<string | undefined> {
    const link = join(this.#distDir, currentLink);
    const before = await readlink(link).catch(() => undefined);
    const setting = { contentDir: this.#contentDir, dataDir: this.#dataDir, now: testNow };
    const { report, publication } = await build(setting, this.#distDir);
    if (JSON.stringify(report.diagnostics) !== JSON.stringify(expected.diagnostics))
      return `The build reports ${rulesOf(report)}, validation reports ${rulesOf(expected)}.`;
    const isPublished = publication !== undefined;
    if (isPublished !== (report.summary.errors === 0)) return `It is ${isPublished ? '' : 'not '}published.`;
    if (!isPublished)
      return (await readlink(link).catch(() => undefined)) === before ? undefined : 'The current release has changed.';
    const [failure] = releaseErrors(bank, await readStoredRelease(await realpath(link)));
    return failure;
  }
}

function checkReport(bank: Bank, report: Report): string | undefined {
  const { diagnostics, summary } = report;
  const [misplaced] = locationErrors(bank, diagnostics);
  if (misplaced !== undefined) return misplaced;
  if (summary.errors > 0)
    return diagnostics.some(({ severity }) => severity === 'error') ? undefined : 'No error is reported.';
  // Exceptions allow texts that the model rejects.
  if (bank.has('exceptions.json')) return undefined;
  const [failure] = [...contentErrors(bank), ...translationErrors(bank)];
  return failure === undefined ? undefined : `It is accepted, but has ${failure}`;
}

function rulesOf({ diagnostics }: Report): string {
  return diagnostics.map(({ rule, file, pointer }) => `${rule} ${file}${pointer}`).join(', ') || 'nothing';
}

/**
 * Writes a bank into a folder, and removes what was there before.
 *
 * @returns false if no folder can contain these files, as one of them is the folder of another
 */
async function writeBank(dir: string, bank: Bank): Promise<boolean> {
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir);
  const folder = new BankFolder(dir);
  try {
    for (const [path, bytes] of bank) await folder.write(path, bytes);
    return true;
  } catch (error) {
    if (!['EEXIST', 'EISDIR', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return false;
  }
}
