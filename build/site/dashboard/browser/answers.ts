/** What the service under `/auth/` answers with. Moments are ISO 8601, UTC. */

export interface Settings {
  /** Other services to sign in with: `google`, `github`. */
  readonly providers: readonly string[];
  /** Whether the service can send mail. */
  readonly mail: boolean;
  /** Where the API is asked; null: at this page's own origin. */
  readonly apiUrl: string | null;
  readonly password: { readonly min: number; readonly max: number };
}

export interface Account {
  readonly name: string;
  readonly email: string;
  readonly plan: Plan;
  readonly usage: Usage;
}

export interface Plan {
  readonly name: string;
  readonly perSecond: number;
  readonly perMonth: number;
}

export interface Usage {
  /** `2026-11` */
  readonly month: string;
  readonly used: number;
  readonly resetAt: string;
  /** Every day of the month up to today. */
  readonly days: readonly UsageDay[];
}

export interface UsageDay {
  /** `2026-11-01` */
  readonly day: string;
  readonly used: number;
}

export interface Key {
  readonly id: string;
  readonly name: string;
  /** The key's first characters. */
  readonly start: string;
  readonly state: 'live' | 'expired' | 'revoked';
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  /** Id of the key that it was rotated to. */
  readonly replacedBy: string | null;
}

/** A key with its secret, which is told this once. */
export interface NewKey extends Key {
  readonly key: string;
}
