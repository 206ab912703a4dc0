import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import { type ApiErrorName, apiErrors } from '../build/release/errors.ts';
import { errorAnswer, refuse } from './http.ts';
import { messageClasses } from './messages.ts';
import { originForm } from './target.ts';

/** Bytes of request line and headers together; Node's own bound, said here because clients meet it. */
const maxHeaderSize = 16 * 1024;

/** How long a request may take to arrive, in milliseconds. */
export interface TimeLimits {
  /** For its header. */
  readonly header: number;
  /** For the whole of it: a GET has no body to wait for. */
  readonly request: number;
  /** From one look for those that are late to the next. */
  readonly look: number;
}

const usualLimits: TimeLimits = { header: 10_000, request: 30_000, look: 5_000 };

/** Milliseconds that a refused connection has to read why, before it is cut. */
const farewellTime = 1_000;
/** Requests that one connection may have under way: beyond what any client pipelines. */
const pipelineDepth = 64;

/**
 * The HTTP server around the app. What Node's parser or Express's router would refuse in a form of its own
 * never reaches the app: it gets the same JSON errors here.
 */
export function createGatewayServer(app: Express, limits: TimeLimits = usualLimits): Server {
  const underWay = new WeakMap<Socket, number>();

  function count(socket: Socket, change: 1 | -1): number {
    const requests = (underWay.get(socket) ?? 0) + change;
    underWay.set(socket, requests);
    return requests;
  }

  function ended(this: ServerResponse): void {
    count(this.req.socket, -1);
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    response.on('close', ended);
    if (count(socket, 1) > pipelineDepth) {
      socket.destroy();
      return;
    }
    const url = originForm(request.url ?? '');
    if (url === undefined) {
      refuse(response, request.method === 'GET' ? 'malformedUrl' : 'methodNotAllowed');
      return;
    }
    request.url = url;
    app(request, response);
  }

  function refuseConnection(socket: Socket, name: ApiErrorName): void {
    // An answer is under way: anything written now would be taken for a part of it.
    if (!socket.writable || (underWay.get(socket) ?? 0) > 0) socket.destroy();
    else refuseRaw(socket, name);
  }

  // The app itself refuses a request without a host, in JSON.
  const server = createServer(
    {
      ...messageClasses(app),
      maxHeaderSize,
      headersTimeout: limits.header,
      requestTimeout: limits.request,
      connectionsCheckingInterval: limits.look,
      requireHostHeader: false,
      // Where two of them would be a guess which one counts, they can be told from one.
      joinDuplicateHeaders: true,
    },
    answer,
  );
  // A GET that expects something is answered like any other (RFC 9110, 10.1.1 lets a server).
  server.on('checkContinue', answer);
  server.on('checkExpectation', answer);
  server.on('connect', (_request, socket: Socket) => refuseConnection(socket, 'methodNotAllowed'));
  server.on('clientError', (error: ParserError, socket: Socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else refuseConnection(socket, parserErrorName(error));
  });
  return server;
}

interface ParserError extends NodeJS.ErrnoException {
  /** The packet in which the parser gave up. */
  readonly rawPacket?: Buffer;
}

function parserErrorName({ code, rawPacket }: ParserError): ApiErrorName {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'requestTimeout';
    case 'HPE_INVALID_METHOD':
      // A word that is no known method is still a method (RFC 9110, 9.1), and not GET.
      return /^[ !#$%&'*+.^_`|~0-9A-Za-z-]/.test(rawPacket?.toString('latin1') ?? '')
        ? 'methodNotAllowed'
        : 'malformedRequest';
    case 'HPE_INVALID_URL':
    case 'HPE_HEADER_OVERFLOW':
      return 'malformedUrl';
    default:
      return 'malformedRequest';
  }
}

/** Answers on the socket itself, where there is no response object, and closes it. */
function refuseRaw(socket: Socket, name: ApiErrorName): void {
  const { status, message } = apiErrors[name];
  const { headers, body } = errorAnswer(name);
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(
    ([field, value]) => `${field}: ${value}`,
  );
  // Node has taken its own listener off a socket that it hands over.
  socket.on('error', () => socket.destroy());
  socket.setTimeout(farewellTime, () => socket.destroy());
  socket.end([`HTTP/1.1 ${status} ${message}`, ...lines, '', body].join('\r\n'));
  socket.resume();
}
