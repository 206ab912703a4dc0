import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../../build/build.ts';
import type { BuildResult } from '../../build/publish/result.ts';
import type { Bank } from '../../build/release/bank.ts';
import type { Signer } from '../../build/release/signature.ts';
import { testNow } from './test-now.ts';

/** Builds as `npm run build` does. Tests share a cache of formulas. */
export function buildFolder(
  contentDir: string,
  distDir: string,
  signer?: Signer,
  bank?: Bank,
): Promise<BuildResult> {
  const dataDir = join(tmpdir(), 'pastpaper-tests');
  return build({ ...(bank && { bank }), contentDir, dataDir, now: testNow, signer }, distDir);
}
