import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { RecentTimes } from '../../../gateway/limits/decision.ts';

/** Every moment that is kept, the oldest first. */
const all = (recent: RecentTimes) => Array.from({ length: recent.length }, (_, index) => recent.at(index));

describe('Recent times', () => {
  it('are those that came, in their order, but for those forgotten', () =>
    fc.assert(
      fc.property(
        fc.array(fc.record({ gap: fc.nat(10), forget: fc.option(fc.nat(20), { freq: 3 }) }), {
          maxLength: 60,
        }),
        (steps) => {
          const recent = new RecentTimes();
          let kept: number[] = [];
          let time = 0;
          for (const { gap, forget } of steps) {
            time += gap;
            recent.add(time);
            kept.push(time);
            if (forget !== null) {
              recent.removeUntil(time - forget);
              kept = kept.filter((one) => one > time - forget);
            }
            assert.deepEqual(all(recent), kept);
          }
        },
      ),
    ));

  it('have none before the oldest, and none after the newest', () => {
    const recent = new RecentTimes();
    assert.deepEqual([recent.at(-1), recent.at(0)], [undefined, undefined]);
    for (const time of [1, 2, 3]) recent.add(time);
    recent.removeUntil(1);
    assert.deepEqual([recent.at(-1), recent.at(0), recent.at(1), recent.at(2)], [undefined, 2, 3, undefined]);
  });
});
