import type { KeyObject } from 'node:crypto';
import { cp, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { after } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { connect } from '../../../build/client/connection.ts';
import type { Clock } from '../../../build/client/rate-limit.ts';
import { type SyncEnd, synchronize } from '../../../build/client/sync.ts';
import type { SubjectFile } from '../../../build/content/written.ts';
import { readCurrent } from '../../../build/release/read.ts';
import { type Signer, verifiedChecksums } from '../../../build/release/signature.ts';
import { sampleContentDir } from '../../content/sample-bank.ts';
import { type RunningGateway, runGateway, type SetUp } from '../../gateway/running-gateway.ts';
import { sampleRelease } from '../../gateway/sample-release.ts';
import { BankFolder, temporaryFolder } from '../bank-folder.ts';
import { filesBelow, publishedFolder, responsesOf } from '../release-folder.ts';

const served: RunningGateway[] = [];

/** Closes all gateways; those that share a database before the one that owns it. */
async function closeAll(): Promise<void> {
  for (const running of served.splice(0).reverse()) await running.close();
}

/** A gateway that serves a bank. */
export interface ServedBank {
  readonly running: RunningGateway;
  readonly url: string;
  /** Its papers and diagrams, by their paths in a mirror. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/** Copies the content folder of the sample bank, or these folders of it. */
export async function sampleBank(...folders: readonly string[]): Promise<BankFolder> {
  const folder = await temporaryFolder();
  for (const part of folders.length > 0 ? folders : ['.'])
    await cp(join(sampleContentDir, part), join(folder, part), {
      recursive: true,
    });
  return new BankFolder(folder);
}

const small = /-0[1-5]$|-physics-12$|-biology-17$/;

/** Like `sampleBank`, but each paper has only its first questions and two with diagrams. */
export async function smallBank(...folders: readonly string[]): Promise<BankFolder> {
  const bank = await sampleBank(...folders);
  for (const path of (await filesBelow(bank.dir)).keys()) {
    if (path.includes('/diagrams/') && !small.test(/^.*-\d\d/.exec(basename(path))?.[0] ?? ''))
      await bank.remove(path);
    const isPaper = path.split('/').length === 4 && !path.endsWith('/shift.json');
    if (!isPaper) continue;
    const paper: SubjectFile = JSON.parse(await readFile(join(bank.dir, path), 'utf8'));
    const questions = paper.questions.filter(({ id }) => small.test(id));
    await bank.write(path, { ...paper, questions });
  }
  return bank;
}

/**
 * Serves a bank until the tests of the file end.
 *
 * @param bank the sample bank, which is built once per process, if undefined
 * @param beside a gateway whose database this one shares
 * @param setUp of the gateway; in real time if other processes ask it
 */
export async function serve(
  bank?: BankFolder,
  beside?: ServedBank,
  signer?: Signer,
  setUp: SetUp = 'embedded',
): Promise<ServedBank> {
  const distDir = await (bank ? temporaryFolder() : sampleRelease());
  if (bank) await publishedFolder(bank.dir, distDir, signer);
  const shared = beside && { DATABASE_URL: beside.running.databaseUrl };
  const running = await runGateway({ DIST_DIR: distDir, ...shared }, setUp);
  served.push(running);
  after(closeAll);
  const open = (await readCurrent(distDir)).root.public;
  const responses = await responsesOf(distDir);
  const files = new Map([...responses].filter(([path]) => !Object.hasOwn(open, path)).sort());
  return { running, url: running.baseUrl, files };
}

/** The files below a folder: `neet`, `neet/2024`. */
export function below(folder: string, files: ReadonlyMap<string, Buffer>): Map<string, Buffer> {
  return new Map([...files].filter(([path]) => path.startsWith(`${folder}/`)));
}

/** The counts that a pull reports. */
export function countsOf(files: ReadonlyMap<string, Buffer>) {
  const paths = [...files.keys()];
  const papers = paths.filter((path) => path.endsWith('.json'));
  return {
    shifts: new Set(papers.map((path) => dirname(path))).size,
    papers: papers.length,
    diagrams: paths.length - papers.length,
  };
}

/** The papers and diagrams of a mirror. */
export async function mirrorFiles(folder: string): Promise<Map<string, Buffer>> {
  const files = await filesBelow(folder);
  for (const path of files.keys())
    if (path === '.pull-manifest.jsonl' || path.endsWith('/index.json')) files.delete(path);
  return files;
}

/** When every pull starts, in milliseconds since 1970, UTC. */
export const pullStart = Date.UTC(2026, 10, 21);

/** A clock that moves only by `sleep`, which returns immediately and notes each delay in milliseconds. */
function instantClock(): Clock & { readonly delays: readonly number[] } {
  const delays: number[] = [];
  let skipped = 0;
  return {
    delays,
    now: () => pullStart + skipped,
    elapsed: () => skipped,
    async sleep(milliseconds) {
      delays.push(milliseconds);
      skipped += milliseconds;
      await turn();
    },
    random: () => 0.5,
  };
}

/** How a pull ended, with the sentences and delays in milliseconds before it tried again. */
export interface PullRun extends Omit<SyncEnd, 'problem'> {
  /** Empty if the mirror is complete. */
  readonly problem: string;
  readonly notes: readonly string[];
  readonly delays: readonly number[];
}

/** Pulls an exam or a year in this process, without waiting between attempts. */
export async function pullHere(
  baseUrl: string,
  scope: string,
  folder: string,
  { key, publicKeys }: { readonly key: string; readonly publicKeys?: readonly KeyObject[] },
): Promise<PullRun> {
  const clock = instantClock();
  const notes: string[] = [];
  const note = (sentence: string) => void notes.push(sentence);
  const [exam = '', year] = scope.split('/');
  const { problem, ...result } = await synchronize(connect(baseUrl, key, note, clock), folder, {
    exam,
    years: year === undefined ? undefined : [Number(year)],
    verify: publicKeys && ((signed) => verifiedChecksums(signed, publicKeys)),
  });
  return { ...result, problem: problem?.message ?? '', notes, delays: clock.delays };
}
