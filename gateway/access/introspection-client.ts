import { Pool } from 'undici';
import { inTime } from '../../build/release/waits.ts';
import type { IntrospectionService } from '../config.ts';

/** Milliseconds that a request may take: waiting, connecting, the response, a second attempt. */
const timeLimit = 2_000;

/** Connections to the service, and requests that may wait for one. */
const connections = 32;
const maxWaiting = 1_000;

/** Bytes of a response; an introspection response has a few hundred. */
const maxResponseSize = 64 * 1024;

/** Error codes of a broken connection: the service may close an idle one while the request is on its way. */
const brokenConnection = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

export type IntrospectionClient = ReturnType<typeof introspectionClient>;

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
