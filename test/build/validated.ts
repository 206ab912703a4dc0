import type { Report } from '../../build/report/diagnostic.ts';
import { validateContent } from '../../build/validate.ts';
import { temporaryFolder } from './bank-folder.ts';
import { testNow } from './test-now.ts';

/** Validates a content folder with no memory of earlier runs. */
export async function validated(contentDir: string, now = testNow): Promise<{ readonly report: Report }> {
  return { report: await validateContent({ contentDir, dataDir: await temporaryFolder(), now }) };
}
