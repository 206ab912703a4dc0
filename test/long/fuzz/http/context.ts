import type { StoredBody } from './stored-release.ts';

/** Keys in every state. All have the same length, so that byte offsets are reproducible. */
export interface Keys {
  readonly live: string;
  /** On a plan with a low rate. */
  readonly free: string;
  readonly revoked: string;
  readonly unknown: string;
  /** With a wrong checksum. */
  readonly misspelt: string;
}

/** The keys that are valid for protected paths within their limits. */
export const validKeys = ['live', 'free'] as const;

/** What responses are compared with. */
export interface FuzzContext {
  readonly release: readonly StoredBody[];
  readonly keys: Keys;
  readonly corsOrigin: string;
}
