import { gettingAKey } from './getting-a-key.ts';
import type { Guide } from './guide.ts';
import { keepingACopy } from './keeping-a-copy.ts';
import { limitsAndRetrying } from './limits-and-retrying.ts';
import { verifyingAChecksum } from './verifying-a-checksum.ts';

/** In the order in which one reads them. */
export const guides: readonly Guide[] = [gettingAKey, limitsAndRetrying, verifyingAChecksum, keepingACopy];
