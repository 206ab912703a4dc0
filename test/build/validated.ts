import { devNull } from 'node:os';
import { join } from 'node:path';
import type { Report } from '../../build/check/diagnostic.ts';
import { validateContent } from '../../build/validate.ts';
import { testNow } from './test-now.ts';

/** No folder can be made there, so that no run has anything to remember. */
const noDataDir = join(devNull, 'data');

/** Validates a content folder with no memory of earlier runs. */
export async function validated(contentDir: string, now = testNow): Promise<{ readonly report: Report }> {
  return { report: await validateContent({ contentDir, dataDir: noDataDir, now }) };
}
