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
import type { BuildResult, Publication } from '../publish/publish.ts';
import { configFile, readPublishedBank } from '../release/config.ts';
import { readCurrent } from '../release/read.ts';
import { DamagedRelease } from '../release/root.ts';
import { readSigner } from '../release/signature.ts';
import { findDamage } from '../release/verify.ts';
import { contentCount, count } from '../report/wording.ts';
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
    const { publication } = await buildOnce(folders, io, isRepair);
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
    const { publication } = await buildOnce(folders, io);
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
  isRepair = false,
): Promise<BuildResult> {
  const start = performance.now();
  const progress = progressLine(stderr);
  const bank = readPublishedBank(env);
  const signer = readSigner(env['SIGNING_KEY']);
  const setting = { bank, contentDir, dataDir, now: new Date(), signer, isRepair };
  const result = await build(setting, distDir, progress.show).finally(progress.clear);
  const { report, publication } = result;
  if (report.diagnostics.length > 0) {
    const { textReport } = await import('../report/text.ts');
    stderr.write(textReport(report, { contentDir, ...terminal(stderr, env) }));
  }
  const missing = bank.samples.filter((paper) => !existsSync(join(contentDir, `${paper}.json`)));
  if (publication) stdout.write(summary(publication, report, missing, performance.now() - start));
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
  let end = undefined as ExitStatus | undefined;
  /** The first one only says that watching has started. */
  let changes = 0;
  let wake = () => {};
  const onChange = () => {
    changes += 1;
    wake();
  };
  const stop = (status: ExitStatus) => {
    end ??= status;
    wake();
  };
  const onFailure = (reason: string) => {
    io.stderr.write(`${reason}\n`);
    stop(2);
  };
  // Before the first build, so that no save during it is missed.
  const watcher = watch(contentDir, onChange, onFailure, configFile);
  process.once('SIGINT', () => stop(0)).once('SIGTERM', () => stop(0));
  try {
    let status = await runBuild();
    for (let seen = 0; status === 0 && end === undefined; ) {
      if (seen === changes)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      else if (seen === 0) {
        seen = 1;
        io.stdout.write(watching);
      } else {
        seen = changes;
        const problems = await checkConfig();
        if (problems === undefined) status = await runBuild();
        else io.stderr.write(problems);
      }
    }
    return end ?? status;
  } finally {
    await watcher.close();
  }
}

/**
 * @param missing configured samples that the content does not have
 * @param milliseconds that the build took
 */
function summary(
  { release, changedUrls, created }: Publication,
  report: Report,
  missing: readonly string[],
  milliseconds: number,
): string {
  const { id, public: resources } = release.root;
  const lines = [
    `Published release ${id}: ${contentCount(report.summary)}, ` +
      `${count(changedUrls, 'changed public URL')}, in ${(milliseconds / 1000).toFixed(1)} s.`,
  ];
  const unchanged = Object.keys(resources).length - created;
  lines.push(`  Public    ${created} responses created, ${unchanged} unchanged`);
  if (missing.length > 0)
    lines.push(
      `  Samples   not in the content: ${missing.join(', ')}. Correct "samples" in ${configFile}.`,
    );
  return `${lines.join('\n')}\n`;
}
