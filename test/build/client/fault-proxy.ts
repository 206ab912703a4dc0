import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { serveLocally } from '../../free-port.ts';

/** A request that a proxy received, and the status of its response. */
interface ProxiedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Undefined if the connection was cut. */
  readonly status: number | undefined;
}

/** A response of the upstream service. */
interface ProxyResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * What the proxy does with a request: it responds itself, cuts the connection before or within the response, or changes
 * the response.
 */
export type ProxyAction =
  | {
      readonly kind: 'respond';
      readonly response: Partial<ProxyResponse> & { readonly status: number };
    }
  | { readonly kind: 'cut' }
  | { readonly kind: 'cut within' }
  | { readonly kind: 'change'; readonly change: (body: Buffer) => Buffer };

/** A reverse proxy that injects faults of networks and servers. */
export interface FaultProxy {
  readonly url: string;
  /** In the order of their responses. */
  readonly requests: ProxiedRequest[];
  /** Forwards later requests to another service. */
  setUpstream(upstream: string): void;
  /** Sets the action for later requests; undefined forwards a request. */
  intercept(actionFor: (path: string) => ProxyAction | undefined): void;
  close(): Promise<void>;
}

/**
 * @param upstream address of the service
 * @param prefix path prefix of the service
 */
export async function startFaultProxy(upstream: string, prefix = ''): Promise<FaultProxy> {
  const requests: ProxiedRequest[] = [];
  let target = upstream;
  let actionFor: (path: string) => ProxyAction | undefined = () => undefined;

  const server = createServer(async (incoming, response) => {
    const { url = '', headers } = incoming;
    const path = url.startsWith(prefix) ? url.slice(prefix.length) : url;
    const action = actionFor(path);
    if (action?.kind === 'cut') {
      requests.push({ path, headers, status: undefined });
      response.destroy();
      return;
    }
    try {
      const upstreamResponse =
        action?.kind === 'respond'
          ? { headers: {}, body: Buffer.alloc(0), ...action.response }
          : await forward(`${target}${path}`, headers);
      const isCut = action?.kind === 'cut within';
      requests.push({ path, headers, status: isCut ? undefined : upstreamResponse.status });
      const { body } = upstreamResponse;
      if (isCut) sendHalf(response, upstreamResponse);
      else
        send(response, {
          ...upstreamResponse,
          body: action?.kind === 'change' ? action.change(body) : body,
        });
    } catch {
      // The service or the client has disconnected.
      response.destroy();
    }
  });
  const { url, close } = await serveLocally(server);
  return {
    url: `${url}${prefix}`,
    requests,
    setUpstream(next) {
      target = next;
    },
    intercept(next) {
      actionFor = next;
    },
    close,
  };
}

/** Requests a response without content coding. */
async function forward(
  url: string,
  { authorization }: IncomingHttpHeaders,
): Promise<ProxyResponse> {
  const response = await fetch(url, {
    headers: { ...(authorization && { authorization }), 'accept-encoding': 'identity' },
    redirect: 'manual',
  });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  };
}

function send(response: ServerResponse, { status, headers, body }: ProxyResponse): void {
  const { 'transfer-encoding': _coding, ...rest } = headers;
  const length = status === 304 ? {} : { 'content-length': body.length };
  response.writeHead(status, { ...rest, ...length }).end(body);
}

function sendHalf(response: ServerResponse, upstreamResponse: ProxyResponse): void {
  const { status, headers, body } = upstreamResponse;
  response.writeHead(status, { ...headers, 'content-length': body.length + 1 });
  response.write(body.subarray(0, body.length / 2), () => response.destroy());
}
