import { once } from 'node:events';
import {
  type ClientRequest,
  createServer,
  type IncomingHttpHeaders,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that came to a proxy, and what was answered. */
export interface Passed {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Undefined when the connection was cut instead. */
  readonly status: number | undefined;
}

/** An answer on its way back. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * What becomes of a request: it is answered by the proxy itself, its connection is cut before the answer or within
 * it, or the answer, in no content coding, is changed on its way.
 */
export type Fate =
  | { readonly kind: 'answer'; readonly answer: Partial<Answer> & { readonly status: number } }
  | { readonly kind: 'cut' }
  | { readonly kind: 'cut within' }
  | { readonly kind: 'change'; readonly change: (body: Buffer) => Buffer };

/** Stands before a service, and does to answers what networks and servers do. */
export interface Proxy {
  readonly url: string;
  /** In the order in which they were answered. */
  readonly passed: Passed[];
  /** Sends requests to another service from now on. */
  leadTo(upstream: string): void;
  /** Decides on each request from now on; undefined lets it pass. */
  tamper(fateOf: (path: string) => Fate | undefined): void;
  close(): Promise<void>;
}

/**
 * @param upstream address of the service
 * @param prefix path that stands before the service's own
 */
export async function startProxy(upstream: string, prefix = ''): Promise<Proxy> {
  const passed: Passed[] = [];
  let target = upstream;
  let fateOf: (path: string) => Fate | undefined = () => undefined;

  const server = createServer(async (incoming, response) => {
    const { url = '', headers } = incoming;
    const path = url.startsWith(prefix) ? url.slice(prefix.length) : url;
    const fate = fateOf(path);
    if (fate?.kind === 'cut') {
      passed.push({ path, headers, status: undefined });
      response.destroy();
      return;
    }
    try {
      const answer =
        fate?.kind === 'answer'
          ? { headers: {}, body: Buffer.alloc(0), ...fate.answer }
          : await ask(target, path, headers, fate?.kind === 'change');
      const isCut = fate?.kind === 'cut within';
      passed.push({ path, headers, status: isCut ? undefined : answer.status });
      if (isCut) sendHalf(response, answer);
      else send(response, fate?.kind === 'change' ? { ...answer, body: fate.change(answer.body) } : answer);
    } catch {
      // The service went away, or the client did.
      response.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    passed,
    leadTo(next) {
      target = next;
    },
    tamper(next) {
      fateOf = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function ask(
  upstream: string,
  path: string,
  headers: IncomingHttpHeaders,
  isPlain: boolean,
): Promise<Answer> {
  const { host: _host, 'accept-encoding': coding, ...rest } = headers;
  const asked: ClientRequest = request(`${upstream}${path}`, {
    headers: { ...rest, ...(coding !== undefined && !isPlain && { 'accept-encoding': coding }) },
  }).end();
  const [answer] = await once(asked, 'response');
  const chunks: Buffer[] = await answer.toArray();
  return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) };
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  const { 'transfer-encoding': _coding, ...rest } = headers;
  const length = status === 304 ? {} : { 'content-length': body.length };
  response.writeHead(status, { ...rest, ...length }).end(body);
}

function sendHalf(response: ServerResponse, answer: Answer): void {
  const { status, headers, body } = answer;
  response.writeHead(status, { ...headers, 'content-length': body.length + 1 });
  response.write(body.subarray(0, body.length / 2), () => response.destroy());
}
