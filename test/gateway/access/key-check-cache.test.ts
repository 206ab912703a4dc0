import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keyCheckCache } from '../../../gateway/access/introspection.ts';
import { FakeClock } from './authentication-service.ts';

const valid = { state: 'valid', account: 'acc_1', keyId: 'key_1', plan: 'free' } as const;
const unknown = { state: 'unknown' } as const;

function cacheMany(
  checks: ReturnType<typeof keyCheckCache>,
  check: typeof valid | typeof unknown,
  start: number,
): void {
  for (let number = 0; number <= 10_000; number += 1) checks.set(`${check.state}-${number}`, check, start);
}

describe('Cached key checks', () => {
  it('of valid keys are not evicted by any number of invalid keys', () => {
    const clock = new FakeClock();
    const checks = keyCheckCache(clock);
    checks.set('real', valid, clock.elapsed());
    cacheMany(checks, unknown, clock.elapsed());
    assert.deepEqual(checks.get('real'), valid);
  });

  it('are limited in number, valid or not: the least recently used one is evicted', () => {
    const clock = new FakeClock();
    const checks = keyCheckCache(clock);
    for (const check of [valid, unknown]) {
      cacheMany(checks, check, clock.elapsed());
      assert.equal(checks.get(`${check.state}-0`), undefined);
      assert.deepEqual(checks.get(`${check.state}-1`), check);
    }
  });
});
