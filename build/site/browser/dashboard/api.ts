/** Requests to the authentication service under `/auth/`, and the JSON of its responses. Times are ISO 8601, UTC. */

export interface Settings {
  /** Sign-in providers: `google`, `github`, `gitlab`. */
  readonly providers: readonly string[];
  /** Whether the service can send email. */
  readonly mail: boolean;
  /** Origin of the API; null: the origin of this page. */
  readonly apiUrl: string | null;
  /** Length of a password. */
  readonly password: { readonly min: number; readonly max: number };
}

export interface Account {
  readonly name: string;
  readonly email: string;
  readonly createdAt: string;
  /** Whether the user can sign in with a password. */
  readonly password: boolean;
  readonly plan: { readonly name: string; readonly perSecond: number; readonly perMonth: number };
  /** Whether the user gets an email when most of a month's quota is used. */
  readonly quotaMail: boolean;
  readonly usage: Usage;
}

export interface Usage {
  /** `2026-11` */
  readonly month: string;
  readonly used: number;
  /** When the month ends. */
  readonly resetAt: string;
  /** Every day of the month up to today, as `2026-11-01`. */
  readonly days: readonly (Counts & { readonly day: string })[];
  /** Keys with requests in the month, those with the most first. */
  readonly keys: readonly (Counts & Pick<Key, 'id'>)[];
}

/** Requests by outcome. */
export interface Counts {
  /** Accepted, and counted against the quota. */
  readonly used: number;
  readonly rejectedByRate: number;
  readonly rejectedByQuota: number;
}

export interface Key {
  readonly id: string;
  readonly name: string;
  /** The key's first characters. */
  readonly start: string;
  readonly state: 'active' | 'expired' | 'revoked';
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  /** Id of the key that it was rotated to. */
  readonly replacedBy: string | null;
}

/** A page of keys: active ones first, then newest first. */
export interface KeyPage {
  readonly keys: readonly Key[];
  readonly hasMore: boolean;
}

export interface Session {
  readonly id: string;
  /** `Firefox on Linux` */
  readonly browser: string | null;
  readonly createdAt: string;
  /** To the hour. */
  readonly lastUsedAt: string;
  /** Whether it is the session of this browser. */
  readonly current: boolean;
}

/** A key with its secret, which the service returns only once. */
export interface NewKey extends Key {
  readonly key: string;
}

/** An error with a message for the user. */
class ServiceError extends Error {
  override readonly name = 'ServiceError';
  /** Undefined: there was no response, or one that the service itself did not send. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** Sent by a gateway or proxy when the service is down. */
const outageStatuses = new Set([502, 503, 504]);

/**
 * Sends a request to the service.
 *
 * @param path below `/auth/`
 * @param body is sent as JSON; undefined: no body
 * @returns the JSON of the response, assumed to have the requested type
 * @throws ServiceError for an error response, or when the service does not respond
 */
export async function request<Body>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Body> {
  const init: RequestInit = { method, cache: 'no-store', credentials: 'same-origin' };
  if (method !== 'GET') init.headers = { 'Content-Type': 'application/json' };
  if (body !== undefined) init.body = JSON.stringify(body);
  const unreachable = () => {
    throw new ServiceError(
      'The authentication service is not responding. Check your connection, or try again in a moment.',
    );
  };
  const response = await fetch(`/auth/${path}`, init).catch(unreachable);
  if (outageStatuses.has(response.status)) unreachable();
  const json: unknown = await response.json().catch(unreachable);
  if (response.ok) return json as Body;
  const error = (json as { readonly error?: unknown } | null)?.error;
  const message =
    typeof error === 'string' ? error : `The service responded with status ${response.status}.`;
  throw new ServiceError(message, response.status);
}

/** Whether an error is a response with this status. */
export function hasStatus(error: unknown, status: 400 | 401 | 403 | 404): boolean {
  return error instanceof ServiceError && error.status === status;
}

/** Returns the message to show for an error. Errors of the page itself are logged. */
export function messageOf(error: unknown): string {
  if (error instanceof ServiceError) return error.message;
  console.error(error);
  return 'Something went wrong on this page. Reload it.';
}
