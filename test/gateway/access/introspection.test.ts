import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { introspectKeys } from '../../../gateway/access/introspection.ts';
import type { Clock } from '../../../gateway/clock.ts';
import { defaultPlans } from '../../../gateway/limits/plans.ts';

const secret = 'a-secret-between-gateway-and-service';
const plans = { ...defaultPlans, school: { perSecond: 20, perMonth: 100_000 } };
const now = Date.UTC(2026, 10, 21);
const clock: Clock = { now: () => now, elapsed: () => now };

type Answer = (response: ServerResponse, request: IncomingMessage, body: string) => void;

/** A real server in the place of the authentication service; what it answers is set by each test. */
let answer: Answer = (response) => response.end();
let requests = 0;
const server = createServer(async (request, response) => {
  requests += 1;
  answer(response, request, await text(request));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/introspect`;
after(() => {
  server.close();
  server.closeAllConnections();
});

const logged: string[] = [];
const open = () => introspectKeys({ url, secret }, plans, clock, (message) => logged.push(message));

const json =
  (body: unknown): Answer =>
  (response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(body));
  };

const active = { active: true, sub: 'acc_1', client_id: 'key_1', plan: 'school', exp: now / 1000 + 3600 };

describe('Token introspection (RFC 7662)', () => {
  it('asks with the token in a form, and with the secret', async () => {
    const seen: unknown[] = [];
    answer = (response, request, body) => {
      seen.push(request.method, request.headers['content-type'], request.headers.authorization, body);
      json(active)(response, request, body);
    };
    await open()('pfx_a+b/c==');
    assert.deepEqual(seen, [
      'POST',
      'application/x-www-form-urlencoded;charset=UTF-8',
      `Bearer ${secret}`,
      'token=pfx_a%2Bb%2Fc%3D%3D&token_type_hint=access_token',
    ]);
  });

  it('reads account, key, plan and expiry', async () => {
    answer = json(active);
    assert.deepEqual(await open()('token'), {
      state: 'valid',
      account: 'acc_1',
      keyId: 'key_1',
      plan: 'school',
      expiresAt: now + 3_600_000,
    });
  });

  it('takes a service that names neither plan, key nor expiry', async () => {
    answer = json({ active: true, sub: 'acc_1' });
    assert.deepEqual(await open()('token'), { state: 'valid', account: 'acc_1', keyId: '', plan: 'free' });
  });

  it('takes an inactive token as unknown, and one past its exp as expired', async () => {
    answer = json({ active: false });
    assert.deepEqual(await open()('token'), { state: 'unknown' });
    answer = json({ ...active, exp: now / 1000 });
    assert.deepEqual(await open()('token'), { state: 'expired' });
  });

  it('asks once for concurrent checks of one key, and keeps the answer', async () => {
    answer = json(active);
    const verify = open();
    requests = 0;
    const checks = await Promise.all(Array.from({ length: 20 }, () => verify('token')));
    assert.ok(checks.every(({ state }) => state === 'valid'));
    await verify('token');
    assert.equal(requests, 1);
    await verify('another');
    assert.equal(requests, 2);
  });

  it('keeps a refusal too', async () => {
    answer = json({ active: false });
    const verify = open();
    requests = 0;
    await verify('token');
    await verify('token');
    assert.equal(requests, 1);
  });
});

describe('An outage of the service is no bad key', () => {
  const outages: readonly (readonly [string, Answer])[] = [
    ['status 500', (response) => response.writeHead(500).end('{"active":false}')],
    ['status 401, the secret refused', (response) => response.writeHead(401).end('{"active":false}')],
    ['a redirect', (response) => response.writeHead(302, { Location: url }).end()],
    ['HTML', (response) => response.end('<html>')],
    [
      'half a body',
      (response) =>
        response.writeHead(200, { 'Content-Length': 100 }).write('{"active"', () => response.destroy()),
    ],
    ['a cut connection', (response) => response.destroy()],
    ['an endless body', (response) => response.end(`{"active":true,"sub":"${'a'.repeat(100_000)}"}`)],
    ['no object', json(null)],
    ['a list', json([])],
    ['active as a word', json({ ...active, active: 'true' })],
    ['no account', json({ active: true })],
    ['a plan that is no name', json({ ...active, plan: 7 })],
    ['a plan that nobody knows', json({ ...active, plan: '__proto__' })],
    ['an expiry that is no number', json({ ...active, exp: 'tomorrow' })],
    ['nothing, for longer than its time', () => {}],
  ];
  for (const [name, outage] of outages) {
    it(name, async () => {
      answer = outage;
      const verify = open();
      assert.deepEqual(await verify('pfx_secret'), { state: 'unavailable' });
      assert.doesNotMatch(logged.at(-1) ?? '', /pfx_secret|a-secret/);
      answer = json(active);
      assert.equal((await verify('pfx_secret')).state, 'valid', 'an outage is not kept');
    });
  }
});
