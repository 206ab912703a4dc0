import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addressOf, urlAt } from '../../../gateway/limits/redis/address.ts';
import { slotOf } from '../../../gateway/limits/redis/slots.ts';

describe('The hash slots of a Redis Cluster', () => {
  it('are those of its specification', () => {
    // CRC-16 of the check value of XMODEM, and slots that CLUSTER KEYSLOT returns.
    assert.deepEqual(['123456789', 'acc_1', 'school', 'é'].map(slotOf), [0x31c3, 2891, 8455, 10_180]);
  });
});

describe('The URL of another node', () => {
  it('has the same protocol, credentials and database', () => {
    assert.equal(urlAt('rediss://user:p%40ss@[::1]:7000/2', 'b:7001'), 'rediss://user:p%40ss@b:7001/2');
    assert.equal(urlAt('redis://:pass@a:7000', addressOf('::2', 1)), 'redis://:pass@[::2]:1');
  });
});
