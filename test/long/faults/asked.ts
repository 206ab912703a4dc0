import { request } from 'undici';

/** An answer, byte by byte as it came. */
export interface Asked {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

/** Milliseconds for an answer: generous, so that only what would wait for ever fails. */
const patience = 60_000;

/** Asks for a path, with a key where one is given, and takes the body in whatever coding it comes. */
export async function ask(
  origin: string,
  path: string,
  key?: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<Asked> {
  const { statusCode, headers, body } = await request(`${origin}${path}`, {
    headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...fields },
    signal: AbortSignal.timeout(patience),
  });
  return { status: statusCode, headers, bytes: Buffer.from(await body.arrayBuffer()) };
}

/** What `RateLimit` says that is left of the month. */
export function leftOf({ headers }: Asked): number {
  return Number(/"quota";r=(\d+)/.exec(String(headers['ratelimit']))?.[1]);
}
