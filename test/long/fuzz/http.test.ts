import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import type { ResourceUsage } from '../../gateway/server-process.ts';
import { parameters } from './arbitraries.ts';
import { deadline, executePlan } from './http/connection.ts';
import { startGatewayUnderTest, withNames } from './http/gateway-under-test.ts';
import { type Plan, plans } from './http/plans.ts';

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

const neet = 'GET /neet HTTP/1.1\r\nHost: localhost\r\n';

/** Connections that the gateway once handled wrongly: the status and the packets of each send. */
const pastFindings: readonly {
  name: string;
  sends: readonly (readonly [status: number, ...packets: string[]])[];
}[] = [
  {
    name: 'an unknown method, in one packet with the end of another request (was not read as a request)',
    sends: [
      [200, `${neet}Transfer-Encoding: chunked\r\n\r\n0\r\n`],
      [405, '\r\nGet /neet HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ],
  },
  {
    name: 'an unknown method, in one packet with the end of a body (was not read as a request)',
    sends: [
      [200, `${neet}Content-Length: 3\r\n\r\n{"`],
      [405, '}HEADER /neet HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ],
  },
  {
    name: 'Proxy-Connection in an HTTP/1.0 request (the connection stayed open)',
    sends: [[200, 'GET /neet HTTP/1.0\r\nHost: localhost\r\nProxy-Connection: keep-alive\r\n\r\n']],
  },
  {
    name: 'a request behind the last one of its connection, in one packet (got 400)',
    sends: [
      [
        400,
        `GET /neet/%0d HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${neet}\r\n`,
      ],
    ],
  },
];

describe('The gateway', async () => {
  const { context, gateway } = await startGatewayUnderTest();
  after(() => gateway.stop());
  const statuses = new Map<number, number>();
  /** Plans whose client does nothing until the gateway closes the connection, and results whose client's side is still open. */
  const open = new Set<Promise<void>>();
  const unclosed: Awaited<ReturnType<typeof executePlan>>[] = [];
  let opened = 0;

  async function execute(plan: Plan): Promise<void> {
    let result = await executePlan(plan, gateway.port, context);
    // Something that took too long may be caused by a busy machine.
    for (let retries = 0; retries < 2 && result.failure && result.isLate; retries += 1) {
      result.close();
      result = await executePlan(plan, gateway.port, context);
    }
    unclosed.push(result);
    if (unclosed.length > maxOpen) unclosed.shift()?.close();
    for (const { status } of result.responses)
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (result.failure === undefined) return;
    const { sends, ...end } = plan;
    const packets = sends.map((send) => send.packets.map((text) => withNames(text, context.keys)));
    throw new Error(
      `${result.failure}\n${JSON.stringify({ sends: packets, ...end }, undefined, 2)}`,
    );
  }

  async function executeAll(all: readonly Plan[]): Promise<void> {
    const closing = all.filter(({ ending }) => ending !== 'open').map(execute);
    for (const plan of all.filter(({ ending }) => ending === 'open')) {
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
    const failed = (await Promise.allSettled(closing)).find((run) => run.status === 'rejected');
    if (failed) throw failed.reason;
    const [isRunning, logged] = [gateway.isRunning(), gateway.logged()];
    if (isRunning && logged.length === 0) return;
    throw new Error(`${isRunning ? 'It logs' : 'It has ended'}: ${logged.join('\n')}`);
  }

  /** The resource usage without connections: the gateway must have closed those whose clients keep their side open. */
  async function resourceUsage(): Promise<ResourceUsage> {
    await Promise.all(open);
    const end = performance.now() + deadline;
    for (;;) {
      const usage = await gateway.resourceUsage();
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
    const cases = fc.array(plans(context), { minLength: 1, maxLength: connections, size: 'max' });
    const check = async (all: readonly Plan[]) => {
      await executeAll(all);
      batch += 1;
      // By then, the caches of the gateway are full.
      if (batch === Math.ceil(batches / 5)) before = await resourceUsage();
    };
    // The message names the one connection that failed: no smaller case is searched.
    const options = { ...parameters<[readonly Plan[]]>('http', batches), endOnFailure: true };
    await fc.assert(fc.asyncProperty(cases, check), options);
    const usage = await resourceUsage();
    console.log(`${opened} connections kept open, responses:`, statuses, before, usage);
    if (process.env['CASE'] !== undefined) return;
    assert.ok(before && opened > 0);
    assert.ok(usage.descriptors <= before.descriptors + 2);
    assert.ok(usage.heap + usage.external <= before.heap + before.external + maxGrowth.used);
    assert.ok(usage.resident <= before.resident + maxGrowth.resident);
    // The grammar produces every status of the specification that a client can cause.
    const expected = [200, 302, 304, 400, 401, 403, 404, 405, 408, 429, 505];
    assert.deepEqual(
      expected.filter((status) => !statuses.has(status)),
      [],
    );
  });

  for (const { name, sends } of pastFindings) {
    it(`responds to ${name}`, async () => {
      const plan = sends.map(([status, ...packets]) => ({
        packets,
        expected: [{ statuses: [status] }],
      }));
      await executeAll([{ sends: plan, ending: 'closes' }]);
    });
  }
});
