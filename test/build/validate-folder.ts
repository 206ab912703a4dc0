import { devNull } from 'node:os';
import { join } from 'node:path';
import type { Report } from '../../build/check/diagnostic.ts';
import { type Bank, defaultBank } from '../../build/release/config.ts';
import { validateContent } from '../../build/validate.ts';
import { testNow } from './bank-folder.ts';

/** No folder can be created there, so results are not cached. */
export const noDataDir = join(devNull, 'data');

/** Validates a content folder without a cache. */
export async function validateFolder(
  contentDir: string,
  now = testNow,
  bank: Bank = defaultBank,
): Promise<{ readonly report: Report }> {
  return { report: await validateContent({ contentDir, dataDir: noDataDir, now, bank }) };
}
