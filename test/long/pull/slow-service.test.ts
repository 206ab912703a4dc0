import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { it } from 'node:test';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { serveBank, startFakeService } from '../../build/client/fake-service.ts';
import { problemsOf, pullHere } from '../../build/client/served-bank.ts';

const paper = '/neet/2024/2024-05-05-s1/physics.json';
const diagram = '/neet/2024/2024-05-05-s1/diagrams/q1-drawing.svg';

/** Milliseconds that a response may take. Each of eight attempts lasts that long. */
const timeout = 60;

const slow: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'sends a byte now and then': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  },
  'sends a field of its header now and then': ({ socket }) => {
    socket?.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => socket?.write('x: y\r\n'), 20);
    socket?.on('close', () => clearInterval(timer));
  },
};
for (const [kind, send] of Object.entries(slow)) {
  it(`A pull from a service times out if it ${kind}`, async () => {
    const service = await startFakeService();
    for (const path of ['/neet', paper, diagram]) {
      serveBank(service);
      service.respond(path, send);
      const folder = await temporaryFolder();
      const pulled = await pullHere(service.url, 'neet', folder, { key: 'pfx_secret', timeout });
      assert.match(
        problemsOf(pulled).join(),
        /the response took longer than 0\.06 s\. Tried 8 times/,
      );
    }
    await service.close();
  });
}
