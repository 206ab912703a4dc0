import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { simulate } from './simulation.ts';

/** One process on a core, with requests at a rate and a mean processor time of a millisecond. */
function queueAt(utilisation: number, costs: 'constant' | 'exponential') {
  const steps = [{ process: 0, cost: 0.001 }];
  const loads = [{ steps, rate: utilisation * 1000 }];
  return simulate({ processes: [{ cores: [0] }], loads, seconds: 400, costs });
}

function assertNear(actual: number | undefined, expected: number, share: number) {
  assert.ok(
    actual !== undefined && Math.abs(actual / expected - 1) <= share,
    `${actual} is not ${expected} within ${share * 100} %`,
  );
}

describe('The simulation', () => {
  for (const utilisation of [0.3, 0.7]) {
    it(`has the mean latency of an M/M/1 queue at ${utilisation}`, () => {
      const { loads, utilisation: measured } = queueAt(utilisation, 'exponential');
      assertNear(loads[0]?.mean, 0.001 / (1 - utilisation), 0.03);
      assertNear(measured[0], utilisation, 0.02);
    });

    it(`has the mean latency of an M/D/1 queue at ${utilisation}`, () => {
      const { loads } = queueAt(utilisation, 'constant');
      assertNear(loads[0]?.mean, 0.001 * (1 + utilisation / (2 * (1 - utilisation))), 0.03);
    });
  }

  it('loses no request', () => {
    const steps = [
      { process: 0, cost: 0.001 },
      { process: 1, cost: 0.0004, delay: 0.002 },
      { process: 0, cost: 0.0005, delay: 0.002 },
    ];
    const processes = [{ cores: [0, 1] }, { cores: [1] }];
    const loads = [
      { steps, connections: 16 },
      { steps, rate: 100 },
    ];
    const { started, completed, pending } = simulate({ processes, loads, seconds: 10 });
    assert.equal(completed + pending, started);
    assert.ok(completed > 5000);
  });

  it('shares a core evenly between busy processes', () => {
    const processes = [{ cores: [0] }, { cores: [0] }];
    const loads = [0.001, 0.0001].map((cost, process) => ({ steps: [{ process, cost }], connections: 4 }));
    const { utilisation } = simulate({ processes, loads, seconds: 10 });
    for (const each of utilisation) assertNear(each, 0.5, 0.02);
  });

  it('completes as many requests as the cores have time for', () => {
    const processes = [{ cores: [0, 1] }, { cores: [0, 1] }];
    const loads = [0, 1].map((process) => ({ steps: [{ process, cost: 0.001 }], connections: 8 }));
    for (const speed of [1, 0.5]) {
      const outcome = simulate({ processes, loads, seconds: 10, speed });
      for (const each of outcome.loads) {
        assertNear(each.throughput, 1000 * speed, 0.01);
        // Little's law.
        assertNear(each.mean, 8 / each.throughput, 0.02);
      }
    }
  });
});
