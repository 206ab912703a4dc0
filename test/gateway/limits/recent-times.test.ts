import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { RecentTimes } from '../../../gateway/limits/decision.ts';

/** All times, oldest first. */
const all = (recent: RecentTimes) => Array.from({ length: recent.length }, (_, index) => recent.at(index));

describe('RecentTimes', () => {
  it('contains the added times in order, without the removed ones', () =>
    fc.assert(
      fc.property(
        fc.array(fc.record({ gap: fc.nat(10), remove: fc.option(fc.nat(20), { freq: 3 }) }), {
          maxLength: 60,
        }),
        (steps) => {
          const recent = new RecentTimes();
          let kept: number[] = [];
          let time = 0;
          for (const { gap, remove } of steps) {
            time += gap;
            recent.add(time);
            kept.push(time);
            if (remove !== null) {
              recent.removeUntil(time - remove);
              kept = kept.filter((one) => one > time - remove);
            }
            assert.deepEqual(all(recent), kept);
          }
        },
      ),
    ));

  it('returns undefined before the oldest and after the newest time', () => {
    const recent = new RecentTimes();
    assert.deepEqual([recent.at(-1), recent.at(0)], [undefined, undefined]);
    for (const time of [1, 2, 3]) recent.add(time);
    recent.removeUntil(1);
    assert.deepEqual([recent.at(-1), recent.at(0), recent.at(1), recent.at(2)], [undefined, 2, 3, undefined]);
  });
});
