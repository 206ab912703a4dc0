import { build } from '../build.ts';
import type { Report } from '../check/diagnostic.ts';
import type { watch } from '../content/watch.ts';
import type { BuildResult, PublishedBuild } from '../publish/result.ts';
import { readSigner } from '../release/signature.ts';
import { contentCount, count } from '../report/wording.ts';
import { type Command, type CommandIO, type Folders, readArguments, terminal } from './command.ts';
import { progressLine } from './progress.ts';

const options = { watch: { type: 'boolean', default: false } } as const;

/** `npm run build`: validates the content and publishes it as the current release. */
export const buildCommand: Command = async (args, folders, io) => {
  const { values } = readArguments(args, { options });
  const { publication } = await buildOnce(folders, io);
  if (values.watch) return buildOnSave(folders, io, (await import('../content/watch.ts')).watch);
  return publication ? 0 : 1;
};

async function buildOnce(
  { contentDir, distDir, dataDir }: Folders,
  { stdout, stderr, env }: CommandIO,
): Promise<BuildResult> {
  const start = performance.now();
  const progress = progressLine(stderr);
  const { SIGNING_KEY } = env;
  const setting = {
    ...{ contentDir, dataDir, now: new Date() },
    signer: SIGNING_KEY ? readSigner(SIGNING_KEY) : undefined,
  };
  const result = await build(setting, distDir, progress.show).finally(progress.clear);
  const { report, publication } = result;
  if (report.diagnostics.length > 0) {
    const { textReport } = await import('../report/text.ts');
    stderr.write(textReport(report, { contentDir, ...terminal(stderr, env) }));
  }
  if (publication) stdout.write(summary(publication, report, performance.now() - start));
  else stderr.write('Nothing was published.\n');
  return result;
}

/** Builds on every save, until it is stopped. While the content has errors, the last release stays current. */
function buildOnSave(folders: Folders, io: CommandIO, watchFolder: typeof watch): Promise<0 | 2> {
  return new Promise((resolve, reject) => {
    let building: Promise<unknown> = Promise.resolve();
    let isStarted = false;
    let isQueued = false;
    const onChange = () => {
      // The first call only announces that watching has started.
      if (isStarted && !isQueued) {
        isQueued = true;
        building = building.then(() => {
          isQueued = false;
          return buildOnce(folders, io);
        });
        building.catch(reject);
      }
      isStarted = true;
    };
    const stop = (status: 0 | 2) =>
      Promise.all([watcher.close(), building]).then(() => resolve(status), reject);
    const watcher = watchFolder(folders.contentDir, onChange, (reason) => {
      io.stderr.write(`${reason}\n`);
      stop(2);
    });
    process.once('SIGINT', () => stop(0)).once('SIGTERM', () => stop(0));
    io.stdout.write('Building on every save. Press Ctrl+C to stop.\n');
  });
}

/** How many of the slowest shifts are listed. */
const listedShifts = 3;

/** @param milliseconds that the build took */
function summary(build: PublishedBuild, report: Report, milliseconds: number): string {
  const { manifest, changedUrls, reused, created, stages, timed } = build;
  let [plain, smallest] = [0, 0];
  for (const { identity, br = identity, gzip = identity } of [manifest.public, manifest.protected].flatMap(
    (resources) => Object.values(resources),
  )) {
    plain += identity.size;
    smallest += Math.min(identity.size, br.size, gzip.size);
  }
  const slowest = [...timed]
    .sort((one, other) => other.milliseconds - one.milliseconds)
    .slice(0, listedShifts);
  const lines = [
    `Published release ${manifest.id}: ${contentCount(report.summary)}, ${count(changedUrls, 'changed public URL')}, in ${(milliseconds / 1000).toFixed(1)} s.`,
    `  Responses ${created} created, ${reused} reused`,
    `  Bytes     ${megabytes(plain)}, compressed ${megabytes(smallest)}`,
    `  Seconds   ${stages.map((stage) => `${stage.name} ${seconds(stage.milliseconds)}`).join(', ')}`,
  ];
  if (slowest.length > 0)
    lines.push(
      `  Slowest   ${slowest.map((shift) => `${shift.path} ${seconds(shift.milliseconds)}`).join(', ')}`,
    );
  return `${lines.join('\n')}\n`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(milliseconds < 10 ? 3 : 2);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(2)} MB`;
}
