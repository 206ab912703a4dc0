/**
 * The process that reads a new release while the gateway serves the old one: to verify thousands of files and parse a
 * manifest of megabytes would block requests, and take memory that only a process of its own returns when it ends.
 */
import { verifyRelease } from '../../build/release/verify.ts';
import { type ManifestPart, manifestParts } from './response-table.ts';

/** What the gateway sends to the process. */
export interface ReaderRequest {
  readonly folder: string;
  /** Marks of the files that were verified before, joined by spaces. */
  readonly marks: string;
}

/** What the process sends back: the parts of the manifest, then the end; or why the release cannot be served. */
export type ReaderMessage =
  | { readonly kind: 'part'; readonly part: ManifestPart }
  | { readonly kind: 'end'; readonly id: string; readonly marks: string }
  | { readonly kind: 'failed'; readonly message: string };

process.once('message', async ({ folder, marks }: ReaderRequest) => {
  try {
    const verified = await verifyRelease(folder, new Set(marks.split(' ')));
    for (const part of manifestParts(verified.manifest)) await send({ kind: 'part', part });
    await send({ kind: 'end', id: verified.manifest.id, marks: [...verified.marks].join(' ') });
  } catch (error) {
    await send({ kind: 'failed', message: (error as Error).message });
  } finally {
    process.disconnect();
  }
});

function send(message: ReaderMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(message, undefined, undefined, (error) => (error ? reject(error) : resolve()));
  });
}
