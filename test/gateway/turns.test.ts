import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Turns } from '../../gateway/turns.ts';

const never = new AbortController().signal;

describe('Turns', () => {
  it('come in the order in which they were asked for', async () => {
    const turns = new Turns(1, 3);
    const order: number[] = [];
    await turns.take(never);
    for (const number of [1, 2, 3]) turns.take(never).then(() => order.push(number));
    for (let count = 0; count < 3; count += 1) {
      turns.end();
      await nextTurn();
      assert.equal(order.length, count + 1);
    }
    assert.deepEqual(order, [1, 2, 3]);
  });

  it('are refused to whoever would wait beyond the bound', async () => {
    const turns = new Turns(1, 1);
    await turns.take(never);
    const second = turns.take(never);
    await assert.rejects(turns.take(never), /too many/);
    turns.end();
    await second;
  });

  it('go past those who have given up', async () => {
    const turns = new Turns(1, 2);
    await turns.take(never);
    const impatient = new AbortController();
    const given = assert.rejects(turns.take(impatient.signal), /enough/);
    const patient = turns.take(never);
    impatient.abort(new Error('enough'));
    await given;
    turns.end();
    await patient;
    turns.end();
    await turns.take(never);
  });
});
