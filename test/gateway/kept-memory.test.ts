import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sendBytes } from './raw-request.ts';
import { runGateway } from './running-gateway.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const running = await runGateway({ TRUST_PROXY: '1' });
after(() => running.close());

const requests = 300;
const filler = 'a'.repeat(15_000);

const kinds = {
  targets: (index: number) => `http://${filler}/neet/2024/s1/${index}.json HTTP/1.1`,
  'forwarded addresses': (index: number) =>
    `/neet/2024/s1/a.json HTTP/1.1\r\nX-Forwarded-For: ${filler}, 203.113.${100 + (index >> 7)}.${100 + (index & 127)}`,
};

for (const [name, requestOf] of Object.entries(kinds)) {
  const send = (from: number) => {
    const all = Array.from({ length: requests }, (_, index) => requestOf(from + index));
    const text = all.map(
      (each) => `GET ${each}\r\nHost: localhost\r\nAuthorization: Bearer x\r\n\r\n`,
    );
    return sendBytes(running.baseUrl, `${text.join('')}GET / HTTP/1.0\r\n\r\n`);
  };

  it(`The gateway keeps no long ${name} in memory`, async () => {
    await send(requests);
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const responses = await send(0);
    assert.equal(responses.match(/HTTP\/1\.1 4(03|29) /g)?.length, requests);
    collectGarbage();
    const grown = process.memoryUsage().heapUsed - before;
    assert.ok(grown < (requests * filler.length) / 4, `${grown} bytes`);
  });
}
