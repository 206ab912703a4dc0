import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Request } from 'express';

/** Where it is asked for twice, it is the same. Nothing is kept of the other requests. */
const known = new WeakMap<ServerResponse, string>();

/** What of an id stands safely in headers, logs and shells. */
const safe = /^[A-Za-z0-9._~+/=@-]{1,64}$/;

/**
 * The id of a request, by which a user can name it to the operator: what a trusted proxy calls it in `X-Request-Id`,
 * else one that is made when it is first asked for.
 */
export function requestIdOf(response: ServerResponse): string {
  const id = known.get(response) ?? proxysId(response.req as Request) ?? randomUUID();
  known.set(response, id);
  return id;
}

function proxysId({ app, headers, socket }: Request): string | undefined {
  const id = headers['x-request-id'];
  if (typeof id !== 'string' || !safe.test(id)) return undefined;
  const trusts: (address: string | undefined, hops: number) => boolean = app.get('trust proxy fn');
  return trusts(socket.remoteAddress, 0) ? id : undefined;
}
