/** A client without a key cannot fill the disk of a host with the bodies of its requests. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, realpath, stat } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runGateway } from '../../gateway/running-gateway.ts';
import { waitUntil } from '../../wait-until.ts';
import { nginx } from './running-host.ts';

const megabyte = Buffer.alloc(1024 * 1024, 'a');
/** The client sends this much, and does not end the body. */
const megabytes = 32;

const gateway = await runGateway({}, 'in-real-time');
after(() => gateway.close());
const release = await realpath(join(gateway.config.distDir, 'current'));

const framings = {
  'with a length': {
    header: `Content-Length: ${200 * megabyte.length}`,
    chunk: megabyte,
  },
  'in chunks': {
    header: 'Transfer-Encoding: chunked',
    chunk: Buffer.concat([Buffer.from('100000\r\n'), megabyte, Buffer.from('\r\n')]),
  },
} as const;

for (const software of [nginx]) {
  describe(`A POST of many megabytes to ${software.name}`, () => {
    for (const [name, { header, chunk }] of Object.entries(framings)) {
      it(`is rejected before it ends, and nothing of it is written to the disk: ${name}`, async () => {
        const host = await software.start(release, new URL(gateway.baseUrl).host);
        const before = await bytesIn(host.folder);
        const socket = connect(Number(new URL(host.baseUrl).port), '127.0.0.1');
        // A host may close the connection while the client sends.
        socket.on('error', () => undefined);
        let received = '';
        socket.setEncoding('utf8').on('data', (text: string) => {
          received += text;
        });
        socket.write(
          `POST /auth/sign-in/email HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${header}\r\n\r\n`,
        );
        await send(socket, chunk);
        await waitUntil(
          async () => received !== '' || socket.destroyed || (await bytesIn(host.folder)) > before,
        );
        const written = (await bytesIn(host.folder)) - before;
        socket.destroy();
        await host.close();
        assert.equal(written, 0);
        assert.match(received, /^HTTP\/1\.1 4\d\d /);
        assert.ok(received.length < 2000, received);
      });
    }
  });
}

/** Sends the chunk many times, as far as the host reads it. */
async function send(socket: Socket, chunk: Buffer): Promise<void> {
  for (let sent = 0; sent < megabytes && !socket.destroyed; sent += 1) {
    if (socket.write(chunk)) continue;
    const stopped = new AbortController();
    const { signal } = stopped;
    await Promise.race(
      ['drain', 'data', 'close'].map((event) => once(socket, event, { signal })),
    ).finally(() => stopped.abort());
    // It has responded.
    if (socket.bytesRead > 0) return;
  }
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      // A file may be removed meanwhile.
      .map((entry) =>
        stat(join(entry.parentPath, entry.name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
