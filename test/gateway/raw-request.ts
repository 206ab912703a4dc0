import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** An HTTP response as it was received. */
export interface RawResponse {
  readonly status: number;
  /** Names in lower case; a repeated header's values joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends a request as it is, even an invalid one, and reads the response until the server closes the connection.
 *
 * @param request the whole request; with `Connection: close`, the server closes the connection after the response
 */
export async function rawRequest(baseUrl: string, request: string): Promise<RawResponse> {
  return parseResponse(await sendBytes(baseUrl, request));
}

/** Sends bytes and returns everything that the server sends until it closes the connection. */
export function sendBytes(baseUrl: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.setTimeout(30_000, () => socket.destroy(new Error('no response within 30 s')));
  socket.write(Buffer.from(bytes, 'latin1'));
  return text(socket);
}

/** Sends a GET with a request target as it is. */
export function rawGet(
  baseUrl: string,
  target: string,
  headers: readonly string[] = [],
): Promise<RawResponse> {
  const lines = [`GET ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers];
  return rawRequest(baseUrl, `${lines.join('\r\n')}\r\n\r\n`);
}

/** Parses a response. */
export function parseResponse(response: string): RawResponse {
  const end = response.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = response.slice(0, end).split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
    const key = name.toLowerCase();
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
  }
  return { status: Number(statusLine.split(' ')[1]), headers, body: response.slice(end + 4) };
}
