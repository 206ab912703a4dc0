import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** An HTTP answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case; a repeated header's values joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends bytes to a server and reads what it answers until it closes. Where a client library would repair
 * a request, this does not.
 *
 * @param request the whole request; `Connection: close` among its headers lets the server end
 */
export async function rawRequest(baseUrl: string, request: string): Promise<RawAnswer> {
  return parseAnswer(await sent(baseUrl, request));
}

/** Everything that a server answers to some bytes until it closes. */
export function sent(baseUrl: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.setTimeout(10_000, () => socket.destroy(new Error('no answer within 10 s')));
  socket.write(Buffer.from(bytes, 'latin1'));
  return text(socket);
}

/** Sends a GET with a request target as it is. */
export function rawGet(baseUrl: string, target: string, headers: readonly string[] = []): Promise<RawAnswer> {
  const lines = [`GET ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers];
  return rawRequest(baseUrl, `${lines.join('\r\n')}\r\n\r\n`);
}

/** An answer in the form of a `RawAnswer`. */
export function parseAnswer(answer: string): RawAnswer {
  const end = answer.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = answer.slice(0, end).split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
    const key = name.toLowerCase();
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
  }
  return { status: Number(statusLine.split(' ')[1]), headers, body: answer.slice(end + 4) };
}
