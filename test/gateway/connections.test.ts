import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  diagram,
  endlessSignIn,
  logged,
  longLimits,
  openConnection,
  openPages,
  pageRequest,
  publicRequest,
  readChunk,
  retryUntilAccepted,
  start,
} from './raw-connections.ts';

/** Sends one-byte chunks until the server ends the connection. @returns the response */
async function flood(socket: Socket, request: string): Promise<string> {
  const chunks = '1\r\nx\r\n'.repeat(10_000);
  let response = '';
  socket.setEncoding('latin1').on('data', (part) => (response += part));
  // The server closes while the client still writes.
  socket.on('error', () => {});
  const ended = new Promise((resolve) => socket.on('end', resolve).on('close', resolve));
  socket.write(`${request.slice(0, -2)}Transfer-Encoding: chunked\r\n\r\n`);
  // More than the system's socket buffers can take.
  for (let sent = 0; !socket.readableEnded && !socket.destroyed; sent += chunks.length) {
    assert.ok(sent < 32 * 1024 * 1024, 'the whole body is read');
    const drained = new Promise((resolve) => socket.once('drain', resolve));
    if (!socket.write(chunks)) await Promise.race([drained, ended]);
  }
  return response;
}

describe('A body of endless chunks', () => {
  it('that no route reads is not read on, and the connection closes after the response', async () => {
    const gateway = await start(longLimits);
    const post = 'POST /auth/sign-in/email HTTP/1.1\r\nHost: localhost\r\n\r\n';
    for (const [status, request] of [
      [200, publicRequest],
      [405, publicRequest.replace('GET', 'POST')],
      [415, post],
    ] as const) {
      const response = await flood(await openConnection(gateway), request);
      assert.ok(response.startsWith(`HTTP/1.1 ${status} `), response);
    }
  });

  it('that a route reads gets 400', async () => {
    const socket = await openConnection(await start(longLimits));
    const request = endlessSignIn.replace(/Content-Length.*/s, '\r\n');
    assert.match(await flood(socket, request), /^HTTP\/1\.1 400 /);
  });
});

it('Pipelined requests of a client that reads nothing open one file, and get whole responses', async () => {
  const socket = await openConnection(await start(longLimits));
  socket.end(pageRequest.repeat(3));
  const [first] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  assert.equal(openPages(), 1);
  const rest = await text(socket);
  assert.ok(first.length + rest.length > 3 * diagram.length);
  // The last byte is sent before the file is closed.
  while (openPages() > 0) await nextTurn();
});

describe('A tenth of all connections', () => {
  it('closes further connections of one address, and accepts those of others', async () => {
    const gateway = await start({ ...longLimits, connections: 100 });
    const first = await openConnection(gateway);
    first.write(publicRequest);
    assert.match(await readChunk(first), /^HTTP\/1\.1 200 /);
    for (let more = 1; more < 10; more += 1) await openConnection(gateway);
    const second = await openConnection(gateway);
    assert.equal(await text(second).catch(() => ''), '');
    const other = connect({ port: gateway.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    other.end(publicRequest);
    assert.match(await text(other), /^HTTP\/1\.1 200 /);
    first.destroy();
    assert.match(await retryUntilAccepted(gateway), /^HTTP\/1\.1 200 /);
    assert.ok(logged().some((line) => line.includes('of one address are open')));
  });

  it('does not apply to trusted proxies', async () => {
    for (const TRUST_PROXY of ['1', '127.0.0.1']) {
      const gateway = await start({ ...longLimits, connections: 100 }, { TRUST_PROXY });
      for (let open = 0; open < 10; open += 1) await openConnection(gateway);
      const second = await openConnection(gateway);
      second.end(publicRequest);
      assert.match(await text(second), /^HTTP\/1\.1 200 /);
    }
  });
});

it('A full gateway closes further connections at once, and accepts new ones when others end', async () => {
  const gateway = await start({ ...longLimits, connections: 2 });
  const kept = [await openConnection(gateway), await openConnection(gateway)] as const;
  for (const socket of kept) {
    socket.write(publicRequest);
    assert.match(await readChunk(socket), /^HTTP\/1\.1 200 /);
  }
  for (let more = 0; more < 3; more += 1) {
    const socket = await openConnection(gateway);
    socket.write(publicRequest);
    assert.equal(await text(socket).catch(() => ''), '');
  }
  const refusals = logged().filter((line) =>
    line.startsWith('New connections are closed: all 2 are open'),
  );
  assert.equal(refusals.length, 1, 'logged once');
  kept[0].write(publicRequest);
  assert.match(await readChunk(kept[0]), /^HTTP\/1\.1 200 /);
  kept[1].end();
  await once(kept[1], 'close');
  assert.match(await retryUntilAccepted(gateway), /^HTTP\/1\.1 200 /);
});

it('A gateway that stops aborts responses that do not end in time, and logs how many', async () => {
  const gateway = await start({ ...longLimits, drain: 50 });
  const socket = await openConnection(gateway);
  socket.write(pageRequest);
  await readChunk(socket);
  socket.pause();
  await gateway.stop();
  assert.match(logged().join('\n'), /^Requests aborted because they did not end in time: 1\. $/m);
});
