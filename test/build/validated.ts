import { type Validation, validateBank } from '../../build/validate.ts';
import { temporaryFolder } from './bank-folder.ts';
import { testNow } from './test-now.ts';

/** Validates a content folder in this thread, with no memory of earlier runs. */
export async function validated(contentDir: string, now = testNow): Promise<Validation> {
  return validateBank({ contentDir, dataDir: await temporaryFolder(), now });
}
