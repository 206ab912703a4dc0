/**
 * The process that downloads a release while the gateway serves: hashes and links of thousands of files would block
 * requests. It removes what it has written if the gateway stops or ends.
 */
import type { PullResult } from '../../build/release/store/pull.ts';
import { type PullRequest, pullRelease } from './pull-release.ts';

/** What the process sends back. */
export type PullerMessage =
  | { readonly kind: 'pulled'; readonly result: PullResult }
  | { readonly kind: 'failed'; readonly message: string };

// A terminal sends them to all processes, but the gateway decides what happens.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
const end = new AbortController();
process.once('disconnect', () => end.abort(new Error('the gateway stops')));

process.once('message', async (request: PullRequest) => {
  const message: PullerMessage = await pullRelease(request, end.signal).then(
    (result) => ({ kind: 'pulled', result }),
    (error: Error) => ({ kind: 'failed', message: error.message }),
  );
  if (process.connected) process.send?.(message, () => process.disconnect());
});
