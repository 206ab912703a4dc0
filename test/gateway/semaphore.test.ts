import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BusyError, Semaphore } from '../../gateway/semaphore.ts';

const never = new AbortController().signal;

describe('Semaphore', () => {
  it('admits callers in the order of their calls', async () => {
    const semaphore = new Semaphore(1, 3);
    const order: number[] = [];
    await semaphore.acquire(never);
    for (const number of [1, 2, 3]) semaphore.acquire(never).then(() => order.push(number));
    for (let count = 0; count < 3; count += 1) {
      semaphore.release();
      await nextTurn();
      assert.equal(order.length, count + 1);
    }
    assert.deepEqual(order, [1, 2, 3]);
  });

  it('rejects callers when the queue is full', async () => {
    const semaphore = new Semaphore(1, 1);
    await semaphore.acquire(never);
    const second = semaphore.acquire(never);
    await assert.rejects(semaphore.acquire(never), /too many/);
    semaphore.release();
    await second;
  });

  it('skips callers that were aborted', async () => {
    const semaphore = new Semaphore(1, 2);
    await semaphore.acquire(never);
    const impatient = new AbortController();
    const rejected = assert.rejects(semaphore.acquire(impatient.signal), BusyError);
    const patient = semaphore.acquire(never);
    impatient.abort(new Error('enough'));
    await rejected;
    semaphore.release();
    await patient;
    semaphore.release();
    await semaphore.acquire(never);
  });
});
