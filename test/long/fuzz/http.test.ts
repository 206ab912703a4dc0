import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import type { ResourceUsage } from '../../gateway/monitored-gateway.ts';
import { type HttpCase, httpCases } from './corpus/http.ts';
import { Draw, parameters } from './draw.ts';
import { deadline, executePlan, type PlanResult } from './http/execute-plan.ts';
import { plans as accountPlans, startGatewayUnderTest, withKeys, withNames } from './http/gateway-under-test.ts';
import { makePlan } from './http/grammar/plans.ts';
import type { ModelContext, Prediction } from './http/model.ts';
import { type Plan, packetsOf, requestsIn, valuesOf } from './http/request.ts';

/** `npm run test:long -- fuzz` sends a million. */
const minRequests = Number(process.env['REQUESTS'] ?? 4_000);
/** Concurrent connections, and requests that they send on average. */
const connections = 24;
const requestsInBatch = 75;
const batches = Math.ceil(minRequests / requestsInBatch);
/** Connections that clients keep open, beside the concurrent ones. */
const maxOpen = 100;
/** Bytes by which memory may grow after a fifth of the run: buffers of parsers and sockets, and the heap's free space. */
const maxGrowth = { used: 24 * 1024 * 1024, resident: 96 * 1024 * 1024 };

describe('The gateway', async () => {
  const underTest = await startGatewayUnderTest();
  const { context } = underTest;
  after(() => underTest.close());
  const statuses = new Map<number, number>();
  const counted = { sent: 0, accepted: 0 };
  /** Plans whose client does nothing until the gateway closes the connection, and results whose client's side is still open. */
  const open = new Set<Promise<void>>();
  const unclosed: PlanResult[] = [];
  let opened = 0;
  let requests = 0;

  async function execute(plan: Plan): Promise<void> {
    let result = await executePlan(plan, underTest.gateway.port, context);
    // Something that took too long may be caused by a busy machine.
    if (result.failure !== undefined && result.isLate) {
      result.close();
      result = await executePlan(plan, underTest.gateway.port, context);
    }
    unclosed.push(result);
    if (unclosed.length > maxOpen) unclosed.shift()?.close();
    requests += requestsIn(plan);
    for (const { status } of result.responses) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    count(plan, result);
    if (result.failure !== undefined) throw new Error(`${result.failure}\n${inputOf(plan, context)}`);
  }

  /** Counts requests that count towards the quota of the `counted` key. */
  function count({ sends }: Plan, { responses }: PlanResult): void {
    const items = sends.flatMap((send) => send.items);
    for (const [index, { status }] of responses.entries()) {
      const { prediction } = items[index] ?? {};
      if (status === 400 || !prediction?.mayBeLimited) continue;
      if (!valuesOf(prediction.request, 'authorization').includes(`Bearer ${context.keys.counted}`)) continue;
      counted.sent += 1;
      if (status !== 429) counted.accepted += 1;
    }
  }

  async function executeAll(plans: readonly Plan[]): Promise<void> {
    const { gateway } = underTest;
    const closing = plans.filter(({ ending }) => ending !== 'open').map(execute);
    for (const plan of plans.filter(({ ending }) => ending === 'open')) {
      opened += 1;
      const run = execute(plan);
      open.add(run);
      // A failure stays in the set, and is thrown by whoever waits for it.
      run.then(
        () => open.delete(run),
        () => {},
      );
    }
    if (open.size >= maxOpen) await Promise.race(open);
    const [failed] = (await Promise.allSettled(closing)).filter(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
    const logged = gateway.stderrLines.join('\n');
    if (gateway.isRunning && logged === '') return;
    await underTest.restart();
    throw new Error(`${gateway.isRunning ? 'It logs' : 'It has ended'}: ${logged}`);
  }

  /** The resource usage without connections: the gateway must have closed those whose clients keep their side open. */
  async function resourceUsage(): Promise<ResourceUsage> {
    await Promise.all(open);
    const end = performance.now() + deadline;
    for (;;) {
      const usage = await underTest.gateway.resourceUsage();
      const left = usage.resources['TCPSocketWrap'] ?? 0;
      if (left > 0 && performance.now() < end) {
        await delay(100);
        continue;
      }
      for (const { close } of unclosed.splice(0)) close();
      assert.equal(left, 0, 'connections that stay open');
      return usage;
    }
  }

  it('sends a response of the specification to any bytes, closes every connection in time, and keeps running', async () => {
    let batch = 0;
    let before: ResourceUsage | undefined;
    // Without a number between them, all values of `fc.gen` would be the same.
    const cases = fc.array(fc.tuple(fc.nat(), fc.gen()), { minLength: 1, maxLength: connections, size: 'max' });
    const property = fc.asyncProperty(cases, async (values) => {
      await executeAll(values.map(([, value]) => makePlan(Draw.from(value), context)));
      batch += 1;
      // By then, the caches of the gateway are full.
      if (batch === Math.ceil(batches / 5)) before = await resourceUsage();
    });
    await fc.assert(property, parameters('http', batches));
    const usage = await resourceUsage();
    console.log(`${requests} requests, ${opened} connections kept open, responses:`, statuses, before, usage);
    if (process.env['CASE'] !== undefined) return;
    assert.ok(before);
    assert.ok(usage.descriptors <= before.descriptors + 2);
    assert.ok(usage.heap + usage.external <= before.heap + before.external + maxGrowth.used);
    assert.ok(usage.resident <= before.resident + maxGrowth.resident);
    // The grammar produces every status of the specification that a client can cause.
    const expected = [200, 302, 304, 400, 401, 403, 404, 405, 408, 429, 505];
    assert.deepEqual(
      expected.filter((status) => !statuses.has(status)),
      [],
    );
    assert.ok(opened > 0 && counted.sent > 0);
    assert.equal(counted.accepted, Math.min(counted.sent, accountPlans.counted.perMonth));
  });

  for (const httpCase of httpCases) {
    it(`responds to ${httpCase.name}`, () => executeAll([planOf(httpCase, context)]));
  }
});

/** What a plan sends, with the names of keys. */
function inputOf({ sends, ...end }: Plan, { keys }: ModelContext): string {
  const packets = sends.map((send) => packetsOf(send).map((text) => withNames(text, keys)));
  return JSON.stringify({ sends: packets, ...end }, undefined, 2);
}

function planOf({ sends, statuses, ending }: HttpCase, { keys }: ModelContext): Plan {
  return {
    ending,
    sends: sends.map((packets, index) => {
      const texts = packets.map((packet) => withKeys(packet, keys));
      const predictions = (statuses[index] ?? []).map(predictStatus);
      const [first, ...others] = predictions;
      return {
        // The first item has all bytes; the others have only predictions.
        items: [
          { text: texts.join(''), ...(first && { prediction: first }) },
          ...others.map((prediction) => ({ text: '', prediction })),
        ],
        splits: texts.slice(0, -1).map((_, part) => texts.slice(0, part + 1).join('').length),
      };
    }),
  };
}

function predictStatus(status: number): Prediction {
  const request = { method: 'GET', target: '', version: '', fields: [], body: '' };
  return { kind: 'rejected', statuses: [status], request, mayBeLimited: false, mayBeMalformed: false };
}
