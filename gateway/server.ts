import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { type ApiErrorName, apiErrors } from '../build/release/errors.ts';
import { errorBody } from './http.ts';

/** Bytes of request line and headers together; Node's own bound, said here because clients meet it. */
const maxHeaderSize = 16 * 1024;
/** Milliseconds for the headers, and for the whole request: a GET has no body to wait for. */
const headersTimeout = 10_000;
const requestTimeout = 30_000;

/**
 * The HTTP server around the app. What Node's parser refuses never reaches the app: it gets the same JSON
 * errors here.
 */
export function createGatewayServer(app: RequestListener): Server {
  // The app itself refuses a request without a host, in JSON.
  const server = createServer(
    { maxHeaderSize, headersTimeout, requestTimeout, requireHostHeader: false },
    app,
  );
  // A GET that expects something is answered like any other (RFC 9110, 10.1.1 lets a server).
  server.on('checkContinue', app);
  server.on('checkExpectation', app);
  server.on('connect', (_request, socket: Socket) => refuseRaw(socket, 'methodNotAllowed'));
  server.on('clientError', (error: ParserError, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else refuseRaw(socket, parserErrorName(error));
  });
  return server;
}

interface ParserError extends NodeJS.ErrnoException {
  /** What had been received when the parser gave up. */
  readonly rawPacket?: Buffer;
}

function parserErrorName({ code, rawPacket }: ParserError): ApiErrorName {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'requestTimeout';
    case 'HPE_INVALID_METHOD':
      // A word that is no known method is still a method (RFC 9110, 9.1), and not GET.
      return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ /.test(rawPacket?.toString('latin1') ?? '')
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
  const body = errorBody(name);
  const { status, message } = apiErrors[name];
  socket.end(
    [
      `HTTP/1.1 ${status} ${message}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      ...(status === 405 ? ['Allow: GET'] : []),
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
