/**
 * A worker: a process that serves requests. The primary process (`primary.ts`) starts it, and decides on its limits.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestFile, parseManifest } from '../../build/release/manifest.ts';
import { openLog } from '../log/logger.ts';
import { forceExit, ListenError, openOperations, type Running } from '../ops/run.ts';
import {
  type ManifestPart,
  manifestParts,
  type Release,
  ResponseTable,
} from '../release/response-table.ts';
import { startWorker } from '../start.ts';
import {
  type Handlers,
  handle,
  PendingReplies,
  type ToPrimary,
  type ToWorker,
} from './messages.ts';
import { remoteLimits } from './remote-limits.ts';

/** Milliseconds for which a request waits until the primary process has checked the link of the current release. */
const refreshTimeout = 5_000;

/** Set by `start`. */
let receive: ((message: ToWorker) => void) | undefined;

// A terminal and systemd send them to all processes, but the primary process decides what happens.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
// The primary process has ended, and did not stop its workers. Nothing less ends a process that waits for a disk.
process.prependListener('disconnect', kill);
process.on('message', (message: ToWorker) => {
  if (message.kind === 'start') receive = start(message);
  else if (receive) receive(message);
  else if (message.kind === 'stop') kill();
});
send({ kind: 'loaded' });

function kill(): void {
  process.kill(process.pid, 'SIGKILL');
}

function send(message: ToPrimary): void {
  // An error means that the primary process has ended, and `disconnect` follows.
  process.send?.(message, undefined, undefined, () => {});
}

/** @returns what receives the further messages */
function start({ config, folder, timeLimits }: Extract<ToWorker, { kind: 'start' }>) {
  const limits = remoteLimits((questions) => send({ kind: 'questions', questions }));
  const replies = new PendingReplies<true>();
  const releases = followedReleases(folder, async () => {
    const reply = await replies.ask((id) => send({ kind: 'refresh', id }), refreshTimeout);
    if (!reply) throw new Error('The release could not be verified in time.');
  });
  const operations = openOperations(config, openLog(config.logLevel), true);
  const running = run();

  async function run(): Promise<Running | undefined> {
    const primary = { releases, limits, countFailedKey: limits.countFailedKey };
    try {
      const options = timeLimits === undefined ? {} : { timeLimits };
      const started = await startWorker(config, await operations, primary, options);
      send({ kind: 'listening', port: started.port });
      return started;
    } catch (error) {
      sendError(error as Error);
      return undefined;
    }
  }

  async function stop(grace: number): Promise<void> {
    await (await running)?.stop(grace).catch(sendError);
    process.off('disconnect', kill);
    forceExit();
    process.disconnect();
  }

  const handlers: Handlers<ToWorker> = {
    start: () => {},
    answers: ({ answers }) => limits.receive(answers),
    plans: ({ plans }) => void Object.assign(config.plans, plans),
    release: (message) => releases.begin(message.folder),
    part: ({ part }) => releases.add(part),
    prepare: ({ id }) => send({ kind: 'done', id }),
    switch: (message) => releases.switchTo(message.folder, message.release),
    metrics: async ({ id }) =>
      send({ kind: 'done', id, metrics: await (await operations).metrics?.getMetricsAsJSON() }),
    done: ({ id }) => replies.reply(id, true),
    stop: ({ grace }) => void stop(grace),
  };
  return (message: ToWorker): void => handle(handlers, message);
}

function sendError(error: Error): void {
  const { message, stack } = error;
  const listen =
    error instanceof ListenError
      ? { what: error.what, advice: error.advice, code: error.code }
      : undefined;
  send({ kind: 'failed', error: { message, stack, listen } });
}

/**
 * The release that is current in the primary process, which verifies it, in a worker.
 *
 * @param folder of the current release
 * @param refreshInTime makes the primary process check the link
 * @throws Error when the manifest cannot be read
 */
function followedReleases(folder: string, refreshInTime: () => Promise<void>) {
  let current = readManifest(folder);
  /** The next release, whose parts arrive. */
  let next: ResponseTable | undefined;
  return {
    refreshInTime,
    get current(): Release {
      return current;
    },
    begin(following: string): void {
      next = new ResponseTable(following);
    },
    add: (part: ManifestPart): void => next?.add(part),
    /** @throws Error when this worker was started too late to get all parts, and the manifest cannot be read */
    switchTo(following: string, release: string): void {
      current = next?.release(release) ?? readManifest(following);
      next = undefined;
    },
  };
}

/** Reads a release, which was verified before. Blocks this process, which does not serve yet. */
function readManifest(folder: string): Release {
  const manifest = parseManifest(readFileSync(join(folder, manifestFile), 'utf8'));
  const table = new ResponseTable(folder);
  for (const part of manifestParts(manifest)) table.add(part);
  return table.release(manifest.id);
}
