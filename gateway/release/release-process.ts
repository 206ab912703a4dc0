/**
 * The process that reads or pulls a release while the gateway serves another one: to verify, hash and link thousands of
 * files and to parse a manifest of megabytes would block requests, and take memory that only a process of its own
 * returns when it ends.
 */
import { type ReleaseMessage, type ReleaseRequest, runHere } from './release-request.ts';

// A terminal sends them to all processes, but the gateway decides what happens.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
const end = new AbortController();

process.once('message', async (request: ReleaseRequest) => {
  process.once('disconnect', () => {
    // A pull removes what it has written. Nothing less than SIGKILL ends a process that waits for a disk.
    if (request.kind === 'pull') end.abort(new Error('the gateway stops'));
    else process.kill(process.pid, 'SIGKILL');
  });
  try {
    const result = await runHere(request, end.signal, (part) => send({ kind: 'part', part }));
    await send({ kind: 'end', result });
  } catch (error) {
    if (process.connected) await send({ kind: 'failed', message: (error as Error).message });
  } finally {
    if (process.connected) process.disconnect();
  }
});

function send(message: ReleaseMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(message, undefined, undefined, (error) => (error ? reject(error) : resolve()));
  });
}
