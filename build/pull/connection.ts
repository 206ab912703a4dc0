import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { DamagedAnswer } from './errors.ts';
import type { Fields } from './rate-limit.ts';

const unBrotli = promisify(brotliDecompress);
const unGzip = promisify(gunzip);

/** Bytes of a body, as it comes and decoded. A paper has some hundred thousand, a diagram seldom a million. */
const largestBody = 32 * 1024 * 1024;

/** Bytes of an error's body that are read, so that its connection can be used again. */
const largestError = 64 * 1024;

/** How long things may take, in milliseconds. */
export interface TimeLimits {
  /** To connect. */
  readonly connect: number;
  /** From a request to the last byte of its answer. */
  readonly answer: number;
}

/** One answer as it came. */
export interface Received {
  readonly status: number;
  readonly fields: Fields;
  /** Decoded; empty for every status but 200. */
  readonly body: Buffer;
}

/** Requests to one origin, on a few connections, each bounded in time and size. Redirects are not followed. */
export class Connection {
  readonly #origin: string;
  readonly #agent: Dispatcher;
  readonly #limits: TimeLimits;
  #closing: Promise<void> | undefined;

  /** @param atOnce connections; no more requests may be under way */
  constructor(origin: string, atOnce: number, limits: TimeLimits, { proxy, straight }: Way) {
    this.#origin = origin;
    this.#limits = limits;
    // All three are given, so that it does not look into the environment itself.
    this.#agent = new EnvHttpProxyAgent({
      ...{ httpProxy: proxy, httpsProxy: proxy, noProxy: straight },
      connections: atOnce,
      connectTimeout: limits.connect,
      headersTimeout: limits.answer,
      bodyTimeout: limits.answer,
      maxResponseSize: largestBody,
    });
  }

  /**
   * @throws DamagedAnswer when the body does not decode; Error, with the code of Node or undici, when no whole
   * answer of a bearable size comes in time
   */
  async ask(path: string, headers: Readonly<Record<string, string>>): Promise<Received> {
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(new Late(this.#limits.answer)), this.#limits.answer);
    try {
      const answer = await this.#agent.request({
        origin: this.#origin,
        method: 'GET',
        path,
        headers: { 'User-Agent': 'pastpaper-pull', 'Accept-Encoding': 'br, gzip', ...headers },
        signal: end.signal,
      });
      return { status: answer.statusCode, fields: answer.headers, body: await bodyOf(answer) };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Closes the connections. Requests under way end without an answer. */
  close(): Promise<void> {
    // What is closed twice is never closed.
    this.#closing ??= this.#agent.destroy();
    return this.#closing;
  }
}

class Late extends Error {
  constructor(limit: number) {
    super(`the answer took longer than ${limit / 1000} s`);
  }
}

async function bodyOf({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Buffer> {
  if (statusCode === 200) return decoded(Buffer.from(await body.arrayBuffer()), headers['content-encoding']);
  await body.dump({ limit: largestError });
  return Buffer.alloc(0);
}

/** Takes the content coding off (RFC 9110, 8.4). */
async function decoded(body: Buffer, coding: string | string[] | undefined): Promise<Buffer> {
  if (coding === undefined || coding === 'identity') return body;
  const decode = coding === 'br' ? unBrotli : coding === 'gzip' ? unGzip : undefined;
  if (!decode) throw new DamagedAnswer('the answer is in a content coding that was not asked for');
  return decode(body, { maxOutputLength: largestBody }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_BUFFER_TOO_LARGE') throw error;
    throw new DamagedAnswer('the answer does not decode');
  });
}

/** How requests get to the service: straight, or through a forward proxy. */
export interface Way {
  /** Address of the proxy; empty: none. */
  readonly proxy: string;
  /** Hosts that are asked without it, as NO_PROXY lists them. */
  readonly straight: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The way that an environment tells, as other tools read it: HTTPS_PROXY or HTTP_PROXY by the scheme of the service,
 * and NO_PROXY; a name in lower case comes before the same in capitals. A service on this machine is asked straight.
 *
 * @throws RangeError when the proxy is no address of one; the message does not show it, as it may hold a password
 */
export function wayTo(baseUrl: string, environment: Environment): Way {
  const name = baseUrl.startsWith('https:') ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = isOnThisMachine(baseUrl) ? '' : settingOf(environment, name);
  if (proxy !== '' && !/^https?:$/.test(URL.canParse(proxy) ? new URL(proxy).protocol : ''))
    throw new RangeError(`${name} is not the address of a proxy, like http://proxy.example.org:3128.`);
  return { proxy, straight: settingOf(environment, 'NO_PROXY') };
}

/** Whether an address leads to no other machine. */
export function isOnThisMachine(baseUrl: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(baseUrl).hostname);
}

function settingOf(environment: Environment, name: string): string {
  return environment[name.toLowerCase()] ?? environment[name] ?? '';
}
