/** Time limits of connections, in real time. */

import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  diagram,
  diagramRequest,
  endlessSignIn,
  logged,
  longLimits,
  openConnection,
  publicRequest,
  retryUntilAccepted,
  start,
} from '../../gateway/raw-connections.ts';
import { parseResponse } from '../../gateway/raw-request.ts';

describe('A connection', () => {
  it('is closed when the client is idle for too long after a response', async () => {
    const socket = await openConnection(await start({ ...longLimits, idle: 100 }));
    socket.write(publicRequest);
    assert.match(await text(socket), /^HTTP\/1\.1 200 /);
  });

  for (const [what, request] of [
    ['nothing', ''],
    ['half a request line', 'GET /ne'],
    ['half a header', 'GET /neet HTTP/1.1\r\nHost: localhost\r\n'],
    ['half of a second request', `${publicRequest}GET /neet HTTP/1.1\r\n`],
  ] as const) {
    it(`is closed with 408 when the client sends ${what}`, async () => {
      const socket = await openConnection(
        await start({ ...longLimits, header: 200, request: 200 }),
      );
      socket.write(request);
      const [, response = ''] = /(HTTP\/1\.1 408[\s\S]*)$/.exec(await text(socket)) ?? [];
      assert.match(response, /\r\nConnection: close\r\n/);
      assert.equal(parseResponse(response).body, '{"error":"Request timeout"}');
    });
  }

  it('is closed with 408 when the header arrives too slowly', async () => {
    const gateway = await start({ ...longLimits, header: 300, request: 300, stalled: 200 });
    const socket = await openConnection(gateway);
    const response = text(socket);
    const bytes = `${publicRequest.slice(0, -2)}X-Slow: ${'a'.repeat(10_000)}`;
    let sent = 0;
    while (!socket.closed && sent < bytes.length) {
      socket.write(bytes[sent] ?? '');
      sent += 1;
      await delay(20);
    }
    assert.ok(sent < bytes.length, 'the connection was not closed');
    assert.match(await response, /^HTTP\/1\.1 408 /);
  });

  it('is closed when the client does not read a large diagram', async () => {
    const gateway = await start({ ...longLimits, stalled: 200, connections: 1 });
    const socket = await openConnection(gateway);
    socket.pause().write(diagramRequest(gateway));
    // One connection is allowed: another one is accepted only after this one is closed.
    assert.match(await retryUntilAccepted(gateway), /^HTTP\/1\.1 200 /);
    assert.ok((await text(socket).catch(() => '')).length < diagram.length);
    assert.ok(!logged().some((line) => line.includes('failed')));
  });

  it('stays open when the client reads a large diagram slowly', async () => {
    const gateway = await start({ ...longLimits, stalled: 1_000 });
    const socket = await openConnection(gateway);
    socket.write(diagramRequest(gateway));
    let length = 0;
    let pauses = 0;
    // In all longer than the limit, but each pause is shorter.
    for await (const bytes of socket) {
      length += (bytes as Buffer).length;
      if (length < pauses * 1_000_000) continue;
      pauses += 1;
      if (pauses === 15) break;
      await delay(100);
    }
    assert.equal(pauses, 15, `the connection was closed after ${length} bytes`);
  });

  it('is closed with 408 when the body arrives too slowly', async () => {
    const socket = await openConnection(await start({ ...longLimits, header: 200, request: 200 }));
    const response = text(socket);
    socket.write(endlessSignIn);
    const dripping = setInterval(() => socket.write(' '), 50);
    assert.match(await response.finally(() => clearInterval(dripping)), /^HTTP\/1\.1 408 /);
  });
});

it('A response that takes too long in all is cut off, even while the client reads', async () => {
  const gateway = await start({ ...longLimits, response: 500 });
  const socket = await openConnection(gateway);
  socket.write(diagramRequest(gateway));
  let length = 0;
  for await (const bytes of socket) {
    length += (bytes as Buffer).length;
    await delay(10);
  }
  assert.ok(length < diagram.length, String(length));
});
