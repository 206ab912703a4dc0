import { build } from '../build.ts';
import { watch } from '../content/watch.ts';
import type { BuildResult, PublishedBuild } from '../publish/result.ts';
import { contentCount, count } from '../report/wording.ts';
import { type Command, type CommandIO, type Folders, readArguments, terminal } from './command.ts';
import { progressLine } from './progress.ts';

const options = { watch: { type: 'boolean', default: false } } as const;

/** `npm run build`: validates the content and publishes it as the current release. */
export const buildCommand: Command = async (args, folders, io) => {
  const { values } = readArguments(args, { options });
  const { publication } = await buildOnce(folders, io);
  if (values.watch) return buildOnSave(folders, io);
  return publication ? 0 : 1;
};

async function buildOnce(
  { contentDir, distDir, dataDir }: Folders,
  { stdout, stderr, env }: CommandIO,
): Promise<BuildResult> {
  const start = performance.now();
  const progress = progressLine(stderr);
  const result = await build({ contentDir, dataDir, now: new Date() }, distDir, progress.show).finally(
    progress.clear,
  );
  const { report, publication } = result;
  if (report.diagnostics.length > 0) {
    const { textReport } = await import('../report/text.ts');
    stderr.write(textReport(report, { contentDir, ...terminal(stderr, env) }));
  }
  if (publication)
    stdout.write(published(publication, contentCount(report.summary), performance.now() - start));
  else stderr.write('Nothing was published.\n');
  return result;
}

/** Builds on every save, until it is stopped. While the content has errors, the last release stays current. */
function buildOnSave(folders: Folders, io: CommandIO): Promise<0 | 2> {
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
    const watcher = watch(folders.contentDir, onChange, (reason) => {
      io.stderr.write(`${reason}\n`);
      stop(2);
    });
    process.once('SIGINT', () => stop(0)).once('SIGTERM', () => stop(0));
    io.stdout.write('What is saved is built. Stop it with Ctrl+C.\n');
  });
}

function published(build: PublishedBuild, content: string, milliseconds: number): string {
  const { manifest, changedUrls } = build;
  const seconds = (milliseconds / 1000).toFixed(1);
  return `Published release ${manifest.id}: ${content}, ${count(changedUrls, 'changed public URL')}, in ${seconds} s.\n${buildSummary(build)}`;
}

/** Describes what a build did, on the lines below the one that names the release. */
function buildSummary({ reused, created, figures }: PublishedBuild): string {
  const { bytes, stages, slowest } = figures;
  const rows: [string, string][] = [
    ['Answers', `${created} made, ${reused} taken over`],
    ['Bytes', `${megabytes(bytes.plain)}, compressed ${megabytes(bytes.smallest)}`],
    ['Seconds', stages.map(({ name, milliseconds }) => `${name} ${seconds(milliseconds)}`).join(', ')],
  ];
  if (slowest.length > 0)
    rows.push([
      'Slowest',
      slowest.map(({ path, milliseconds }) => `${path} ${seconds(milliseconds)}`).join(', '),
    ]);
  return rows.map(([name, value]) => `  ${name.padEnd(8)} ${value}\n`).join('');
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(milliseconds < 10 ? 3 : 2);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(2)} MB`;
}
