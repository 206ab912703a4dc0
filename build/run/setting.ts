import type { Bank } from '../release/config.ts';
import type { Signer } from '../release/signature.ts';

export interface ValidationSetting {
  readonly contentDir: string;
  /** Holds the cache. */
  readonly dataDir: string;
  readonly now: Date;
  /** The configuration of the bank. */
  readonly bank?: Bank;
  /** Reports the problems in the baseline, too. */
  readonly ignoresBaseline?: boolean;
}

export interface BuildSetting extends ValidationSetting {
  /** Signs the release. */
  readonly signer?: Signer | undefined;
  /** Whether nothing of the last release is used, because it is damaged. */
  readonly isRepair?: boolean;
}
