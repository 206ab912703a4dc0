import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import express, { type Express } from 'express';
import { type ApiErrorName, apiErrors } from '../build/release/errors.ts';
import { Connections } from './connection.ts';
import { type AnyResponse, type Locals, noFields, sendError } from './http.ts';

/** Bytes of request line and headers together. Node's own default, explicit because clients depend on it. */
const maxHeaderSize = 16 * 1024;

/** Limits of connections; times are in milliseconds. */
export interface ServerLimits {
  /** Until the headers of a request are complete. */
  readonly header: number;
  /** Until the request is complete. */
  readonly request: number;
  /** Between two checks of these two limits. */
  readonly checkInterval: number;
  /** Until the next request of a connection. */
  readonly idle: number;
  /** Without progress while a request is pending: longer than any response takes to begin. */
  readonly stalled: number;
  /** Until a response is sent, however slowly the client reads. */
  readonly response: number;
  /** From the signal to stop until pending requests are aborted. */
  readonly drain: number;
  /** Open connections, of which an address that is no trusted proxy may have a tenth. */
  readonly connections: number;
}

/**
 * A proxy should close idle connections before the gateway does: a request that crosses a close becomes a 502 there.
 * nginx and cloud load balancers close theirs after 60 s, so `idle` is a little longer.
 */
export const defaultServerLimits: ServerLimits = {
  header: 10_000,
  request: 30_000,
  checkInterval: 1_000,
  idle: 65_000,
  stalled: 60_000,
  response: 600_000,
  drain: 10_000,
  connections: 10_000,
};

/** Is notified of every request. */
export interface RequestObserver {
  /** The response was sent, or the client disconnected. */
  ended(response: AnyResponse): void;
  /** Node's parser rejected the request: there is no response object. */
  rejected(status: number): void;
}

export type GatewayServer = ReturnType<typeof createGatewayServer>;

/**
 * The HTTP server around the app. Requests that Node's parser or Express's router would reject in a format of their own
 * get the JSON errors of the API here.
 */
export function createGatewayServer(
  app: Express,
  observer: RequestObserver | undefined,
  serverLimits: ServerLimits,
) {
  const connections = new Connections((response) => serve(response.req, response));

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const connection = connections.of(request.socket);
    if (hasBody(request)) connection.limitBody(response, isBodyRead(request));
    if (connection.begin(response)) serve(request, response);
  }

  function serve(request: IncomingMessage, response: ServerResponse): void {
    if (observer) response.on('close', () => observer.ended(response));
    if (request.httpVersionMajor !== 1) {
      sendError(response, 'versionNotSupported', { Connection: 'close' });
      return;
    }
    if (!hasValidFraming(request)) {
      sendError(response, 'malformedRequest', { Connection: 'close' });
      return;
    }
    if (wantsUpgrade(request) || isLast(request)) response.shouldKeepAlive = false;
    const url = originForm(request.url ?? '');
    if (url === undefined) {
      sendError(response, request.method === 'GET' ? 'malformedUrl' : 'methodNotAllowed');
      return;
    }
    request.url = url;
    app(request, response);
  }

  function rejectConnection(socket: Socket, name: ApiErrorName): void {
    if (connections.of(socket).reject(name)) observer?.rejected(apiErrors[name].status);
  }

  const server = createServer(
    {
      // From Node 24.12: a request without a body is not read to its end. Node's types lack it.
      ...{ optimizeEmptyRequests: true },
      ...messageClasses(app),
      maxHeaderSize,
      headersTimeout: serverLimits.header,
      requestTimeout: serverLimits.request,
      connectionsCheckingInterval: serverLimits.checkInterval,
      keepAliveTimeout: serverLimits.idle,
      // The app checks the host itself, and responds in JSON.
      requireHostHeader: false,
      // Lets the app reject duplicates of Host and Authorization.
      joinDuplicateHeaders: true,
    },
    handle,
  );
  // The header's size is limited, and a field beyond Node's 2,000 could be a second Authorization.
  server.maxHeadersCount = 0;
  // A client that sends nothing after its request still gets the response. Node has this option, but not its types.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Applies to the socket: bytes in either direction count as progress.
  server.setTimeout(serverLimits.stalled);
  const checks = serverLimits.response / serverLimits.checkInterval;
  server.on('listening', () => {
    const timer = setInterval(() => connections.destroyLate(checks), serverLimits.checkInterval);
    timer.unref();
    server.on('close', () => clearInterval(timer));
  });
  server.on('connection', (socket: Socket) => connections.of(socket));
  // Who reads a body sends 100 Continue first; others respond without it (RFC 9110, 10.1.1).
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
  server.on('connect', (_request, socket: Socket) => rejectConnection(socket, 'methodNotAllowed'));
  server.on('clientError', (error: ParserError, socket: Socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else rejectConnection(socket, parserErrors[error.code ?? '']?.(error) ?? 'malformedRequest');
  });
  const isTrusted = app.get('trust proxy fn') as (address: string, hops: number) => boolean;
  return {
    server,
    connections,
    /** Whether an address is that of a trusted proxy. */
    isProxy: (address: string) => isTrusted(address, 0),
  };
}

/**
 * The origin-form of a request target (RFC 9112, 3.2): path and query, without scheme and host.
 *
 * @param url from the request line
 * @returns undefined if it is neither in origin-form nor in absolute-form for http or https
 */
function originForm(url: string): string | undefined {
  if (url.startsWith('/')) return url;
  const absolute = /^https?:\/\/[^/?#@]+([/?].*)?$/is.exec(url);
  if (!absolute || !URL.canParse(url)) return undefined;
  const [, rest = ''] = absolute;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = headers;
  return coding !== undefined || (length !== undefined && length !== '0');
}

/** Whether a route may read the body: only those of the authentication service do. */
function isBodyRead({ url = '' }: IncomingMessage): boolean {
  return originForm(url)?.startsWith('/auth') === true;
}

/** Whether the framing is valid (RFC 9112, 6.1 and 6.3): Node accepts unknown codings, and HTTP/1.0 with one. */
function hasValidFraming({ headers, httpVersionMinor }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  return coding === undefined || (httpVersionMinor > 0 && coding.toLowerCase() === 'chunked');
}

/**
 * Whether a client asks for another protocol, which the gateway never switches to. Node drops what is pipelined behind
 * such a request, so that the connection has to close: the client would match later responses to the wrong requests.
 */
function wantsUpgrade({ headers: { upgrade, connection = '' } }: IncomingMessage): boolean {
  return upgrade !== undefined && /\bupgrade\b/i.test(connection);
}

/** Whether HTTP/1.0 asks for no persistent connection (RFC 9112, 9.3). Proxy-Connection is not for servers (C.2.2). */
function isLast({ httpVersionMinor, headers: { connection = '' } }: IncomingMessage): boolean {
  return httpVersionMinor === 0 && !/\bkeep-alive\b/i.test(connection);
}

interface ParserError extends NodeJS.ErrnoException {
  /** The packet in which the parser failed, and the byte at which it did: another request may end before that. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
  readonly reason?: string;
}

/** The errors of Node's parser that are none of `malformedRequest`, by their code. */
const parserErrors: Readonly<Record<string, (error: ParserError) => ApiErrorName>> = {
  ERR_HTTP_REQUEST_TIMEOUT: () => 'requestTimeout',
  // An unknown token is still a method (RFC 9110, 9.1), and not GET. The parser fails within it.
  HPE_INVALID_METHOD: ({ rawPacket, bytesParsed }) =>
    /^[ !#$%&'*+.^_`|~0-9A-Za-z-]/.test(rawPacket?.toString('latin1', bytesParsed) ?? '')
      ? 'methodNotAllowed'
      : 'malformedRequest',
  // The parser knows methods of other protocols, and rejects them only at the version.
  HPE_INVALID_CONSTANT: ({ reason }) =>
    reason?.startsWith('Invalid method') ? 'methodNotAllowed' : 'malformedRequest',
  // The other reasons are versions that are not two digits.
  HPE_INVALID_VERSION: ({ reason }) =>
    reason === 'Invalid HTTP version' ? 'versionNotSupported' : 'malformedRequest',
  HPE_INVALID_URL: () => 'malformedUrl',
  HPE_HEADER_OVERFLOW: () => 'malformedUrl',
};

/**
 * Creates the classes of an app's requests and responses. Express sets the prototype of each request and response to
 * `app.request` or `app.response`, which makes V8 drop what it has learned about the object's shape
 * (expressjs/express#5998). The prototypes of these classes inherit from Express's, and are the app's: Express then sets
 * the prototype that is there already, which changes nothing.
 */
function messageClasses(app: Express) {
  const proxies: unknown = app.get('trust proxy');
  class GatewayRequest extends IncomingMessage {
    // Properties that Express and its router set. Declared here, they do not change the object's shape.
    res = undefined;
    next = undefined;
    baseUrl = '';
    originalUrl = '';
    params = undefined;
    _parsedUrl = undefined;
    rateLimit = undefined;

    /** Express's own getter parses X-Forwarded-For; without trusted proxies the address is the connection's. */
    get ip(): string | undefined {
      return proxies === false
        ? this.socket.remoteAddress
        : Reflect.get(express.request, 'ip', this);
    }
  }
  class GatewayResponse extends ServerResponse {
    /** Express's own has no prototype, which makes V8 use a slower kind of object. */
    readonly locals = {
      target: undefined,
      key: undefined,
      fields: noFields,
      startedAt: performance.now(),
    } as unknown as Locals;
  }
  Object.setPrototypeOf(GatewayRequest.prototype, app.request);
  Object.setPrototypeOf(GatewayResponse.prototype, app.response);
  Object.assign(app, { request: GatewayRequest.prototype, response: GatewayResponse.prototype });
  return {
    IncomingMessage: GatewayRequest as typeof IncomingMessage,
    ServerResponse: GatewayResponse as typeof ServerResponse,
  };
}
