import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, listenLocally } from '../../free-port.ts';
import { parseResponse } from '../../gateway/raw-request.ts';
import { introspectionAt } from '../../gateway/running-gateway.ts';
import { type ServerProcess, serverSettings, startServer } from '../../gateway/server-process.ts';
import { waitUntil } from '../../wait-until.ts';

/** An authentication service that accepts every key, and delays its responses until `release` is called. */
async function delayedService() {
  let requests = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = createServer(async (_request, response) => {
    requests += 1;
    await released;
    response.end(JSON.stringify({ active: true, sub: 'school', plan: 'roomy' }));
  });
  return {
    settings: introspectionAt(`http://127.0.0.1:${await listenLocally(server)}/`),
    release: () => release(),
    waitForRequests: (count: number) => waitUntil(() => requests >= count),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Starts a gateway that asks a delayed service, and opens a connection for each text, on which it is sent. */
async function startWithPending(texts: readonly string[]) {
  const service = await delayedService();
  after(() => service.close());
  const settings = { ...service.settings, ADMIN_PORT: '0', NODE_ENV: '' };
  const started = await startServer('gateway', settings);
  const sockets = texts.map(() => connectTo(started));
  const received = Promise.all(sockets.map((socket) => text(socket)));
  for (const [index, socket] of sockets.entries())
    socket.on('error', () => {}).write(texts[index] ?? '');
  // The pipelined ones wait for the first of their connection.
  await service.waitForRequests(texts.length);
  return {
    service,
    started,
    responses: async () => (await received).flatMap(responsesIn),
  };
}

function requestOf(key: string): string {
  return `GET /neet/2024/s1/physics.json HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`;
}

function connectTo({ origin }: ServerProcess): Socket {
  const { hostname, port } = new URL(origin);
  return connect(Number(port), hostname);
}

async function readiness({ adminOrigin }: ServerProcess): Promise<readonly [number, string]> {
  const response = await fetch(`${adminOrigin}/readyz`);
  return [response.status, await response.text()];
}

function becomesUnready(started: ServerProcess): Promise<void> {
  return waitUntil(async () => (await readiness(started))[0] !== 200);
}

/** The responses on one connection, in order. */
function responsesIn(received: string): ReturnType<typeof parseResponse>[] {
  return received
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((response) => response !== '')
    .map(parseResponse);
}

const restarts = Number(process.env['RESTARTS'] ?? 3);

/** Sends requests on 32 persistent connections, without retries, until `end` is called. */
function persistentLoad(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const statuses: (number | undefined)[] = [];
  /** Of requests on connections that had been used before, and of the other ones. */
  const errors = { used: [] as string[], fresh: [] as string[] };
  let isOver = false;

  async function client(): Promise<void> {
    while (!isOver) {
      await new Promise<void>((resolve) => {
        const request = get(url, { agent }, (response) => {
          statuses.push(response.statusCode);
          response.resume().on('close', resolve);
        });
        request.on('error', async (error) => {
          errors[request.reusedSocket ? 'used' : 'fresh'].push(error.message);
          // Between two processes nobody listens.
          await delay(20);
          resolve();
        });
      });
    }
  }

  const clients = Promise.all(Array.from({ length: 32 }, client));
  return {
    statuses,
    errors,
    /** Waits until each client has got some more responses. */
    waitForResponses() {
      const before = statuses.length;
      return waitUntil(() => statuses.length >= before + 320);
    },
    async end() {
      isOver = true;
      await clients;
      agent.destroy();
    },
  };
}

describe('Graceful shutdown', () => {
  it(`fails no request on persistent connections in ${restarts} restarts with default settings`, async () => {
    const env = await serverSettings({ PORT: String(await freePort()) });
    let started = await startServer('gateway', env);
    const load = persistentLoad(`${started.origin}/neet/2024`);
    for (let restart = 0; restart < restarts; restart += 1) {
      await load.waitForResponses();
      assert.equal((await started.stop('SIGTERM')).status, 0);
      started = await startServer('gateway', env);
    }
    await load.waitForResponses();
    await load.end();
    await started.stop();
    assert.deepEqual(load.errors.used, []);
  });

  it('completes pending requests, also pipelined ones, closes their connections, and reports that it is not ready', async () => {
    const texts = [
      ...['key-1', 'key-2', 'key-3'].map(requestOf),
      requestOf('key-4') + requestOf('key-5'),
    ];
    const { service, started, responses } = await startWithPending(texts);
    const before = await readiness(started);
    started.process.kill('SIGTERM');
    await becomesUnready(started);
    const meanwhile = [
      await readiness(started),
      (await fetch(`${started.adminOrigin}/livez`)).status,
    ];
    await assert.rejects(fetch(`${started.origin}/neet`));
    service.release();
    const { status, stderr } = await started.ended;
    assert.deepEqual(before, [200, 'ok\n']);
    assert.deepEqual(meanwhile, [[503, 'stopping\n'], 200]);
    assert.deepEqual(
      (await responses()).map(({ status, headers }) => `${status} ${headers['connection']}`),
      ['200 close', '200 close', '200 close', '200 keep-alive', '200 close'],
    );
    assert.deepEqual([status, stderr], [0, '']);
  });

  for (const second of ['SIGTERM', 'SIGINT'] as const)
    it(`ends immediately on a second signal (${second})`, async () => {
      const { started } = await startWithPending([requestOf('key-1')]);
      const closed = once(started.process, 'close');
      started.process.kill('SIGTERM');
      await becomesUnready(started);
      // A second signal within half a second counts as the first one.
      await delay(600);
      started.process.kill(second);
      assert.deepEqual(await closed, [null, second]);
    });

  it('ignores a signal that is repeated immediately, as npm forwards signals of a terminal', async () => {
    const { service, started, responses } = await startWithPending([requestOf('key-1')]);
    // Two of one kind might arrive as one.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) started.process.kill(signal);
    await becomesUnready(started);
    service.release();
    const [response] = await responses();
    assert.deepEqual([response?.status, (await started.ended).status], [200, 0]);
  });

  it('works the same in pastpaper auth', async () => {
    const started = await startServer('auth', {
      INTROSPECTION_SECRET: randomBytes(32).toString('base64'),
    });
    const { status, stderr } = await started.stop('SIGTERM');
    assert.equal(status, 0);
    assert.match(stderr, /^.*Visitors can sign up.*\n$/);
  });
});
