/** Key checks at an authentication service, by OAuth 2.0 Token Introspection (RFC 7662). */
import { Pool } from 'undici';
import { defaultPlan, type Plans } from '../../build/release/plans.ts';
import { inTime } from '../../build/release/waits.ts';
import type { Clock } from '../clock.ts';
import type { IntrospectionService } from '../config.ts';
import type { ValidKey } from '../http.ts';
import { type Log, reasonOf, throttledLogger } from '../log/logger.ts';
import { type CompletedCheck, cached, type KeyCheck } from './require-key.ts';

/** Milliseconds: a revoked key is rejected within 10 s, with the time of a request. */
const ages = { valid: 9_000, rejected: 5_000 };

/**
 * Checks keys at an authentication service.
 *
 * @param plans the plans that an account can be on
 */
export function introspectKeys(
  service: IntrospectionService,
  plans: Plans,
  clock: Clock,
  log: Log,
) {
  const client = introspectionClient(service);
  const { origin } = new URL(service.url);
  // In an outage, every request would write a line.
  const logFailure = throttledLogger(log, clock, 1);

  async function introspect(token: string): Promise<KeyCheck> {
    try {
      const body = await client.introspect(token);
      return parseIntrospection(body, service, plans, clock.now());
    } catch (error) {
      logFailure(
        `The authentication service at ${origin} sent no valid response: ${reasonOf(error)}`,
      );
      return { state: 'unavailable' };
    }
  }

  return { verifyKey: cached(introspect, ages, clock), close: client.close };
}

/** What a token has to be for. */
type Purpose = Pick<IntrospectionService, 'audience' | 'scopes'>;

/**
 * Parses an introspection response (RFC 7662, 2.2): `active`, `sub` as the account, `client_id` as the key, `exp`, and
 * `plan`, which is our own and defaults to the default plan. A token for something else counts as unknown.
 *
 * @param body JSON in UTF-8
 * @param now milliseconds since 1970, UTC
 * @throws Error when the body is invalid; the message repeats nothing of it
 */
export function parseIntrospection(
  body: Uint8Array,
  purpose: Purpose,
  plans: Plans,
  now: number,
): CompletedCheck {
  const response = parseObject(body);
  if (response['active'] === false) return { state: 'unknown' };
  if (response['active'] !== true) throw new Error('the response has no valid "active"');
  if (!isAccessToken(response, purpose) || !isFor(response, purpose)) return { state: 'unknown' };
  const { sub: account, plan = defaultPlan(plans), exp } = response;
  const keyId = typeof response['client_id'] === 'string' ? response['client_id'] : '';
  if (account === '' || !isStorable(account))
    throw new Error('the response has no valid account ("sub")');
  if (!isStorable(keyId)) throw new Error('the response has no valid "client_id"');
  if (typeof plan !== 'string' || !Object.hasOwn(plans, plan))
    throw new Error('the response has a plan that is not configured');
  const valid: ValidKey = { state: 'valid', account, keyId, plan };
  if (exp === undefined) return valid;
  if (!Number.isFinite(exp)) throw new Error('the response has no valid "exp"');
  const expiresAt = (exp as number) * 1000;
  return expiresAt <= now ? { state: 'expired' } : { ...valid, expiresAt };
}

/** The limit of OpenID Connect for subjects, in characters. */
const maxIdLength = 255;

/** Whether a value can be stored: databases refuse some characters, and long values in an index. */
function isStorable(id: unknown): id is string {
  return typeof id === 'string' && id.length <= maxIdLength && !/[\p{Cc}\p{Cs}]/u.test(id);
}

/** Fields that say what a token is, and their values for access tokens: of RFC 7662, Ory Hydra and Keycloak. */
const tokenFields = [
  ['token_type', /^bearer$/i],
  ['token_use', /^access_token$/],
  ['typ', /^(bearer|at\+jwt)$/i],
] as const;

/**
 * Each of these fields that is present must have the value of an access token. All are optional, but if scopes are
 * required, one must be present: a refresh token has the same scopes, and oidc-provider omits `token_type` only there.
 */
function isAccessToken(response: Record<string, unknown>, { scopes }: Purpose): boolean {
  const sent = tokenFields.filter(
    ([name]) => response[name] !== undefined && response[name] !== null,
  );
  if (sent.length === 0) return scopes === undefined;
  return sent.every(
    ([name, pattern]) => typeof response[name] === 'string' && pattern.test(response[name]),
  );
}

/** Checks `aud`, a string or several, and `scope`, separated by spaces. */
function isFor(
  { aud, scope }: Record<string, unknown>,
  { audience, scopes = [] }: Purpose,
): boolean {
  const granted = typeof scope === 'string' ? scope.split(' ') : [];
  const isForUs = audience === undefined || [aud].flat().includes(audience);
  return isForUs && scopes.every((required) => granted.includes(required));
}

function parseObject(body: Uint8Array): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    // The parser's own message quotes the body, and an error page may contain the token.
    throw new Error('the response is not JSON');
  }
  if (typeof value !== 'object' || value === null)
    throw new Error('the response is not a JSON object');
  return value as Record<string, unknown>;
}

/** Milliseconds that a request may take: waiting, connecting, the response, a second attempt. */
const timeLimit = 2_000;

/** Connections to the service, and requests that may wait for one. */
const connections = 32;
const maxWaiting = 1_000;

/** Bytes of a response; an introspection response has a few hundred. */
const maxResponseSize = 64 * 1024;

/** Error codes of a broken connection: the service may close an idle one while the request is on its way. */
const brokenConnection = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** HTTP client of an authentication service, with a bounded pool of connections. */
export function introspectionClient(service: IntrospectionService) {
  const { origin, pathname, search } = new URL(service.url);
  const headers = {
    Accept: 'application/json',
    Authorization: basicCredentials(service),
    'Content-Type': 'application/x-www-form-urlencoded',
  };
  const pool = new Pool(origin, { connections, connectTimeout: timeLimit, maxResponseSize });

  async function send(token: string, signal: AbortSignal): Promise<Uint8Array> {
    const form = new URLSearchParams({ token, token_type_hint: 'access_token' }).toString();
    const path = `${pathname}${search}`;
    const request = { method: 'POST', path, headers, body: form, signal } as const;
    const response = await pool.request(request).catch((error) => {
      if (signal.aborted || !brokenConnection.has(error.code)) throw error;
      return pool.request(request);
    });
    const { statusCode, body } = response;
    if (statusCode === 200) return body.bytes();
    await body.dump({ limit: maxResponseSize });
    if (statusCode === 401)
      throw new Error('it rejected the gateway (status 401). Check INTROSPECTION_SECRET');
    throw new Error(`it responded with status ${statusCode}`);
  }

  return {
    /**
     * Sends an introspection request (RFC 7662, 2.1), and returns the body of its response.
     *
     * @throws Error when there is no response with status 200 within 2 s; the message names neither token nor secret
     */
    async introspect(token: string): Promise<Uint8Array> {
      const timeout = new AbortController();
      const { signal } = timeout;
      if (pool.stats.queued >= maxWaiting) throw new Error('too many requests are waiting');
      const response = send(token, signal);
      // undici heeds a signal only once the request has its connection.
      return inTime(response, timeLimit, () => {
        timeout.abort(new Error(`it took longer than ${timeLimit} ms`));
        return signal.reason;
      });
    },
    /** Closes the connections; pending requests fail. */
    close: () => pool.destroy(),
  };
}

/** HTTP Basic as OAuth clients use it: id and secret are form-urlencoded first (RFC 6749, 2.3.1). */
function basicCredentials({ clientId, secret }: IntrospectionService): string {
  return `Basic ${Buffer.from(`${formEncoded(clientId)}:${formEncoded(secret)}`).toString('base64')}`;
}

function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice('='.length);
}
