import { request } from 'undici';

/** A response with its whole body, not decoded. */
export interface BufferedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

/** Milliseconds for a response: long, so that only a request that hangs fails. */
const timeout = 60_000;

/** Sends a GET request, with an API key if one is given, and reads the body without decoding it. */
export async function get(
  origin: string,
  path: string,
  key?: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<BufferedResponse> {
  const { statusCode, headers, body } = await request(`${origin}${path}`, {
    headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...fields },
    signal: AbortSignal.timeout(timeout),
  });
  return { status: statusCode, headers, bytes: Buffer.from(await body.arrayBuffer()) };
}

/** The remaining monthly quota, from the `RateLimit` field. */
export function remainingQuota({ headers }: BufferedResponse): number {
  return Number(/"quota";r=(\d+)/.exec(String(headers['ratelimit']))?.[1]);
}
