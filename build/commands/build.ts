import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from '../build.ts';
import type { Report } from '../check/diagnostic.ts';
import {
  type Command,
  type CommandIO,
  type ExitStatus,
  type Folders,
  readArguments,
  terminal,
} from '../command-line/command.ts';
import { checkConfig } from '../config.ts';
import { requireContentFolder } from '../content/file.ts';
import type { BuildResult, PublishedBuild } from '../publish/publish.ts';
import { configFile, readPublishedBank } from '../release/config.ts';
import { readCurrent } from '../release/read.ts';
import { DamagedRelease } from '../release/root.ts';
import { readSigner } from '../release/signature.ts';
import { findDamage } from '../release/verify.ts';
import { contentCount, count } from '../report/wording.ts';
import type { BuildSetting } from '../run/setting.ts';
import { progressLine } from './progress.ts';

const options = {
  watch: { type: 'boolean', default: false },
  repair: { type: 'boolean', default: false },
} as const;

/** `pastpaper build`: validates the content and publishes it as the current release. */
export const buildCommand: Command = async (args, folders, io) => {
  const { values } = readArguments(args, options);
  let isRepair = values.repair && (await isDamaged(folders.distDir, io));
  const isPublished = async () => {
    const { publication } = await buildOnce(folders, io, { isRepair });
    isRepair = false;
    return publication !== undefined;
  };
  if (values.watch) return buildOnSave(folders, io, () => isPublished().then(() => 0));
  return (await isPublished()) ? 0 : 1;
};

/** Whether the current release is damaged, or missing: then everything is created again. Prints what is wrong. */
async function isDamaged(distDir: string, { stdout }: CommandIO): Promise<boolean> {
  try {
    const { problems } = await findDamage(await readCurrent(distDir));
    for (const problem of problems) stdout.write(`Replacing ${problem}.\n`);
    return problems.length > 0;
  } catch (error) {
    if (!(error instanceof DamagedRelease)) throw error;
    stdout.write(`Replacing ${error.message}.\n`);
    return true;
  }
}

/** `pastpaper dev`: builds on every save, and serves the content as soon as it has no errors. */
export const devCommand: Command = async (args, folders, io, serve) => {
  readArguments(args, {});
  let isServing = false;
  return buildOnSave(folders, io, async () => {
    const { publication } = await buildOnce(folders, io, { isQuick: true });
    if (isServing) return 0;
    if (!publication) {
      io.stdout.write('The gateway starts when the content has no errors.\n');
      return 0;
    }
    isServing = true;
    return (await serve?.()) ?? 0;
  });
};

async function buildOnce(
  { contentDir, distDir, dataDir }: Folders,
  { stdout, stderr, env }: CommandIO,
  how: Pick<BuildSetting, 'isQuick' | 'isRepair'>,
): Promise<BuildResult> {
  const start = performance.now();
  const progress = progressLine(stderr);
  const bank = readPublishedBank(env);
  const signer = readSigner(env['SIGNING_KEY']);
  const setting = { bank, contentDir, dataDir, now: new Date(), signer, ...how };
  const result = await build(setting, distDir, progress.show).finally(progress.clear);
  const { report, publication } = result;
  if (report.diagnostics.length > 0) {
    const { textReport } = await import('../report/text.ts');
    stderr.write(textReport(report, { contentDir, ...terminal(stderr, env) }));
  }
  const missing = bank.samples.filter((paper) => !existsSync(join(contentDir, `${paper}.json`)));
  if (publication)
    stdout.write(summary(publication, report, missing, performance.now() - start, how.isQuick));
  else stderr.write('Nothing was published.\n');
  return result;
}

/** The address is the default one of the preview. */
const watching = `Building on every save. Press Ctrl+C to stop.
npx pastpaper preview shows the questions at http://127.0.0.1:4400/
`;

/** Builds now and on every save, until it is stopped. @param runBuild returns a status; one that is not 0 ends it */
async function buildOnSave(
  { contentDir }: Folders,
  io: CommandIO,
  runBuild: () => Promise<ExitStatus>,
): Promise<ExitStatus> {
  await requireContentFolder(contentDir);
  const { watch } = await import('../content/watch.ts');
  return new Promise((resolve, reject) => {
    let building: Promise<unknown> = Promise.resolve();
    let isStarted = false;
    let isQueued = false;
    let isStopping = false;
    const next = (step: () => Promise<void> | void) => {
      building = building.then(() => (isStopping ? undefined : step()));
      building.catch((error) => watcher.close().finally(() => reject(error)));
    };
    const build = async () => {
      const status = await runBuild();
      if (status !== 0) stop(status);
    };
    const buildAgain = async () => {
      isQueued = false;
      const problems = await checkConfig();
      if (problems === undefined) await build();
      else io.stderr.write(problems);
    };
    const onChange = () => {
      // The first call only says that watching has started.
      if (!isStarted) next(() => void io.stdout.write(watching));
      else if (!isQueued) {
        isQueued = true;
        next(buildAgain);
      }
      isStarted = true;
    };
    const stop = (status: ExitStatus) => {
      isStopping = true;
      Promise.all([watcher.close(), building]).then(() => resolve(status), reject);
    };
    const onFailure = (reason: string) => {
      io.stderr.write(`${reason}\n`);
      stop(2);
    };
    // Before the first build, so that no save during it is missed.
    const watcher = watch(contentDir, onChange, onFailure, configFile);
    next(build);
    process.once('SIGINT', () => stop(0)).once('SIGTERM', () => stop(0));
  });
}

/**
 * @param missing configured samples that the content does not have
 * @param milliseconds that the build took
 * @param isQuick leaves out the public responses
 */
function summary(
  { release, changedUrls, created }: PublishedBuild,
  report: Report,
  missing: readonly string[],
  milliseconds: number,
  isQuick = false,
): string {
  const { id, public: resources } = release.root;
  const lines = [
    `Published release ${id}: ${contentCount(report.summary)}, ` +
      `${count(changedUrls, 'changed public URL')}, in ${(milliseconds / 1000).toFixed(1)} s.`,
  ];
  const unchanged = Object.keys(resources).length - created;
  if (!isQuick) lines.push(`  Public    ${created} responses created, ${unchanged} unchanged`);
  if (missing.length > 0)
    lines.push(
      `  Samples   not in the content: ${missing.join(', ')}. Correct "samples" in ${configFile}.`,
    );
  return `${lines.join('\n')}\n`;
}
