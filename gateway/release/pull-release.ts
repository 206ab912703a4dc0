import { prune } from '../../build/release/releases.ts';
import { type PublicKeys, parsePublicKeys } from '../../build/release/signature.ts';
import type { StoreLocation } from '../../build/store/location.ts';
import type { ReadPointer } from '../../build/store/pointer.ts';
import { type PullResult, pull } from '../../build/store/pull.ts';
import { openStore } from '../../build/store/store.ts';

/** Releases that stay in `dist`: the current one, and some to roll back to. */
const keptReleases = 5;

/** Where a gateway gets releases from. Contains only what JSON has. */
export interface ReleaseSourceConfig {
  readonly location: StoreLocation;
  /** PEM of one key or more; undefined: releases need not be signed. */
  readonly publicKey: string | undefined;
  /** The name of the bank whose signed releases are accepted; undefined: of any bank. */
  readonly bank: string | undefined;
  /** Milliseconds within which the pointer must be renewed; undefined: it need not be. */
  readonly maxAge: number | undefined;
}

/** What the process that pulls a release needs. */
export interface PullRequest {
  readonly source: ReleaseSourceConfig;
  readonly distDir: string;
  readonly read: ReadPointer;
  /** Marks of verified files, joined by spaces; see `verifyRelease`. */
  readonly marks: string;
}

/** Pulls a release, makes it current, and removes old ones. @throws StoreError, the file system's own error */
export async function pullRelease(
  { source, distDir, read, marks }: PullRequest,
  signal: AbortSignal,
): Promise<PullResult> {
  const store = await openStore(source.location, { signal });
  try {
    const result = await pull(store, {
      distDir,
      read,
      publicKeys: publicKeysOf(source),
      bank: source.bank,
      verified: new Set(marks.split(' ')),
      now: new Date(),
      progress: () => {},
    });
    await prune(distDir, keptReleases, new Date());
    return result;
  } finally {
    await store.close();
  }
}

/** The keys of which one must have signed the releases of a source. */
export function publicKeysOf({ publicKey }: ReleaseSourceConfig): PublicKeys | undefined {
  return publicKey === undefined ? undefined : parsePublicKeys(publicKey);
}
