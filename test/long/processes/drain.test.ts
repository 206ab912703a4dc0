import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, get } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createFixture,
  type Started,
  startGateway,
  startService,
} from '../../gateway/ops/started-gateway.ts';
import { parseResponse } from '../../gateway/raw-request.ts';
import { introspectionAt } from '../../gateway/running-gateway.ts';

const fixture = await createFixture();
after(() => fixture.remove());

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
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    settings: introspectionAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    release: () => release(),
    async waitForRequests(count: number): Promise<void> {
      while (requests < count) await delay(10);
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function requestOf(key: string): string {
  return `GET /neet/2024/s1/physics.json HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`;
}

function connectTo({ baseUrl }: Started): Socket {
  const { hostname, port } = new URL(baseUrl);
  return connect(Number(port), hostname);
}

async function readiness({ adminUrl }: Started): Promise<readonly [number, string]> {
  const response = await fetch(`${adminUrl}/readyz`);
  return [response.status, await response.text()];
}

async function becomesUnready(started: Started): Promise<void> {
  while ((await readiness(started))[0] === 200) await delay(10);
}

/** The responses on one connection, in order. */
function responsesIn(received: string): ReturnType<typeof parseResponse>[] {
  return received
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((response) => response !== '')
    .map(parseResponse);
}

/** Sends requests on persistent connections as long as the gateway reports that it is ready. */
async function balancedLoad(
  started: Started,
): Promise<{ readonly statuses: number[]; readonly faults: string[] }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const statuses: number[] = [];
  const faults: string[] = [];
  let isReady = true;

  async function client(): Promise<void> {
    while (isReady) {
      await new Promise<void>((resolve) => {
        get(`${started.baseUrl}/neet/2024`, { agent }, (response) => {
          statuses.push(response.statusCode ?? 0);
          response.resume().on('close', resolve);
        }).on('error', (error) => {
          faults.push(error.message);
          resolve();
        });
      });
    }
  }

  const clients = Array.from({ length: 8 }, client);
  await becomesUnready(started);
  isReady = false;
  await Promise.all(clients);
  agent.destroy();
  return { statuses, faults };
}

const restarts = Number(process.env['RESTARTS'] ?? 3);

/**
 * Sends requests on 32 persistent connections, without retries, until `isOver` returns true.
 *
 * @returns the number of responses, and the errors of requests on connections that had been used before
 */
async function persistentLoad(url: string, isOver: () => boolean) {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const errors: string[] = [];
  let responses = 0;

  async function client(): Promise<void> {
    while (!isOver()) {
      await new Promise<void>((resolve) => {
        const request = get(url, { agent }, (response) => {
          responses += 1;
          response.resume().on('close', resolve);
        });
        request.on('error', async (error) => {
          if (request.reusedSocket) errors.push(error.message);
          // Between two processes nobody listens.
          else await delay(20);
          resolve();
        });
      });
    }
  }

  await Promise.all(Array.from({ length: 32 }, client));
  agent.destroy();
  return { responses, errors };
}

describe('Graceful shutdown', () => {
  it(`fails no request on persistent connections in ${restarts} restarts with default settings`, async () => {
    const env = await fixture.settings();
    let started = await startGateway(env);
    const { port } = new URL(started.baseUrl);
    let isOver = false;
    const load = persistentLoad(`${started.baseUrl}/neet/2024`, () => isOver);
    for (let restart = 0; restart < restarts; restart += 1) {
      await delay(300);
      assert.equal((await started.stop()).status, 0);
      started = await startGateway({ ...env, PORT: port });
    }
    await delay(300);
    isOver = true;
    const { responses, errors } = await load;
    await started.stop();
    assert.deepEqual(errors, []);
    assert.ok(responses > 32 * restarts, String(responses));
  });

  it('completes pending requests, closes their connections, and reports that it is not ready', async () => {
    const service = await delayedService();
    const started = await startGateway(await fixture.settings({ ...service.settings, NODE_ENV: '' }));
    const received = [1, 2, 3].map((number) => {
      const socket = connectTo(started);
      socket.write(requestOf(`key-${number}`));
      return text(socket);
    });
    await service.waitForRequests(3);
    const before = await readiness(started);
    started.process.kill('SIGTERM');
    await becomesUnready(started);
    const meanwhile = [await readiness(started), (await fetch(`${started.adminUrl}/livez`)).status];
    await assert.rejects(fetch(`${started.baseUrl}/neet`));
    service.release();
    const responses = (await Promise.all(received)).flatMap(responsesIn);
    const { status, stderr } = await started.ended;
    service.close();
    assert.deepEqual(before, [200, 'ok\n']);
    assert.deepEqual(meanwhile, [[503, 'stopping\n'], 200]);
    assert.deepEqual(
      responses.map((response) => [response.status, response.headers['connection']]),
      [1, 2, 3].map(() => [200, 'close']),
    );
    assert.deepEqual([status, stderr], [0, '']);
  });

  it('completes pipelined requests, and closes the connection with the last response', async () => {
    const service = await delayedService();
    const started = await startGateway(await fixture.settings({ ...service.settings, NODE_ENV: '' }));
    const socket = connectTo(started);
    const received = text(socket);
    socket.write(requestOf('key-1') + requestOf('key-2'));
    await service.waitForRequests(2);
    started.process.kill('SIGTERM');
    await becomesUnready(started);
    socket.write(requestOf('key-3'));
    await service.waitForRequests(3);
    service.release();
    const responses = responsesIn(await received);
    const { status } = await started.ended;
    service.close();
    assert.deepEqual(
      responses.map((response) => [response.status, response.headers['connection']]),
      [
        [200, 'keep-alive'],
        [200, 'keep-alive'],
        [200, 'close'],
      ],
    );
    assert.equal(status, 0);
  });

  it('accepts requests for DRAIN_DELAY_SECONDS, on new and existing connections', async () => {
    const started = await startGateway(await fixture.settings({ DRAIN_DELAY_SECONDS: '1' }));
    const old = connectTo(started);
    const received = text(old);
    old.write('GET /neet HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(old, 'readable');
    started.process.kill('SIGTERM');
    await becomesUnready(started);
    const fresh = await fetch(`${started.baseUrl}/neet/2024`);
    await fresh.arrayBuffer();
    old.write('GET /neet HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const [first, last] = responsesIn(await received);
    const { status } = await started.ended;
    assert.deepEqual([fresh.status, fresh.headers.get('connection')], [200, 'close']);
    assert.deepEqual([first?.status, first?.headers['connection']], [200, 'keep-alive']);
    assert.deepEqual([last?.status, last?.headers['connection']], [200, 'close']);
    assert.equal(status, 0);
  });

  it('fails no request of clients that follow its readiness', async () => {
    const started = await startGateway(await fixture.settings({ DRAIN_DELAY_SECONDS: '1' }));
    const load = balancedLoad(started);
    await delay(300);
    started.process.kill('SIGTERM');
    const { statuses, faults } = await load;
    const { status, stderr } = await started.ended;
    assert.deepEqual(faults, []);
    assert.ok(statuses.length > 0 && statuses.every((each) => each === 200), String(statuses.length));
    assert.deepEqual([status, stderr], [0, '']);
  });

  it('aborts requests that are pending after DRAIN_SECONDS, and logs their number', async () => {
    const service = await delayedService();
    const started = await startGateway(
      await fixture.settings({ ...service.settings, NODE_ENV: '', DRAIN_SECONDS: '0.2' }),
    );
    const socket = connectTo(started);
    socket.on('error', () => {});
    socket.write(requestOf('key-1'));
    await service.waitForRequests(1);
    const { status, stderr } = await started.stop();
    service.close();
    assert.match(stderr, /"Requests aborted after DRAIN_SECONDS: 1\."/);
    assert.equal(status, 0);
  });

  for (const second of ['SIGTERM', 'SIGINT'] as const)
    it(`ends immediately on a second signal (${second})`, async () => {
      const started = await startGateway(await fixture.settings({ DRAIN_DELAY_SECONDS: '600' }));
      const closed = once(started.process, 'close');
      started.process.kill('SIGTERM');
      await becomesUnready(started);
      await delay(600);
      started.process.kill(second);
      assert.deepEqual(await closed, [null, second]);
    });

  it('ignores a signal that is repeated immediately, as npm forwards signals of a terminal', async () => {
    const service = await delayedService();
    const started = await startGateway(await fixture.settings({ ...service.settings, NODE_ENV: '' }));
    const socket = connectTo(started);
    const received = text(socket);
    socket.write(requestOf('key-1'));
    await service.waitForRequests(1);
    started.process.kill('SIGINT');
    await becomesUnready(started);
    started.process.kill('SIGINT');
    await delay(100);
    service.release();
    const [response] = responsesIn(await received);
    const { status } = await started.ended;
    service.close();
    assert.deepEqual([response?.status, status], [200, 0]);
  });

  it('works the same in pastpaper auth', async () => {
    const started = await startService(
      await fixture.settings({
        INTROSPECTION_SECRET: randomBytes(32).toString('base64'),
        DRAIN_DELAY_SECONDS: '1',
      }),
    );
    started.process.kill('SIGTERM');
    await becomesUnready(started);
    const response = await fetch(`${started.baseUrl}/auth/settings`);
    await response.arrayBuffer();
    const { status, stderr } = await started.ended;
    assert.deepEqual([response.status, response.headers.get('connection')], [200, 'close']);
    assert.deepEqual([status, stderr], [0, '']);
  });
});
