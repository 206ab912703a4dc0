import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readRateLimit, readRetryAfter } from '../../build/pull/rate-limit.ts';
import { decide, usageOf } from '../../gateway/limits/decision.ts';
import { rateLimitFields } from '../../gateway/limits/limit-requests.ts';

const now = Date.UTC(2026, 10, 21, 12);

describe('RateLimit fields', () => {
  it('are parsed as the gateway writes them', () => {
    const decision = decide(usageOf('2026-11', 0), { perSecond: 2, perMonth: 1000 }, { now, elapsed: 0 });
    const fields = Object.entries(rateLimitFields(decision));
    const read = readRateLimit(
      Object.fromEntries(fields.map(([name, value]) => [name.toLowerCase(), value])),
    );
    assert.deepEqual(read, [
      { name: 'rate', quota: 2, span: 1000, remaining: 1, reset: 1000 },
      { name: 'quota', quota: 1000, span: 30 * 86_400_000, remaining: 999, reset: 820_800_000 },
    ]);
  });

  it('are parsed in every order and spelling of the standard', () => {
    const read = readRateLimit({
      'ratelimit-policy': '  "a";w=10;q=5;pk=:YQ==:;comment="x;y" ,\t"b";q=1',
      ratelimit: '"b";t=3;r=0,"c";r=4',
    });
    assert.deepEqual(
      read.map(({ name, quota, span, remaining, reset }) => [name, quota, span, remaining, reset]),
      [
        ['a', 5, 10_000, undefined, undefined],
        ['b', 1, undefined, 0, 3000],
        ['c', undefined, undefined, 4, undefined],
      ],
    );
  });

  it('are ignored if they are missing, of an older draft, or invalid', () => {
    for (const field of [
      undefined,
      '',
      'limit=2, remaining=1, reset=1',
      '"rate";r=',
      '"rate',
      ';',
      '((',
      'é',
    ])
      assert.deepEqual(readRateLimit({ 'ratelimit-policy': field, ratelimit: field }), []);
  });

  it('omit invalid numbers', () => {
    const [limit] = readRateLimit({
      ratelimit: '"rate";r=-1;t=1.5',
      'ratelimit-policy': '"rate";q="2";w=?1',
    });
    assert.deepEqual(Object.values(limit ?? {}), ['rate', undefined, undefined, undefined, undefined]);
  });
});

describe('Retry-After', () => {
  it('is a number of seconds, or a date', () => {
    assert.equal(readRetryAfter({ 'retry-after': '120' }, now), 120_000);
    assert.equal(readRetryAfter({ 'retry-after': '0' }, now), 0);
    assert.equal(readRetryAfter({ 'retry-after': 'Sat, 21 Nov 2026 12:00:30 GMT' }, now), 30_000);
  });

  it('is 0 for a date in the past', () => {
    assert.equal(readRetryAfter({ 'retry-after': 'Fri, 20 Nov 2026 12:00:00 GMT' }, now), 0);
  });

  it('is ignored if it is missing or invalid', () => {
    for (const field of [undefined, '', 'soon', '-5', '1e400', '9'.repeat(30)])
      assert.equal(readRetryAfter({ 'retry-after': field }, now), undefined, field);
  });
});
