import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { defaultPlans } from '../../../build/release/plans.ts';
import { type Introspection, introspectKeys } from '../../../gateway/access/introspection.ts';
import { freePort } from '../../free-port.ts';
import { active, json, SteppedClock, startAuthenticationServer } from './authentication-service.ts';

const plans = { ...defaultPlans, roomy: { perSecond: 20, perMonth: 100_000 } };
const secret = 'a-secret-between-gateway-and-service';

const service = await startAuthenticationServer();
const opened: Introspection[] = [];
const logged: string[] = [];
after(async () => {
  await Promise.all(opened.map((introspection) => introspection.close()));
  await service.close();
});

function openWhole(clock = new SteppedClock(), url = service.url): Introspection {
  const introspection = introspectKeys({ url, clientId: 'gateway', secret }, plans, clock, (message) =>
    logged.push(message),
  );
  opened.push(introspection);
  service.requests = 0;
  return introspection;
}

const open = (clock?: SteppedClock, url?: string) => openWhole(clock, url).verifyKey;

const valid = { state: 'valid', account: 'acc_1', keyId: 'key_1', plan: 'roomy' };

describe('What the service answers of a key (RFC 7662, 2.2)', () => {
  const now = new SteppedClock().now() / 1000;

  it('gives account, key, plan and expiry', async () => {
    service.answer = json({ ...active, exp: now + 3600 });
    assert.deepEqual(await open()('token'), { ...valid, expiresAt: (now + 3600) * 1000 });
  });

  it('may name neither plan, key nor expiry', async () => {
    service.answer = json({ active: true, sub: 'acc_1' });
    assert.deepEqual(await open()('token'), { state: 'valid', account: 'acc_1', keyId: '', plan: 'free' });
  });

  it('may be that it is inactive: unknown', async () => {
    service.answer = json({ active: false });
    assert.deepEqual(await open()('token'), { state: 'unknown' });
  });

  it('may name an expiry that has come: expired', async () => {
    service.answer = json({ ...active, exp: now });
    assert.deepEqual(await open()('token'), { state: 'expired' });
  });

  const useless: readonly (readonly [string, string | Buffer, RegExp])[] = [
    ['null', 'null', /no object/],
    ['a number', '7', /no object/],
    ['a list', '[]', /whether the key is active/],
    ['active as a word', changed({ active: 'true' }), /whether the key is active/],
    ['nothing of active', changed({ active: undefined }), /whether the key is active/],
    ['no account', changed({ sub: undefined }), /names no account/],
    ['an account without a name', changed({ sub: '' }), /names no account/],
    ['a plan that is no name', changed({ plan: 7 }), /names a plan that PLANS does not have/],
    ['a list of plans', changed({ plan: ['roomy'] }), /names a plan that PLANS does not have/],
    ['a plan that nobody knows', changed({ plan: '__proto__' }), /names a plan that PLANS does not have/],
    ['an expiry that is no number', changed({ exp: 'tomorrow' }), /no moment as exp/],
    ['an expiry beyond all numbers', '{"active": true, "sub": "acc_1", "exp": 1e999}', /no moment as exp/],
    ['an account in Latin-1', Buffer.from('{"active": true, "sub": "caf\xe9"}', 'latin1'), /no JSON/],
  ];
  for (const [name, body, reason] of useless) {
    it(`is of no use with ${name}: unavailable, and the log says why`, async () => {
      service.answer = (response) => response.end(body);
      logged.length = 0;
      const verifyKey = open();
      assert.deepEqual(await verifyKey('token'), { state: 'unavailable' });
      assert.match(logged.join('\n'), reason);
      service.answer = json(active);
      assert.deepEqual(await verifyKey('token'), valid, 'nothing is kept of it');
    });
  }
});

/** The answer of a key that is in use, but for these. */
function changed(changes: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...active, ...changes });
}

describe('Connections to the service', () => {
  it('end when checks are closed, and no more are made', async () => {
    service.answer = json(active);
    const { verifyKey, close } = openWhole();
    assert.deepEqual(await verifyKey('token'), valid);
    const requests = service.requests;
    await close();
    assert.deepEqual(await verifyKey('another'), { state: 'unavailable' });
    assert.equal(service.requests, requests);
  });
});

describe('Checks of one key', () => {
  it('are made once when they are concurrent', async () => {
    service.answer = json(active);
    const verifyKey = open();
    const checks = await Promise.all(Array.from({ length: 20 }, () => verifyKey('token')));
    assert.deepEqual(new Set(checks.map(({ state }) => state)), new Set(['valid']));
    assert.equal(service.requests, 1);
    await verifyKey('another');
    assert.equal(service.requests, 2);
  });

  it('are made once when they are concurrent, and tried again after, in an outage', async () => {
    service.answer = (response) => response.writeHead(500).end();
    const verifyKey = open();
    const checks = await Promise.all(Array.from({ length: 20 }, () => verifyKey('token')));
    assert.deepEqual(new Set(checks.map(({ state }) => state)), new Set(['unavailable']));
    assert.equal(service.requests, 1);
    await verifyKey('token');
    assert.equal(service.requests, 2);
  });

  it('are believed for 9 s when the key is valid, then made again', async () => {
    service.answer = json(active);
    const clock = new SteppedClock();
    const verifyKey = open(clock);
    await verifyKey('token');
    service.answer = json({ active: false });
    clock.pass(9_000);
    assert.equal((await verifyKey('token')).state, 'valid');
    clock.pass(1);
    assert.equal((await verifyKey('token')).state, 'unknown');
    assert.equal(service.requests, 2);
  });

  it('are believed for 5 s when it is not', async () => {
    service.answer = json({ active: false });
    const clock = new SteppedClock();
    const verifyKey = open(clock);
    await verifyKey('token');
    service.answer = json(active);
    clock.pass(5_000);
    assert.equal((await verifyKey('token')).state, 'unknown');
    clock.pass(1);
    assert.equal((await verifyKey('token')).state, 'valid');
    assert.equal(service.requests, 2);
  });

  it('age from the question on, however late the answer comes', async () => {
    const clock = new SteppedClock();
    const verifyKey = open(clock);
    service.answer = (response, request, body) => {
      clock.pass(1_500);
      json(active)(response, request, body);
    };
    await verifyKey('token');
    service.answer = json({ active: false });
    clock.pass(7_500);
    assert.equal((await verifyKey('token')).state, 'valid');
    clock.pass(1);
    assert.equal((await verifyKey('token')).state, 'unknown');
  });

  it('are not believed past the expiry of the key', async () => {
    const clock = new SteppedClock();
    const verifyKey = open(clock);
    service.answer = json({ ...active, exp: clock.now() / 1000 + 3 });
    await verifyKey('token');
    clock.pass(2_999);
    assert.equal((await verifyKey('token')).state, 'valid');
    assert.equal(service.requests, 1);
    clock.pass(1);
    assert.equal((await verifyKey('token')).state, 'expired');
    assert.equal((await verifyKey('token')).state, 'expired');
    assert.equal(service.requests, 2);
  });

  it('are not believed past the expiry of the key when the clock is set, either', async () => {
    const clock = new SteppedClock();
    const verifyKey = open(clock);
    service.answer = json({ ...active, exp: clock.now() / 1000 + 3600 });
    await verifyKey('token');
    clock.setNow(clock.now() + 3_600_000);
    assert.equal((await verifyKey('token')).state, 'expired');
  });

  it('find a key whose expiry was put off valid again', async () => {
    const clock = new SteppedClock();
    const verifyKey = open(clock);
    service.answer = json({ ...active, exp: clock.now() / 1000 + 3 });
    await verifyKey('token');
    service.answer = json({ ...active, exp: clock.now() / 1000 + 60 });
    clock.pass(3_000);
    assert.equal((await verifyKey('token')).state, 'valid');
  });
});

describe('The log of an outage', () => {
  it('names the service and what is wrong with it, and neither key nor secret', async () => {
    const verifyKey = open();
    logged.length = 0;
    service.answer = (response, _request, body) => response.end(`<p>${body} ${secret}</p>`);
    await verifyKey('pfx_token');
    assert.deepEqual(logged, [
      `The authentication service at ${new URL(service.url).origin} gave no usable answer: its answer is no JSON`,
    ]);
  });

  it('says why where the service has several addresses, and none answers', async () => {
    const url = `http://localhost:${await freePort()}/introspect`;
    logged.length = 0;
    assert.deepEqual(await open(undefined, url)('token'), { state: 'unavailable' });
    assert.match(logged[0] ?? '', /^The authentication service at \S+ gave no usable answer: .*ECONNREFUSED/);
  });

  it('has one line a second, however many requests meet it', async () => {
    const clock = new SteppedClock();
    const verifyKey = open(clock);
    service.answer = (response) => response.writeHead(500).end();
    logged.length = 0;
    for (const token of ['one', 'two', 'three']) await verifyKey(token);
    assert.equal(logged.length, 1);
    clock.pass(1_000);
    await verifyKey('four');
    assert.equal(logged.length, 2);
  });
});
