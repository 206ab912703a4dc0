import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../../build/build.ts';
import type { BuildResult } from '../../build/publish/result.ts';
import type { Signer } from '../../build/release/signature.ts';
import { testNow } from './test-now.ts';

/** Builds as `npm run build` does. Tests share a cache of formulas. */
export function buildFolder(contentDir: string, distDir: string, signer?: Signer): Promise<BuildResult> {
  return build({ contentDir, dataDir: join(tmpdir(), 'pastpaper-tests'), now: testNow, signer }, distDir);
}
