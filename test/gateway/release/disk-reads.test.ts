import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DiskReads, HangingDisk } from '../../../gateway/release/files.ts';

/** Beyond the time that a read may take, in milliseconds. */
const tooLong = 6_000;

/** A read that ends when it is told to. */
class Reading {
  begun = 0;
  end: (result: string) => void = () => {};
  readonly run = () =>
    new Promise<string>((resolve) => {
      this.begun += 1;
      this.end = resolve;
    });
}

describe('Reads of a disk', () => {
  it('give what was read, or what went wrong', async () => {
    const disk = new DiskReads();
    assert.equal(await disk.read('a', async () => 1), 1);
    await assert.rejects(
      disk.read('a', () => Promise.reject(new RangeError('gone'))),
      RangeError,
    );
  });

  it('of one file come one after the other, those of several at once, but for one thread', async () => {
    const disk = new DiskReads();
    const readings = ['a', 'a', 'b', 'c', 'd'].map((path) => ({ path, reading: new Reading() }));
    const results = readings.map(({ path, reading }) => disk.read(path, reading.run));
    const begun = () => readings.map(({ reading }) => reading.begun);
    await nextTurn();
    assert.deepEqual(begun(), [1, 0, 1, 1, 0]);
    readings[0]?.reading.end('first');
    await nextTurn();
    assert.equal(await results[0], 'first');
    assert.deepEqual(begun().filter((each) => each === 1).length, 4, 'another one had its turn');
    for (let round = 0; round < 3; round += 1) {
      for (const { reading } of readings) reading.end('later');
      await nextTurn();
    }
    assert.deepEqual(await Promise.all(results.slice(1)), ['later', 'later', 'later', 'later']);
  });

  it('that hang end in time for all who ask, and no one asks again until they have ended', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const disk = new DiskReads();
    const hung = new Reading();
    const waiting = new Reading();
    const results = [disk.read('a', hung.run), disk.read('a', waiting.run)];
    const ended = Promise.all(results.map((result) => assert.rejects(result, HangingDisk)));
    await nextTurn();
    t.mock.timers.tick(tooLong);
    await ended;
    await assert.rejects(disk.read('a', waiting.run), { message: /^a could not be read within 5 s/ });
    assert.deepEqual([hung.begun, waiting.begun], [1, 0]);
    assert.equal(await disk.read('b', async () => 'another file'), 'another file');
    hung.end('late');
    await nextTurn();
    assert.equal(await disk.read('a', async () => 'again'), 'again');
  });

  it('that all hang leave none waiting for them', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const disk = new DiskReads();
    const hung = ['a', 'b', 'c'].map((path) => ({ path, reading: new Reading() }));
    const ended = Promise.all(
      hung.map(({ path, reading }) => assert.rejects(disk.read(path, reading.run), HangingDisk)),
    );
    await nextTurn();
    t.mock.timers.tick(tooLong);
    await ended;
    await assert.rejects(
      disk.read('d', async () => 1),
      HangingDisk,
    );
    hung[0]?.reading.end('late');
    await nextTurn();
    assert.equal(await disk.read('d', async () => 1), 1);
  });

  it('tell whoever still reads that no one waits for it', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const disk = new DiskReads();
    let signal: AbortSignal | undefined;
    const read = disk.read('a', (own) => {
      signal = own;
      return new Promise(() => {});
    });
    await nextTurn();
    assert.equal(signal?.aborted, false);
    t.mock.timers.tick(tooLong);
    await assert.rejects(read, HangingDisk);
    assert.equal(signal?.aborted, true);
  });
});
