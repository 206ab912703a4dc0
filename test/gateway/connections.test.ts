import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import express from 'express';
import { readConfig } from '../../gateway/config.ts';
import { createGatewayServer, type TimeLimits } from '../../gateway/server.ts';
import { type Gateway, startGateway } from '../../gateway/start.ts';
import { switchTo, writeRelease } from './release/write-release.ts';

const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
const distDir = join(folder, 'dist');
const shift = '2024-05-05-s1';
const diagramPath = `neet/2024/${shift}/diagrams/large.png`;
/** Larger than the system's socket buffers, so that the gateway notices a client that does not read. */
const diagram = Buffer.alloc(32 * 1024 * 1024, 'diagram');

await writeRelease(
  distDir,
  'made',
  [
    { access: 'public', path: 'neet', mediaType: 'application/json', identity: Buffer.from('{}') },
    { access: 'protected', path: diagramPath, mediaType: 'image/png', identity: diagram },
  ],
  { neet: { '2024': { [shift]: shift } } },
);
await switchTo(distDir, 'made');

const logged: string[] = [];
const started: Gateway[] = [];
after(async () => {
  await Promise.all(started.map((gateway) => gateway.stop()));
  await rm(folder, { recursive: true });
});

/** Limits that no test reaches. */
const longLimits: TimeLimits = {
  header: 30_000,
  request: 30_000,
  checkInterval: 50,
  idle: 30_000,
  stalled: 30_000,
  response: 30_000,
};

async function start(limits: TimeLimits, settings: Readonly<Record<string, string>> = {}): Promise<Gateway> {
  const env = {
    PORT: '0',
    DRAIN_SECONDS: '1',
    DIST_DIR: distDir,
    DATA_DIR: join(folder, `data-${started.length}`),
    ...settings,
  };
  const gateway = await startGateway(
    readConfig(env, () => assert.fail()),
    (message) => void logged.push(message),
    { timeLimits: limits },
  );
  started.push(gateway);
  return gateway;
}

const publicRequest = 'GET /neet HTTP/1.1\r\nHost: localhost\r\n\r\n';

function diagramRequest({ developmentKey }: Gateway): string {
  return `GET /${diagramPath} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${developmentKey}\r\n\r\n`;
}

/** Opens a connection. A reset closes it without an error. */
async function openConnection({ port }: Gateway): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  after(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** Reads the next chunk. */
async function readChunk(socket: Socket): Promise<string> {
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  return bytes.toString('latin1');
}

/** Retries a request until the gateway accepts the connection. */
async function retryUntilAccepted(gateway: Gateway): Promise<string> {
  for (;;) {
    const socket = await openConnection(gateway);
    socket.end(publicRequest);
    const response = await text(socket).catch(() => '');
    if (response !== '') return response;
    await delay(20);
  }
}

describe('A connection', () => {
  it('is closed when the client is idle for too long after a response', async () => {
    const socket = await openConnection(await start({ ...longLimits, idle: 100 }));
    socket.write(publicRequest);
    assert.match(await text(socket), /^HTTP\/1\.1 200 /);
  });

  it('is closed with 408 when the client sends nothing', async () => {
    const socket = await openConnection(await start({ ...longLimits, header: 100, request: 100 }));
    assert.match(await text(socket), /^HTTP\/1\.1 408 /);
  });

  it('has its idle timeout in Keep-Alive', async () => {
    const socket = await openConnection(await start({ ...longLimits, idle: 7_000 }));
    socket.write(publicRequest);
    assert.match(await readChunk(socket), /\r\nKeep-Alive: timeout=7\r\n/i);
  });

  it('is closed with 408 when the header arrives too slowly', async () => {
    const gateway = await start({ ...longLimits, header: 300, request: 300, stalled: 200 });
    const socket = await openConnection(gateway);
    const response = text(socket);
    const bytes = `${publicRequest.slice(0, -2)}X-Slow: ${'a'.repeat(10_000)}`;
    let sent = 0;
    while (!socket.closed && sent < bytes.length) {
      socket.write(bytes[sent] ?? '');
      sent += 1;
      await delay(20);
    }
    assert.ok(sent < bytes.length, 'the connection was not closed');
    assert.match(await response, /^HTTP\/1\.1 408 /);
  });

  it('is closed when the client does not read a large diagram', async () => {
    const gateway = await start({ ...longLimits, stalled: 200 }, { MAX_CONNECTIONS: '1' });
    const socket = await openConnection(gateway);
    socket.pause().write(diagramRequest(gateway));
    // MAX_CONNECTIONS is 1: another one is accepted only after this one is closed.
    assert.match(await retryUntilAccepted(gateway), /^HTTP\/1\.1 200 /);
    assert.ok((await text(socket).catch(() => '')).length < diagram.length);
    assert.ok(!logged.some((line) => line.includes('failed')));
  });

  it('stays open when the client reads a large diagram slowly', async () => {
    const gateway = await start({ ...longLimits, stalled: 500 });
    const socket = await openConnection(gateway);
    socket.write(diagramRequest(gateway));
    let length = 0;
    let pauses = 0;
    // In all longer than the limit, but each pause is shorter.
    for await (const bytes of socket) {
      length += (bytes as Buffer).length;
      if (length < pauses * 3_000_000) continue;
      pauses += 1;
      if (pauses === 8) break;
      await delay(100);
    }
    assert.equal(pauses, 8, `the connection was closed after ${length} bytes`);
  });
});

/** A sign-in whose body does not end. */
const endlessSignIn =
  'POST /auth/sign-in/email HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"email":';

describe('A connection with an unfinished body', () => {
  it('is closed with 408 when the body arrives too slowly', async () => {
    const socket = await openConnection(await start({ ...longLimits, header: 200, request: 200 }));
    const response = text(socket);
    socket.write(endlessSignIn);
    const dripping = setInterval(() => socket.write(' '), 50);
    assert.match(await response.finally(() => clearInterval(dripping)), /^HTTP\/1\.1 408 /);
  });

  it('is closed with 400 when the client stops in the middle, and makes room for another', async () => {
    const gateway = await start(longLimits, { MAX_CONNECTIONS: '1' });
    const socket = await openConnection(gateway);
    socket.end(endlessSignIn);
    assert.match(await text(socket), /^HTTP\/1\.1 400 /);
    assert.match(await retryUntilAccepted(gateway), /^HTTP\/1\.1 200 /);
  });

  it('is closed with 400 when a chunk is malformed', async () => {
    const socket = await openConnection(await start(longLimits));
    socket.write(endlessSignIn.replace('Content-Length: 1000', 'Transfer-Encoding: chunked'));
    assert.match(await text(socket), /^HTTP\/1\.1 400 /);
  });

  it('gets its response once where the body is ignored, and is closed', async () => {
    const gateway = await start(longLimits);
    const chunked = `${diagramRequest(gateway).slice(0, -2)}Transfer-Encoding: chunked\r\n\r\n`;
    for (const request of [`${chunked}no size\r\n`, chunked]) {
      const socket = await openConnection(gateway);
      socket.end(request);
      const response = await text(socket);
      assert.match(response, /^HTTP\/1\.1 200 [\s\S]*?\r\nConnection: close\r\n/);
      assert.ok(response.length < 1.1 * diagram.length && response.length > diagram.length);
    }
    assert.ok(!logged.some((line) => line.includes('failed')));
  });
});

describe('A client that waits for 100 Continue', () => {
  it('gets it before the response, where a body is read', async () => {
    const gateway = await start(longLimits);
    const socket = await openConnection(gateway);
    const body = JSON.stringify({ email: 'a@example.org', password: 'wrong password' });
    socket.write(
      `POST /auth/sign-in/email HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    assert.equal(await readChunk(socket), 'HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(body);
    assert.match(await text(socket), /^HTTP\/1\.1 401 /);
  });

  it('gets an error without it, and the connection closes', async () => {
    const socket = await openConnection(await start(longLimits));
    socket.write(
      'POST /auth/sign-in/email HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n',
    );
    assert.match(await text(socket), /^HTTP\/1\.1 415 [\s\S]*\r\nConnection: close\r\n/);
  });
});

describe('A client that closes its side after a request', () => {
  it('gets the whole response', async () => {
    const gateway = await start(longLimits);
    const socket = await openConnection(gateway);
    socket.end(diagramRequest(gateway));
    assert.ok((await text(socket)).length > diagram.length);
  });
});

describe('A response', () => {
  it('that takes too long in all is cut off, even while the client reads', async () => {
    const gateway = await start({ ...longLimits, response: 500 });
    const socket = await openConnection(gateway);
    socket.write(diagramRequest(gateway));
    let length = 0;
    for await (const bytes of socket) {
      length += (bytes as Buffer).length;
      await delay(10);
    }
    assert.ok(length < diagram.length, String(length));
  });
});

describe('MAX_CONNECTIONS_PER_ADDRESS', () => {
  it('closes further connections of one address, and accepts those of others', async () => {
    const gateway = await start(longLimits, { MAX_CONNECTIONS_PER_ADDRESS: '1' });
    const first = await openConnection(gateway);
    first.write(publicRequest);
    assert.match(await readChunk(first), /^HTTP\/1\.1 200 /);
    const second = await openConnection(gateway);
    assert.equal(await text(second).catch(() => ''), '');
    const other = connect({ port: gateway.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    other.end(publicRequest);
    assert.match(await text(other), /^HTTP\/1\.1 200 /);
    first.destroy();
    assert.match(await retryUntilAccepted(gateway), /^HTTP\/1\.1 200 /);
    assert.ok(logged.some((line) => line.includes('MAX_CONNECTIONS_PER_ADDRESS')));
  });

  it('does not apply to trusted proxies', async () => {
    for (const TRUST_PROXY of ['1', '127.0.0.1']) {
      const gateway = await start(longLimits, { MAX_CONNECTIONS_PER_ADDRESS: '1', TRUST_PROXY });
      await openConnection(gateway);
      const second = await openConnection(gateway);
      second.end(publicRequest);
      assert.match(await text(second), /^HTTP\/1\.1 200 /);
    }
  });
});

describe('MAX_CONNECTIONS', () => {
  it('closes further connections at once, keeps the others open, and accepts new ones when those end', async () => {
    const gateway = await start(longLimits, { MAX_CONNECTIONS: '2' });
    const kept = [await openConnection(gateway), await openConnection(gateway)] as const;
    for (const socket of kept) {
      socket.write(publicRequest);
      assert.match(await readChunk(socket), /^HTTP\/1\.1 200 /);
    }
    for (let more = 0; more < 3; more += 1) {
      const socket = await openConnection(gateway);
      socket.write(publicRequest);
      assert.equal(await text(socket).catch(() => ''), '');
    }
    const refusals = logged.filter((line) =>
      line.startsWith('New connections are closed: MAX_CONNECTIONS (2)'),
    );
    assert.equal(refusals.length, 1, 'logged once');
    kept[0].write(publicRequest);
    assert.match(await readChunk(kept[0]), /^HTTP\/1\.1 200 /);
    kept[1].end();
    await once(kept[1], 'close');
    assert.match(await retryUntilAccepted(gateway), /^HTTP\/1\.1 200 /);
  });
});

describe('An idle connection', () => {
  it('keeps no earlier request or response in memory', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const app = express();
    const messages: WeakRef<object>[] = [];
    app.use((request, response) => {
      messages.push(new WeakRef(request), new WeakRef(response));
      response.end();
    });
    const { server } = createGatewayServer(app, undefined, { ...longLimits, checkInterval: 10 });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    for (let time = 0; time < 3; time += 1) {
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await once(socket, 'data');
    }
    // A response finishes after its bytes are sent, and the next check drops it.
    await delay(50);
    collect();
    assert.equal(messages.length, 6);
    assert.ok(messages.every((message) => message.deref() === undefined));
    socket.destroy();
    server.close();
  });
});
