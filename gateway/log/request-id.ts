import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Request } from 'express';

/** Ids by response. Most requests never need one. */
const ids = new WeakMap<ServerResponse, string>();

/** Ids from outside that are safe in headers, logs and shells. */
const safe = /^[A-Za-z0-9._~+/=@-]{1,64}$/;

/**
 * The id of a request, which users can quote: `X-Request-Id` of a trusted proxy, or a random one, created on first use.
 */
export function requestIdOf(response: ServerResponse): string {
  const id = ids.get(response) ?? proxyId(response.req as Request) ?? randomUUID();
  ids.set(response, id);
  return id;
}

function proxyId({ app, headers, socket }: Request): string | undefined {
  const id = headers['x-request-id'];
  if (typeof id !== 'string' || !safe.test(id)) return undefined;
  const trusts: (address: string | undefined, hops: number) => boolean = app.get('trust proxy fn');
  return trusts(socket.remoteAddress, 0) ? id : undefined;
}
