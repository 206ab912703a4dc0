import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { defaultPlans } from '../../../build/release/plans.ts';
import { introspectKeys, parseIntrospection } from '../../../gateway/access/introspection.ts';
import { cached } from '../../../gateway/access/require-key.ts';
import type { IntrospectionService } from '../../../gateway/config.ts';
import { FakeClock } from '../limits/fake-clock.ts';
import { active, json, startAuthenticationServer } from './authentication-service.ts';
import tokens from './tokens.json' with { type: 'json' };

const plans = { ...defaultPlans, roomy: { perSecond: 20, perMonth: 100_000 } };
const secret = 'a-secret-between-gateway-and-service';
const valid = { state: 'valid', account: 'acc_1', keyId: 'key_1', plan: 'roomy' };

type Purpose = Pick<IntrospectionService, 'audience' | 'scopes'>;

/** Seconds since 1970. */
const now = Date.UTC(2026, 10, 21) / 1000;
const parse = (body: string | Buffer, purpose: Purpose = {}) =>
  parseIntrospection(Buffer.from(body), purpose, plans, now * 1000);

/** The response for an active key, with changes. */
const changed = (changes: Readonly<Record<string, unknown>>) =>
  JSON.stringify({ ...active, ...changes });

describe('An introspection response (RFC 7662, 2.2)', () => {
  it('contains account, key, plan and expiry', () => {
    assert.deepEqual(parse(changed({ exp: now + 3600 })), {
      ...valid,
      expiresAt: (now + 3600) * 1000,
    });
  });

  it('may lack plan, key and expiry', () => {
    const check = parse('{"active": true, "sub": "acc_1"}');
    assert.deepEqual(check, { state: 'valid', account: 'acc_1', keyId: '', plan: 'free' });
  });

  it('with active: false means that the key is unknown', () => {
    assert.deepEqual(parse('{"active": false}'), { state: 'unknown' });
  });

  it('with a past expiry means that the key is expired', () => {
    assert.deepEqual(parse(changed({ exp: now })), { state: 'expired' });
  });

  const invalid: readonly (readonly [string, string | Buffer, RegExp])[] = [
    ['null', 'null', /not a JSON object/],
    ['a string for active', changed({ active: 'true' }), /no valid "active"/],
    ['no account', changed({ sub: undefined }), /no valid account/],
    ['an account of two lines', changed({ sub: 'acc\n' }), /no valid account/],
    ['a long client', changed({ client_id: 'a'.repeat(256) }), /no valid "client_id"/],
    ['an unknown plan', changed({ plan: '__proto__' }), /a plan that is not configured/],
    ['an expiry that is not a number', changed({ exp: 'tomorrow' }), /no valid "exp"/],
    [
      'an account in Latin-1',
      Buffer.from('{"active": true, "sub": "caf\xe9"}', 'latin1'),
      /is not JSON/,
    ],
  ];
  for (const [name, body, reason] of invalid) {
    it(`is invalid: ${name}`, () => assert.throws(() => parse(body), reason));
  }
});

describe('A token', () => {
  for (const state of ['valid', 'unknown'] as const) {
    for (const [name, purpose, fields] of tokens[state] as [
      string,
      Purpose,
      Readonly<Record<string, unknown>>,
    ][])
      it(`${name} is ${state}`, () =>
        assert.deepEqual(parse(changed(fields), purpose), state === 'valid' ? valid : { state }));
  }
});

const service = await startAuthenticationServer();
const opened: ReturnType<typeof introspectKeys>[] = [];
const logged: string[] = [];
after(async () => {
  await Promise.all(opened.map((introspection) => introspection.close()));
  await service.close();
});

/** Opens key checks with a clock that has run for a second: lru-cache takes an age from 0 for none. */
function open(url = service.url) {
  const clock = new FakeClock();
  clock.advance(1_000);
  const server = { url, clientId: 'gateway', secret };
  const introspection = introspectKeys(server, plans, clock, (message) => logged.push(message));
  opened.push(introspection);
  service.requests = 0;
  logged.length = 0;
  const { verifyKey, close } = introspection;
  return {
    clock,
    verifyKey,
    close,
    stateOf: async (token: string) => (await verifyKey(token)).state,
  };
}

describe('Key checks', () => {
  it('of one key share a request when they are concurrent', async () => {
    service.respond = json(active);
    const { stateOf } = open();
    const states = await Promise.all(Array.from({ length: 20 }, () => stateOf('token')));
    assert.deepEqual([new Set(states), service.requests], [new Set(['valid']), 1]);
    await stateOf('another');
    assert.equal(service.requests, 2);
  });

  const kinds = [
    ['valid', active, 9_000, { active: false }, 'unknown'],
    ['unknown', { active: false }, 5_000, active, 'valid'],
  ] as const;
  for (const [state, response, age, laterResponse, laterState] of kinds) {
    it(`are cached for ${age} ms if the key is ${state}`, async () => {
      service.respond = json(response);
      const { clock, stateOf } = open();
      await stateOf('token');
      service.respond = json(laterResponse);
      clock.advance(age);
      assert.equal(await stateOf('token'), state);
      clock.advance(1);
      assert.equal(await stateOf('token'), laterState);
      assert.equal(service.requests, 2);
    });
  }

  it('are cached from the time of the request, however late the response is', async () => {
    const { clock, stateOf } = open();
    service.respond = (response, request, body) => {
      clock.advance(1_500);
      json(active)(response, request, body);
    };
    await stateOf('token');
    service.respond = json({ active: false });
    clock.advance(7_500);
    assert.equal(await stateOf('token'), 'valid');
    clock.advance(1);
    assert.equal(await stateOf('token'), 'unknown');
  });

  it('are not cached past the expiry of the key', async () => {
    const { clock, stateOf } = open();
    service.respond = json({ ...active, exp: clock.now() / 1000 + 3 });
    await stateOf('token');
    clock.advance(2_999);
    assert.deepEqual([await stateOf('token'), service.requests], ['valid', 1]);
    clock.advance(1);
    assert.deepEqual(
      [await stateOf('token'), await stateOf('token'), service.requests],
      ['expired', 'expired', 2],
    );
  });

  it('are not cached past the expiry of the key if the clock is set forward', async () => {
    const { clock, stateOf } = open();
    service.respond = json({ ...active, exp: clock.now() / 1000 + 3600 });
    await stateOf('token');
    clock.setBack(-3_600_000);
    assert.equal(await stateOf('token'), 'expired');
  });
});

it('Cached key checks are limited in number, and invalid keys evict none of a valid key', async () => {
  const clock = new FakeClock();
  clock.advance(1_000);
  let lookUps = 0;
  const verify = cached(
    async (token) => {
      lookUps += 1;
      return token === 'real'
        ? { state: 'valid', account: 'a', keyId: 'b', plan: 'c' }
        : { state: 'unknown' };
    },
    { valid: 9_000, rejected: 5_000 },
    clock,
  );
  await verify('real');
  for (let number = 0; number <= 10_000; number += 1) await verify(`unknown-${number}`);
  for (const token of ['real', 'unknown-10000', 'unknown-0']) await verify(token);
  assert.equal(lookUps, 10_003, 'the least recently used one was evicted');
});

describe('The log of an outage', () => {
  it('contains the service and the reason, but neither key nor secret', async () => {
    const { stateOf } = open();
    service.respond = (response, _request, body) => response.end(`<p>${body} ${secret}</p>`);
    assert.equal(await stateOf('pfx_token'), 'unavailable');
    assert.deepEqual(logged, [
      `The authentication service at ${new URL(service.url).origin} sent no valid response: the response is not JSON`,
    ]);
    service.respond = json(active);
    assert.equal(await stateOf('pfx_token'), 'valid', 'the invalid response is not cached');
  });

  it('has one line a second, however many requests fail', async () => {
    const { clock, stateOf } = open();
    service.respond = (response) => response.writeHead(500).end();
    for (const token of ['one', 'two', 'three']) await stateOf(token);
    assert.equal(logged.length, 1);
    clock.advance(1_000);
    await stateOf('four');
    assert.equal(logged[1], '2 more lines like these were omitted.');
    assert.equal(logged.length, 3);
  });
});
