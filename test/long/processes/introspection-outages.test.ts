import assert from 'node:assert/strict';
import { after, describe, it, mock } from 'node:test';
import { systemClock } from '../../../gateway/clock.ts';
import {
  active,
  FakeClock,
  json,
  type Responder,
  startAuthenticationServer,
} from '../../gateway/access/authentication-service.ts';
import { introspectionAt, type RunningGateway, runGateway } from '../../gateway/running-gateway.ts';
import { type StartedProcess, startModule } from '../../gateway/started-process.ts';

// A whole gateway uses the system clock. Here it is mocked, so that the tests control the age of a cached response.
const clock = new FakeClock();
mock.method(systemClock, 'now', clock.now);
mock.method(systemClock, 'elapsed', clock.elapsed);

const service = await startAuthenticationServer();
const gateway = await runGateway(introspectionAt(service.url));
const started: StartedProcess[] = [];
after(async () => {
  await gateway.close();
  await service.close();
  await Promise.all(started.map(kill));
});

const unreachable = { status: 502, body: { error: 'Authentication service unreachable' } };

/** Milliseconds. Long: the gateway times out after 2 s, and without a timeout it would never respond. */
const timeout = 20_000;

/** Requests a protected resource with a key. */
async function get({ baseUrl }: RunningGateway, key: string) {
  const response = await fetch(`${baseUrl}/neet/2024/s1/physics.json`, {
    headers: { Authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(timeout),
  });
  return { status: response.status, body: await response.json() };
}

const outages: readonly (readonly [string, Responder])[] = [
  ['accepts requests and never responds', () => {}],
  [
    'takes longer than the timeout',
    (response) => after3Seconds(response, () => response.end(JSON.stringify(active))),
  ],
  ['sends its response byte by byte', drip],
  ['breaks off after half of its response', breakOff],
  ['closes every connection without a response', (_response, { socket }) => socket.end()],
  ['resets every connection', (_response, { socket }) => socket.resetAndDestroy()],
  ['responds with 500', (response) => response.writeHead(500).end('{"active":false}')],
  [
    'responds with HTML',
    (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>'),
  ],
  ['sends an empty response', (response) => response.end()],
  ['sends invalid UTF-8', (response) => response.end(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))],
  [
    'sends an oversized response',
    (response) => response.end(JSON.stringify({ ...active, more: 'a'.repeat(70_000) })),
  ],
  ['responds without an account', json({ active: true })],
  ['redirects the gateway', (response) => response.writeHead(302, { Location: '/other' }).end()],
  ['rejects the secret', (response) => response.writeHead(401).end('{"error":"invalid_client"}')],
];

function after3Seconds({ req }: Parameters<Responder>[0], act: () => void): void {
  const timer = setTimeout(act, 3_000);
  req.socket.once('close', () => clearTimeout(timer));
}

function drip(response: Parameters<Responder>[0]): void {
  const body = JSON.stringify(active);
  let sent = 0;
  const timer = setInterval(() => {
    response.write(body.charAt(sent));
    sent += 1;
    if (sent === body.length) response.end();
  }, 100);
  response.once('close', () => clearInterval(timer));
}

function breakOff(response: Parameters<Responder>[0]): void {
  response.writeHead(200, { 'Content-Length': 100 }).write('{"active"', () => response.destroy());
}

describe('While the authentication service', () => {
  for (const [number, [name, outage]] of outages.entries()) {
    const used = `pfx_used-${number}`;
    const fresh = `pfx_new-${number}`;

    it(`${name}, new keys get 502, cached keys work for 9 s, and the gateway recovers without a restart`, async () => {
      service.respond = json(active);
      assert.equal((await get(gateway, used)).status, 200);

      service.respond = outage;
      clock.advance(9_000);
      assert.deepEqual(await get(gateway, fresh), unreachable);
      assert.equal((await get(gateway, used)).status, 200);
      clock.advance(1_001);
      const both = await Promise.all([get(gateway, fresh), get(gateway, used)]);
      assert.deepEqual(both, [unreachable, unreachable]);

      service.respond = json(active);
      assert.equal((await get(gateway, fresh)).status, 200);
      assert.equal((await get(gateway, used)).status, 200);
    });
  }

  it('fails in any of these ways, each 502 has a log line', () => {
    const lines = gateway.logged.filter((line) => line.startsWith('A key could not be checked.'));
    assert.equal(lines.length, outages.length * 3);
  });

  it('fails in any of these ways, no key and no secret is logged', () => {
    assert.ok(gateway.logged.length > outages.length);
    assert.doesNotMatch(gateway.logged.join('\n'), /pfx_|a-secret|Z2F0ZXdheTph/);
  });
});

async function startProcess(port = '0'): Promise<StartedProcess & { readonly url: string }> {
  const process = startModule('test/long/processes/authentication-process.ts', { PORT: port });
  started.push(process);
  const [, url = ''] = await process.waitForOutput(/answers at (\S+)\n/);
  return { ...process, url };
}

async function kill({ process, ended }: StartedProcess): Promise<void> {
  process.kill('SIGKILL');
  await ended;
}

describe('When the authentication service is killed', () => {
  it('new keys get 502, cached keys work for 9 s, and only the service needs a restart', async () => {
    const first = await startProcess();
    const gateway = await runGateway(introspectionAt(first.url));
    after(() => gateway.close());
    assert.equal((await get(gateway, 'pfx_used')).status, 200);

    await kill(first);
    clock.advance(9_000);
    assert.deepEqual(await get(gateway, 'pfx_new'), unreachable);
    assert.equal((await get(gateway, 'pfx_used')).status, 200);
    clock.advance(1_001);
    assert.deepEqual(await get(gateway, 'pfx_used'), unreachable);

    await startProcess(new URL(first.url).port);
    assert.equal((await get(gateway, 'pfx_new')).status, 200);
    assert.equal((await get(gateway, 'pfx_used')).status, 200);
  });
});
