import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DiskReads, HangingDisk } from '../../../gateway/release/files.ts';

/** Longer than the time limit of a read, in milliseconds. */
const beyondTimeLimit = 6_000;

/** A read that ends when the test calls `end`. */
class FakeRead {
  started = 0;
  end: (result: string) => void = () => {};
  readonly run = () =>
    new Promise<string>((resolve) => {
      this.started += 1;
      this.end = resolve;
    });
}

describe('DiskReads', () => {
  it('reads several files concurrently, and leaves one thread free', async () => {
    const disk = new DiskReads();
    const readings = ['a', 'b', 'c', 'd'].map((path) => ({ path, reading: new FakeRead() }));
    const results = readings.map(({ path, reading }) => disk.read(path, reading.run));
    const started = () => readings.map(({ reading }) => reading.started);
    await nextTurn();
    assert.deepEqual(started(), [1, 1, 1, 0]);
    readings[0]?.reading.end('first');
    assert.equal(await results[0], 'first');
    await nextTurn();
    assert.deepEqual(started(), [1, 1, 1, 1]);
    for (const { reading } of readings) reading.end('later');
    assert.deepEqual(await Promise.all(results.slice(1)), ['later', 'later', 'later']);
  });

  it('rejects a read that hangs, and starts no other of the file until it ends', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const disk = new DiskReads();
    const hung = new FakeRead();
    const waiting = new FakeRead();
    const ended = assert.rejects(disk.read('a', hung.run), HangingDisk);
    await nextTurn();
    t.mock.timers.tick(beyondTimeLimit);
    await ended;
    await assert.rejects(disk.read('a', waiting.run), {
      message: /^a could not be read within 5 s/,
    });
    assert.deepEqual([hung.started, waiting.started], [1, 0]);
    assert.equal(await disk.read('b', async () => 'another file'), 'another file');
    hung.end('late');
    await nextTurn();
    assert.equal(await disk.read('a', async () => 'again'), 'again');
  });

  it('rejects further reads at once while all threads hang', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const disk = new DiskReads();
    const hung = ['a', 'b', 'c'].map((path) => ({ path, reading: new FakeRead() }));
    const ended = Promise.all(
      hung.map(({ path, reading }) => assert.rejects(disk.read(path, reading.run), HangingDisk)),
    );
    await nextTurn();
    t.mock.timers.tick(beyondTimeLimit);
    await ended;
    await assert.rejects(
      disk.read('d', async () => 1),
      HangingDisk,
    );
    hung[0]?.reading.end('late');
    await nextTurn();
    assert.equal(await disk.read('d', async () => 1), 1);
  });
});
