import { hash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ServerLimits } from '../../gateway/server.ts';
import type { Gateway } from '../../gateway/start.ts';
import { temporaryFolder } from '../build/bank-folder.ts';
import { openFiles } from './open-files.ts';
import { switchTo, writeRelease } from './release/write-release.ts';
import { type RunningGateway, runGateway } from './running-gateway.ts';

const distDir = await temporaryFolder();
const shift = '2024-05-05-s1';
const diagramPath = `neet/2024/${shift}/diagrams/large.png`;
const pagePath = 'docs/large.png';
/** Larger than the system's socket buffers, so that the gateway notices a client that does not read. */
export const diagram = Buffer.alloc(16 * 1024 * 1024, 'diagram');
/** The name of its object. */
const diagramObject = hash('sha256', diagram);

await writeRelease(
  distDir,
  'made',
  [
    { access: 'public', path: 'neet', mediaType: 'application/json', identity: Buffer.from('{}') },
    { access: 'public', path: pagePath, mediaType: 'image/png', identity: diagram },
    { access: 'protected', path: diagramPath, mediaType: 'image/png', identity: diagram },
  ],
  { neet: { '2024': { [shift]: shift } } },
);
await switchTo(distDir, 'made');

const started: RunningGateway[] = [];
after(async () => {
  await Promise.all(started.map((running) => running.close()));
});

/** The log lines of all gateways. */
export const logged = () => started.flatMap((running) => running.logged);

/** Limits that no test reaches. */
export const longLimits: ServerLimits = {
  header: 30_000,
  request: 30_000,
  checkInterval: 50,
  idle: 30_000,
  stalled: 30_000,
  response: 30_000,
  drain: 1_000,
  connections: 10_000,
};

/** Starts a gateway that serves a large diagram. */
export async function start(
  limits: ServerLimits,
  settings: Readonly<Record<string, string>> = {},
): Promise<Gateway> {
  const running = await runGateway({ DIST_DIR: distDir, ...settings }, 'in-real-time', limits);
  started.push(running);
  return running.gateway;
}

export const publicRequest = 'GET /neet HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** A request for the same bytes without a key. */
export const pageRequest = `GET /${pagePath} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

/** The descriptors of this process for the file behind `pageRequest`. */
export function openPages(): number {
  return openFiles().filter((file) => file.endsWith(diagramObject)).length;
}

export function diagramRequest({ developmentKey }: Gateway): string {
  return `GET /${diagramPath} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${developmentKey}\r\n\r\n`;
}

/** Opens a connection. A reset closes it without an error. */
export async function openConnection({ port }: Gateway): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  after(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** Reads the next chunk. */
export async function readChunk(socket: Socket): Promise<string> {
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  return bytes.toString('latin1');
}

/** Retries a request until the gateway accepts the connection. */
export async function retryUntilAccepted(gateway: Gateway): Promise<string> {
  for (;;) {
    const socket = await openConnection(gateway);
    socket.end(publicRequest);
    const response = await text(socket).catch(() => '');
    if (response !== '') return response;
    await nextTurn();
  }
}

/** A sign-in whose body does not end. */
export const endlessSignIn =
  'POST /auth/sign-in/email HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"email":';
