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
import { switchTo, writeRelease } from './release/made-release.ts';

const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
const distDir = join(folder, 'dist');
const shift = '2024-05-05-s1';
const diagramPath = `neet/2024/${shift}/diagrams/large.png`;
/** Beyond what the system takes off the gateway for a client that reads nothing. */
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

/** Limits that no test meets. */
const roomy: TimeLimits = {
  header: 30_000,
  request: 30_000,
  checkInterval: 50,
  idle: 30_000,
  stalled: 30_000,
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

/** A connection; where the gateway resets it, it is closed, too. */
async function connected({ port }: Gateway): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  after(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** What comes next. */
async function next(socket: Socket): Promise<string> {
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  return bytes.toString('latin1');
}

/** The answer to a request as soon as the gateway takes one more connection. */
async function answered(gateway: Gateway): Promise<string> {
  for (;;) {
    const socket = await connected(gateway);
    socket.end(publicRequest);
    const answer = await text(socket).catch(() => '');
    if (answer !== '') return answer;
    await delay(20);
  }
}

describe('A connection', () => {
  it('is closed when its client asks nothing for too long after an answer', async () => {
    const socket = await connected(await start({ ...roomy, idle: 100 }));
    socket.write(publicRequest);
    assert.match(await text(socket), /^HTTP\/1\.1 200 /);
  });

  it('is closed when its client never asks anything', async () => {
    const socket = await connected(await start({ ...roomy, header: 100, request: 100 }));
    assert.match(await text(socket), /^HTTP\/1\.1 408 /);
  });

  it('tells its client how long it is kept', async () => {
    const socket = await connected(await start({ ...roomy, idle: 7_000 }));
    socket.write(publicRequest);
    assert.match(await next(socket), /\r\nKeep-Alive: timeout=7\r\n/i);
  });

  it('by which a header comes byte by byte is answered with 408 and closed', async () => {
    const gateway = await start({ ...roomy, header: 300, request: 300, stalled: 200 });
    const socket = await connected(gateway);
    const answer = text(socket);
    const bytes = `${publicRequest.slice(0, -2)}X-Slow: ${'a'.repeat(10_000)}`;
    let sent = 0;
    while (!socket.closed && sent < bytes.length) {
      socket.write(bytes[sent] ?? '');
      sent += 1;
      await delay(20);
    }
    assert.ok(sent < bytes.length, 'it was not cut off');
    assert.match(await answer, /^HTTP\/1\.1 408 /);
  });

  it('whose client reads nothing of a large diagram is cut off', async () => {
    const gateway = await start({ ...roomy, stalled: 200 }, { MAX_CONNECTIONS: '1' });
    const socket = await connected(gateway);
    socket.pause().write(diagramRequest(gateway));
    // There is no place for another before that one is cut off.
    assert.match(await answered(gateway), /^HTTP\/1\.1 200 /);
    assert.ok((await text(socket).catch(() => '')).length < diagram.length);
    assert.ok(!logged.some((line) => line.includes('failed')));
  });

  it('whose client reads a large diagram slowly is left alone', async () => {
    const gateway = await start({ ...roomy, stalled: 500 });
    const socket = await connected(gateway);
    socket.write(diagramRequest(gateway));
    let length = 0;
    let pauses = 0;
    // Longer than the limit in all, in pauses that are each shorter.
    for await (const bytes of socket) {
      length += (bytes as Buffer).length;
      if (length < pauses * 3_000_000) continue;
      pauses += 1;
      if (pauses === 8) break;
      await delay(100);
    }
    assert.equal(pauses, 8, `it was cut off after ${length} bytes`);
  });
});

describe('MAX_CONNECTIONS', () => {
  it('closes a connection beyond it at once, leaves the others alone, and lets new ones in when they end', async () => {
    const gateway = await start(roomy, { MAX_CONNECTIONS: '2' });
    const kept = [await connected(gateway), await connected(gateway)] as const;
    for (const socket of kept) {
      socket.write(publicRequest);
      assert.match(await next(socket), /^HTTP\/1\.1 200 /);
    }
    for (let more = 0; more < 3; more += 1) {
      const socket = await connected(gateway);
      socket.write(publicRequest);
      assert.equal(await text(socket).catch(() => ''), '');
    }
    const told = logged.filter((line) => line.startsWith('Connections are refused: there are 2,'));
    assert.equal(told.length, 1, 'it is told once');
    kept[0].write(publicRequest);
    assert.match(await next(kept[0]), /^HTTP\/1\.1 200 /);
    kept[1].end();
    await once(kept[1], 'close');
    assert.match(await answered(gateway), /^HTTP\/1\.1 200 /);
  });
});

describe('A connection that waits for its next request', () => {
  it('keeps nothing of those that were answered', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const app = express();
    const answered: WeakRef<object>[] = [];
    app.use((request, response) => {
      answered.push(new WeakRef(request), new WeakRef(response));
      response.end();
    });
    const { server } = createGatewayServer(app, undefined);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    for (let time = 0; time < 3; time += 1) {
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await once(socket, 'data');
    }
    // What an answer ends with comes after its bytes.
    await delay(50);
    collect();
    assert.equal(answered.length, 6);
    assert.ok(answered.every((message) => message.deref() === undefined));
    socket.destroy();
    server.close();
  });
});
