import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addressOf, urlAt } from '../../../gateway/limits/redis/address.ts';
import { Redirection } from '../../../gateway/limits/redis/connection.ts';
import { parsePrimaries, slotOf, tagOf } from '../../../gateway/limits/redis/slots.ts';

describe('The hash slots of a Redis Cluster', () => {
  it('are those of its specification', () => {
    // CRC-16 of the check value of XMODEM, and slots that CLUSTER KEYSLOT returns.
    assert.deepEqual(['123456789', 'acc_1', 'school', 'é'].map(slotOf), [0x31c3, 2891, 8455, 10_180]);
  });

  it('have primaries, whose host is the asked node if they do not know their own', () => {
    const replica = ['10.0.0.9', 7003, 'id'];
    assert.deepEqual(
      parsePrimaries(
        [
          [0, 99, ['10.0.0.1', 7000, 'id'], replica],
          [100, 199, ['', 7001, 'id']],
          [200, 299, [null, 7001, 'id']],
          [300, 399, ['10.0.0.1', 7000, 'id'], replica],
          [400, 499, ['::2', 7002, 'id']],
        ],
        '::1',
      ),
      [
        {
          address: '10.0.0.1:7000',
          ranges: [
            [0, 99],
            [300, 399],
          ],
        },
        {
          address: '[::1]:7001',
          ranges: [
            [100, 199],
            [200, 299],
          ],
        },
        { address: '[::2]:7002', ranges: [[400, 499]] },
      ],
    );
  });

  it('of a primary have a tag', () => {
    for (const slot of [0, 5461, 16_383]) {
      assert.equal(slotOf(tagOf({ address: '', ranges: [[slot, slot]] })), slot);
    }
  });
});

describe('A redirection', () => {
  it('names the address of the node that serves the slot', () => {
    const read = (message: string) => {
      const { kind, address } = new Redirection(message);
      return [kind, address];
    };
    assert.deepEqual(read('MOVED 3999 a.example.org:6381'), ['MOVED', 'a.example.org:6381']);
    assert.deepEqual(read('ASK 3999 ::1:6381'), ['ASK', '[::1]:6381']);
    assert.deepEqual(read('TRYAGAIN Multiple keys request during rehashing of slot'), ['TRYAGAIN', '']);
  });
});

describe('The URL of another node', () => {
  it('has the same protocol, credentials and database', () => {
    assert.equal(urlAt('rediss://user:p%40ss@[::1]:7000/2', 'b:7001'), 'rediss://user:p%40ss@b:7001/2');
    assert.equal(urlAt('redis://:pass@a:7000', addressOf('::2', 1)), 'redis://:pass@[::2]:1');
  });
});
