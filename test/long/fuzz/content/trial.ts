import { mkdir, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from '../../../../build/build.ts';
import type { Report } from '../../../../build/check/diagnostic.ts';
import { currentLink } from '../../../../build/release/manifest.ts';
import { runCommand } from '../../../build/command.ts';
import { testNow } from '../../../build/test-now.ts';
import { readServed } from '../http/served.ts';
import type { Bank } from './bank.ts';
import { BankOnDisk } from './bank-on-disk.ts';
import { Checks } from './checks.ts';
import { contentFaults } from './model/content.ts';
import { placeFaults } from './model/places.ts';
import { releaseFaults } from './model/resources.ts';

/** How far a bank is tried: by the checks alone, by a build too, or by the commands in processes of their own. */
export type Depth = 'checks' | 'build' | 'commands';

/** How a bank fared. */
export interface Tried {
  /** Undefined: there can be no such folder. */
  readonly isAccepted: boolean | undefined;
  /** A sentence on what the checks or the build did wrong; undefined: nothing. */
  readonly fault: string | undefined;
}

/** Holds banks against the checks and the build, one after the other, in folders of their own. */
export class Trial {
  readonly #content: BankOnDisk;
  readonly #checks: Checks;
  readonly #distDir: string;
  readonly #dataDir: string;

  private constructor(folder: string, content: BankOnDisk, checks: Checks) {
    this.#content = content;
    this.#checks = checks;
    this.#distDir = join(folder, 'dist');
    this.#dataDir = join(folder, 'data');
  }

  /** @param folder an empty one */
  static async in(folder: string): Promise<Trial> {
    const contentDir = join(folder, 'content');
    await mkdir(contentDir);
    return new Trial(folder, new BankOnDisk(contentDir), await Checks.of(contentDir, join(folder, 'data')));
  }

  /** Builds publish onto what was published before. */
  async try(bank: Bank, depth: (isAccepted: boolean) => Depth): Promise<Tried> {
    if (!(await this.#content.become(bank))) return { isAccepted: undefined, fault: undefined };
    let isAccepted: boolean | undefined;
    try {
      const report = await this.#checks.report();
      isAccepted = report.summary.errors === 0;
      const fault = faultOfReport(bank, report) ?? (await this.#deeper(depth(isAccepted), bank, report));
      return { isAccepted, fault };
    } catch (error) {
      return { isAccepted, fault: (error as Error).stack ?? String(error) };
    }
  }

  /** Forgets what was published: the next build makes everything. */
  async forget(): Promise<void> {
    await rm(this.#distDir, { recursive: true, force: true });
    await rm(this.#dataDir, { recursive: true, force: true });
  }

  async #deeper(depth: Depth, bank: Bank, report: Report): Promise<string | undefined> {
    switch (depth) {
      case 'checks':
        return undefined;
      case 'build':
        return this.#build(bank, report);
      case 'commands':
        return this.#command(report);
    }
  }

  async #command({ diagnostics, summary }: Report): Promise<string | undefined> {
    // The commands go by today, and these tests do not.
    if (diagnostics.some(({ rule }) => rule === 'updated')) return undefined;
    const settings = { CONTENT_DIR: this.#content.dir, DIST_DIR: this.#distDir, DATA_DIR: this.#dataDir };
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
    const setting = { contentDir: this.#content.dir, dataDir: this.#dataDir, now: testNow };
    const { report, publication } = await build(setting, this.#distDir);
    if (JSON.stringify(report.diagnostics) !== JSON.stringify(expected.diagnostics))
      return `The build tells ${rulesOf(report)}, where the checks tell ${rulesOf(expected)}.`;
    const isPublished = publication !== undefined;
    if (isPublished !== (report.summary.errors === 0)) return `It is ${isPublished ? '' : 'not '}published.`;
    if (!isPublished)
      return (await readlink(link).catch(() => undefined)) === before
        ? undefined
        : 'What was current is not.';
    const [fault] = releaseFaults(bank, await readServed(await realpath(link)));
    return fault;
  }
}

function faultOfReport(bank: Bank, report: Report): string | undefined {
  const { diagnostics, summary } = report;
  const [misplaced] = placeFaults(bank, diagnostics);
  if (misplaced !== undefined) return misplaced;
  if (summary.errors > 0)
    return diagnostics.some(({ severity }) => severity === 'error') ? undefined : 'No error is told.';
  // Exceptions let texts be otherwise.
  if (bank.has('exceptions.json')) return undefined;
  const [fault] = contentFaults(bank);
  return fault === undefined ? undefined : `It is accepted, though: ${fault}`;
}

function rulesOf({ diagnostics }: Report): string {
  return diagnostics.map(({ rule, file, pointer }) => `${rule} ${file}${pointer}`).join(', ') || 'nothing';
}
