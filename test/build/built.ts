import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../../build/build.ts';
import type { BuildResult } from '../../build/publish/result.ts';
import { testNow } from './test-now.ts';

/** Builds as `npm run build` does. What KaTeX has set is remembered from test to test. */
export function built(contentDir: string, distDir: string): Promise<BuildResult> {
  return build({ contentDir, dataDir: join(tmpdir(), 'pastpaper-tests'), now: testNow }, distDir);
}
