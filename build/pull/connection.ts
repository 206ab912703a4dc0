import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { connectionError, RequestFailed } from './errors.ts';
import type { Fields } from './rate-limit.ts';
import type { ProxySettings } from './settings.ts';

/*
 * undici's own interceptors do not fit: `retry` continues a broken body with a range request, which the service does
 * not support, and cannot retry a body that is damaged; `decompress` prints an ExperimentalWarning, and passes on
 * bodies in codings that it does not support.
 */
const decoders = new Map([
  ['br', promisify(brotliDecompress)],
  ['gzip', promisify(gunzip)],
]);

/** Bytes of a body, compressed and decompressed. Papers have some hundred thousand, diagrams rarely a million. */
const maxBodySize = 32 * 1024 * 1024;

/** Bytes of an error's body that are read so that its connection can be reused. */
const maxErrorSize = 64 * 1024;

/** A response with its whole body. */
export interface Received {
  readonly status: number;
  readonly fields: Fields;
  /** Decompressed; empty for every status but 200. */
  readonly body: Buffer;
}

/** @param connections no more requests may be in flight */
export function agentFor({ proxy, noProxy }: ProxySettings, connections: number): Dispatcher {
  // All three are given so that the agent does not read the environment itself.
  const proxies = { httpProxy: proxy, httpsProxy: proxy, noProxy };
  return new EnvHttpProxyAgent({ ...proxies, connections, maxResponseSize: maxBodySize });
}

/**
 * Sends a GET request, limited in time and size. Redirects are not followed.
 *
 * @param timeout milliseconds to the last byte of the response
 * @throws RequestFailed when no complete response arrives in time; PullStopped when a retry does not help; the signal's
 * reason when it aborts
 */
export async function sendRequest(
  agent: Dispatcher,
  url: string,
  headers: Readonly<Record<string, string>>,
  { timeout, signal }: { readonly timeout: number; readonly signal: AbortSignal },
): Promise<Received> {
  const late = AbortSignal.timeout(timeout);
  try {
    const response = await agent.request({
      origin: new URL(url).origin,
      path: new URL(url).pathname,
      method: 'GET',
      headers: { 'User-Agent': 'pastpaper-pull', 'Accept-Encoding': 'br, gzip', ...headers },
      signal: AbortSignal.any([signal, late]),
    });
    return { status: response.statusCode, fields: response.headers, body: await readBody(response) };
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) throw new RequestFailed(`the response took longer than ${timeout / 1000} s`);
    throw connectionError(url, error);
  }
}

async function readBody({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Buffer> {
  if (statusCode !== 200) {
    await body.dump({ limit: maxErrorSize });
    return Buffer.alloc(0);
  }
  const bytes = Buffer.from(await body.arrayBuffer());
  const coding = headers['content-encoding'];
  if (coding === undefined || coding === 'identity') return bytes;
  const decode = decoders.get(String(coding));
  if (!decode) throw new RequestFailed('the response has a content coding that was not requested');
  return decode(bytes, { maxOutputLength: maxBodySize });
}
