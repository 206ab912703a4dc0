import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { DamagedResponse } from './errors.ts';
import type { Fields } from './rate-limit.ts';

/*
 * undici's own interceptors do not fit: `retry` continues a broken body with a range request, which the service does
 * not support, and cannot retry a body that is damaged; `decompress` prints an ExperimentalWarning, and passes on bodies
 * in codings that it does not support.
 */
const unBrotli = promisify(brotliDecompress);
const unGzip = promisify(gunzip);

/** Bytes of a body, compressed and decompressed. Papers have some hundred thousand, diagrams rarely a million. */
const maxBodySize = 32 * 1024 * 1024;

/** Bytes of an error's body that are read so that its connection can be reused. */
const maxErrorSize = 64 * 1024;

/** In milliseconds. */
export interface Timeouts {
  readonly connect: number;
  /** From a request to the last byte of its response. */
  readonly response: number;
}

/** A response with its whole body. */
export interface Received {
  readonly status: number;
  readonly fields: Fields;
  /** Decompressed; empty for every status but 200. */
  readonly body: Buffer;
}

/** Requests to one origin on a few connections, limited in time and size. Redirects are not followed. */
export class Connection {
  readonly #origin: string;
  readonly #agent: Dispatcher;
  readonly #timeouts: Timeouts;
  #closing: Promise<void> | undefined;

  /** @param connections no more requests may be in flight */
  constructor(origin: string, connections: number, timeouts: Timeouts, { proxy, noProxy }: ProxySettings) {
    this.#origin = origin;
    this.#timeouts = timeouts;
    this.#agent = new EnvHttpProxyAgent({
      // All three are given so that the agent does not read the environment itself.
      ...{ httpProxy: proxy, httpsProxy: proxy, noProxy },
      connections,
      connectTimeout: timeouts.connect,
      headersTimeout: timeouts.response,
      bodyTimeout: timeouts.response,
      maxResponseSize: maxBodySize,
    });
  }

  /**
   * @throws DamagedResponse when the body cannot be decompressed; Error, with the code of Node or undici, when no
   * complete response of an acceptable size arrives in time
   */
  async get(path: string, headers: Readonly<Record<string, string>>): Promise<Received> {
    const timeout = new AbortController();
    const { response: limit } = this.#timeouts;
    const late = new Error(`the response took longer than ${limit / 1000} s`);
    const timer = setTimeout(() => timeout.abort(late), limit);
    try {
      const response = await this.#agent.request({
        origin: this.#origin,
        method: 'GET',
        path,
        headers: { 'User-Agent': 'pastpaper-pull', 'Accept-Encoding': 'br, gzip', ...headers },
        signal: timeout.signal,
      });
      return { status: response.statusCode, fields: response.headers, body: await readBody(response) };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Closes the connections and aborts requests in flight. */
  close(): Promise<void> {
    // A second call of undici's `destroy` never settles.
    this.#closing ??= this.#agent.destroy();
    return this.#closing;
  }
}

async function readBody({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Buffer> {
  if (statusCode === 200)
    return decompress(Buffer.from(await body.arrayBuffer()), headers['content-encoding']);
  await body.dump({ limit: maxErrorSize });
  return Buffer.alloc(0);
}

async function decompress(body: Buffer, coding: string | string[] | undefined): Promise<Buffer> {
  if (coding === undefined || coding === 'identity') return body;
  const decode = coding === 'br' ? unBrotli : coding === 'gzip' ? unGzip : undefined;
  if (!decode) throw new DamagedResponse('the response is in a content coding that was not asked for');
  return decode(body, { maxOutputLength: maxBodySize }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_BUFFER_TOO_LARGE') throw error;
    throw new DamagedResponse('the response does not decode');
  });
}

/** The forward proxy of requests, if there is one. */
export interface ProxySettings {
  /** Address of the proxy; empty: none. */
  readonly proxy: string;
  /** Hosts that are requested directly, as NO_PROXY lists them. */
  readonly noProxy: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the proxy settings as other tools do: HTTPS_PROXY or HTTP_PROXY by the scheme of the service, and NO_PROXY;
 * names in lower case have precedence. A service on this machine needs no proxy.
 *
 * @throws RangeError when the address of the proxy is invalid; the message omits it, as it may hold a password
 */
export function proxyFor(baseUrl: string, environment: Environment): ProxySettings {
  const setting = (name: string) => environment[name.toLowerCase()] ?? environment[name] ?? '';
  const name = baseUrl.startsWith('https:') ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = isLoopback(baseUrl) ? '' : setting(name);
  if (proxy !== '' && !/^https?:$/.test(URL.canParse(proxy) ? new URL(proxy).protocol : ''))
    throw new RangeError(`${name} is not the address of a proxy, like http://proxy.example.org:3128.`);
  return { proxy, noProxy: setting('NO_PROXY') };
}

/** Whether an address is one of this machine. */
export function isLoopback(baseUrl: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(baseUrl).hostname);
}
