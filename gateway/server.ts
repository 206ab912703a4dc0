import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import { type ApiErrorName, apiErrors } from '../build/release/errors.ts';
import { Connections } from './connections.ts';
import { refuse } from './http.ts';
import { messageClasses } from './messages.ts';
import type { RequestWatch, WatchedResponse } from './ops/request-watch.ts';
import { originForm } from './target.ts';

/** Bytes of request line and headers together; Node's own bound, said here because clients meet it. */
const maxHeaderSize = 16 * 1024;

/** How long a connection is waited for, in milliseconds. */
export interface TimeLimits {
  /** For the header of a request. */
  readonly header: number;
  /** For the whole of it: a GET has no body to wait for. */
  readonly request: number;
  /** From one look for those that are late to the next. */
  readonly look: number;
  /** For the next request of a connection. */
  readonly idle: number;
  /** For any progress of one that has a request under way: longer than any answer takes to begin. */
  readonly stalled: number;
}

/**
 * Whoever closes an idle connection should be the one that would send on it next: a proxy whose request meets a close
 * answers 502. nginx and the balancers of clouds close theirs after 60 s, so that this waits a little longer.
 */
const usualLimits: TimeLimits = {
  header: 10_000,
  request: 30_000,
  look: 5_000,
  idle: 65_000,
  stalled: 60_000,
};

/** Requests that one connection may have under way: beyond what any client pipelines. */
const pipelineDepth = 64;

/** A server, and the connections by which requests come to it. */
export interface GatewayServer {
  readonly server: Server;
  readonly connections: Connections;
}

/**
 * The HTTP server around the app. What Node's parser or Express's router would refuse in a form of its own
 * never reaches the app: it gets the same JSON errors here.
 *
 * @param watch is told of every request; undefined: none is watched
 */
export function createGatewayServer(
  app: Express,
  watch: RequestWatch | undefined,
  limits: TimeLimits = usualLimits,
): GatewayServer {
  const connections = new Connections();

  function ended(this: ServerResponse): void {
    connections.ended(this);
    watch?.ended(this as WatchedResponse);
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    watch?.begun(response as WatchedResponse);
    response.on('close', ended);
    if (connections.begun(response) > pipelineDepth) {
      request.socket.destroy();
      return;
    }
    if (!isFramed(request)) {
      refuse(response, 'malformedRequest', { Connection: 'close' });
      return;
    }
    if (asksForUpgrade(request) || isLast(request)) response.shouldKeepAlive = false;
    const url = originForm(request.url ?? '');
    if (url === undefined) {
      refuse(response, request.method === 'GET' ? 'malformedUrl' : 'methodNotAllowed');
      return;
    }
    request.url = url;
    app(request, response);
  }

  function refuseConnection(socket: Socket, name: ApiErrorName): void {
    if (connections.of(socket).refuse(name)) watch?.refused(apiErrors[name].status);
  }

  // The app itself refuses a request without a host, in JSON.
  const server = createServer(
    {
      ...messageClasses(app),
      maxHeaderSize,
      headersTimeout: limits.header,
      requestTimeout: limits.request,
      connectionsCheckingInterval: limits.look,
      keepAliveTimeout: limits.idle,
      requireHostHeader: false,
      // Where two of them would be a guess which one counts, they can be told from one.
      joinDuplicateHeaders: true,
    },
    answer,
  );
  // By the socket: bytes in either direction are progress, and without any for this long it is closed.
  server.setTimeout(limits.stalled);
  // A GET that expects something is answered like any other (RFC 9110, 10.1.1 lets a server).
  server.on('checkContinue', answer);
  server.on('checkExpectation', answer);
  server.on('connect', (_request, socket: Socket) => refuseConnection(socket, 'methodNotAllowed'));
  server.on('clientError', (error: ParserError, socket: Socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else refuseConnection(socket, parserErrorName(error));
  });
  return { server, connections };
}

/**
 * Whether it is said where the request ends (RFC 9112, 6.1 and 6.3). Node hands on what is in a coding that it does not
 * know, and complains only then.
 */
function isFramed({ headers }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  return coding === undefined || coding.toLowerCase() === 'chunked';
}

/**
 * Whether a client would go on in another protocol, which it may not. Node answers it like any other, but drops what came
 * with it: whoever pipelines would take the next answer for that of a request that was dropped.
 */
function asksForUpgrade({ headers: { upgrade, connection = '' } }: IncomingMessage): boolean {
  return upgrade !== undefined && /\bupgrade\b/i.test(connection);
}

/**
 * Whether a request of HTTP/1.0 does not ask to go on (RFC 9112, 9.3). Node takes it for asking where it bears
 * Proxy-Connection, which says nothing to a server (RFC 9112, C.2.2).
 */
function isLast({ httpVersionMinor, headers: { connection = '' } }: IncomingMessage): boolean {
  return httpVersionMinor === 0 && !/\bkeep-alive\b/i.test(connection);
}

interface ParserError extends NodeJS.ErrnoException {
  /** The packet in which the parser gave up, and the byte of it where it did: another request may end before that. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
  /** What the parser says of it. */
  readonly reason?: string;
}

function parserErrorName({ code, reason, rawPacket, bytesParsed }: ParserError): ApiErrorName {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'requestTimeout';
    case 'HPE_INVALID_METHOD':
      // A word that is no known method is still a method (RFC 9110, 9.1), and not GET: the parser gives up within it.
      return /^[ !#$%&'*+.^_`|~0-9A-Za-z-]/.test(rawPacket?.toString('latin1', bytesParsed) ?? '')
        ? 'methodNotAllowed'
        : 'malformedRequest';
    case 'HPE_INVALID_CONSTANT':
      // It knows methods of other protocols, and sees at the version that this is none of them.
      return reason?.startsWith('Invalid method') ? 'methodNotAllowed' : 'malformedRequest';
    case 'HPE_INVALID_URL':
    case 'HPE_HEADER_OVERFLOW':
      return 'malformedUrl';
    default:
      return 'malformedRequest';
  }
}
