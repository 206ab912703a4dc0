import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import {
  diagram,
  diagramRequest,
  endlessSignIn,
  logged,
  longLimits,
  openConnection,
  publicRequest,
  readChunk,
  retryUntilAccepted,
  start,
} from './raw-connections.ts';

it('A connection has its idle timeout in Keep-Alive', async () => {
  const socket = await openConnection(await start({ ...longLimits, idle: 7_000 }));
  socket.write(publicRequest);
  assert.match(await readChunk(socket), /\r\nKeep-Alive: timeout=7\r\n/i);
});

describe('A connection with an unfinished body', () => {
  it('is closed with 400 when the client stops in the middle, and makes room for another', async () => {
    const gateway = await start(longLimits, { MAX_CONNECTIONS: '1' });
    const socket = await openConnection(gateway);
    socket.end(endlessSignIn);
    assert.match(await text(socket), /^HTTP\/1\.1 400 /);
    assert.match(await retryUntilAccepted(gateway), /^HTTP\/1\.1 200 /);
  });

  it('is closed with 400 when a chunk is malformed', async () => {
    const socket = await openConnection(await start(longLimits));
    socket.write(endlessSignIn.replace('Content-Length: 1000', 'Transfer-Encoding: chunked'));
    assert.match(await text(socket), /^HTTP\/1\.1 400 /);
  });

  it('gets its response once where the body is ignored, and is closed', async () => {
    const gateway = await start(longLimits);
    const chunked = `${diagramRequest(gateway).slice(0, -2)}Transfer-Encoding: chunked\r\n\r\n`;
    for (const request of [`${chunked}no size\r\n`, chunked]) {
      const socket = await openConnection(gateway);
      socket.end(request);
      const response = await text(socket);
      assert.match(response, /^HTTP\/1\.1 200 [\s\S]*?\r\nConnection: close\r\n/);
      assert.ok(response.length < 1.1 * diagram.length && response.length > diagram.length);
    }
    assert.ok(!logged.some((line) => line.includes('failed')));
  });
});

describe('A client that waits for 100 Continue', () => {
  it('gets it before the response, where a body is read', async () => {
    const gateway = await start(longLimits);
    const socket = await openConnection(gateway);
    const body = JSON.stringify({ email: 'a@example.org', password: 'wrong password' });
    socket.write(
      `POST /auth/sign-in/email HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    assert.equal(await readChunk(socket), 'HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(body);
    assert.match(await text(socket), /^HTTP\/1\.1 401 /);
  });

  it('gets an error without it, and the connection closes', async () => {
    const socket = await openConnection(await start(longLimits));
    socket.write(
      'POST /auth/sign-in/email HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n',
    );
    assert.match(await text(socket), /^HTTP\/1\.1 415 [\s\S]*\r\nConnection: close\r\n/);
  });
});

it('A client that closes its side after a request gets the whole response', async () => {
  const gateway = await start(longLimits);
  const socket = await openConnection(gateway);
  socket.end(diagramRequest(gateway));
  assert.ok((await text(socket)).length > diagram.length);
});

it('A client that disconnects during a download is no failure', async () => {
  const gateway = await start(longLimits, { MAX_CONNECTIONS: '1' });
  const socket = await openConnection(gateway);
  socket.write(diagramRequest(gateway));
  await readChunk(socket);
  socket.resetAndDestroy();
  assert.match(await retryUntilAccepted(gateway), /^HTTP\/1\.1 200 /);
  assert.ok(!logged.some((line) => line.includes('failed')), logged.join());
});

describe('MAX_CONNECTIONS_PER_ADDRESS', () => {
  it('closes further connections of one address, and accepts those of others', async () => {
    const gateway = await start(longLimits, { MAX_CONNECTIONS_PER_ADDRESS: '1' });
    const first = await openConnection(gateway);
    first.write(publicRequest);
    assert.match(await readChunk(first), /^HTTP\/1\.1 200 /);
    const second = await openConnection(gateway);
    assert.equal(await text(second).catch(() => ''), '');
    const other = connect({ port: gateway.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    other.end(publicRequest);
    assert.match(await text(other), /^HTTP\/1\.1 200 /);
    first.destroy();
    assert.match(await retryUntilAccepted(gateway), /^HTTP\/1\.1 200 /);
    assert.ok(logged.some((line) => line.includes('MAX_CONNECTIONS_PER_ADDRESS')));
  });

  it('does not apply to trusted proxies', async () => {
    for (const TRUST_PROXY of ['1', '127.0.0.1']) {
      const gateway = await start(longLimits, { MAX_CONNECTIONS_PER_ADDRESS: '1', TRUST_PROXY });
      await openConnection(gateway);
      const second = await openConnection(gateway);
      second.end(publicRequest);
      assert.match(await text(second), /^HTTP\/1\.1 200 /);
    }
  });
});

it('MAX_CONNECTIONS closes further connections at once, and accepts new ones when others end', async () => {
  const gateway = await start(longLimits, { MAX_CONNECTIONS: '2' });
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
  const refusals = logged.filter((line) =>
    line.startsWith('New connections are closed: MAX_CONNECTIONS (2)'),
  );
  assert.equal(refusals.length, 1, 'logged once');
  kept[0].write(publicRequest);
  assert.match(await readChunk(kept[0]), /^HTTP\/1\.1 200 /);
  kept[1].end();
  await once(kept[1], 'close');
  assert.match(await retryUntilAccepted(gateway), /^HTTP\/1\.1 200 /);
});
