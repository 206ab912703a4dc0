import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import type { ReleaseMessage, ReleaseRequest } from './release-process.ts';
import type { ManifestPart } from './response-table.ts';

/** Lower than that of the gateway, whose requests come first. */
const priority = 10;

/** Milliseconds that a process has to remove what it has written. */
const cleanTimeout = 5_000;

/** Processes that a hanging disk keeps from ending; beyond them none is started. */
const maxUnended = 3;
let unended = 0;

/** Is passed each part of a manifest, once all files of the release are verified. */
export type PartListener = (part: ManifestPart) => void;

/**
 * Reads or pulls a release in a process of its own, so that this one continues to serve.
 *
 * @param program the compiled `release-process.ts`
 * @param signal ends the process
 * @throws Error with the message of what the process threw; when it ends without a result, or earlier ones have not ended
 */
export async function runApart<Result>(
  program: string,
  request: ReleaseRequest,
  signal: AbortSignal,
  onPart?: PartListener,
): Promise<Result> {
  if (unended >= maxUnended) throw new Error('earlier reads are still waiting for the disk');
  const child = fork(program, { execArgv: [] });
  if (child.pid !== undefined) unended += 1;
  const stop = () => {
    if (child.connected) child.disconnect();
    setTimeout(() => child.kill('SIGKILL'), cleanTimeout).unref();
  };
  return new Promise<Result>((resolve, reject) => {
    signal.addEventListener('abort', stop, { once: true });
    child.on('message', (message: ReleaseMessage) => {
      if (message.kind === 'part') onPart?.(message.part);
      else if (message.kind === 'end') resolve(message.result as Result);
      else reject(new Error(message.message));
    });
    child.on('error', reject);
    child.on('exit', (status, killedBy) => {
      unended -= 1;
      reject(new Error(`the process for it ended with ${killedBy ?? status}`));
    });
    child.send(request);
    if (child.pid !== undefined) setPriority(child.pid, priority);
  }).finally(() => signal.removeEventListener('abort', stop));
}
