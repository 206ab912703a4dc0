import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, describe, it } from 'node:test';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { freePort, listenLocally } from '../../free-port.ts';
import { rawRequest } from '../../gateway/raw-request.ts';
import { runGateway, unreachableService } from '../../gateway/running-gateway.ts';
import { sampleRelease } from '../../gateway/sample-release.ts';
import { startPastpaper } from '../../gateway/started-process.ts';

const { gateway, close } = await runGateway({ ADMIN_PORT: '0', HOST: '0.0.0.0' }, 'in-real-time');
after(close);
const adminUrl = gateway.adminOrigin ?? '';

async function ask(path: string, method = 'GET'): Promise<readonly [number, string]> {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close'];
  const { status, body } = await rawRequest(adminUrl, `${lines.join('\r\n')}\r\n\r\n`);
  return [status, body];
}

async function statusOf(url: string, headers = {}): Promise<number | 'refused'> {
  return fetch(url, { headers }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => 'refused' as const,
  );
}

describe('The admin port', () => {
  it('responds to /livez, /readyz and /metrics alone, changes nothing, and is not cached', async () => {
    for (const path of ['/livez', '/readyz', '/readyz?verbose'])
      assert.deepEqual(await ask(path), [200, 'ok\n']);
    for (const path of ['/', '/neet', '/livez/', '//livez', '/__proto__', '/metrics/x'])
      assert.equal((await ask(path))[0], 404, path);
    for (const method of ['POST', 'DELETE'])
      for (const path of ['/livez', '/readyz', '/metrics'])
        assert.equal((await ask(path, method))[0], 404, `${method} ${path}`);
    assert.equal((await fetch(`${adminUrl}/livez`)).headers.get('cache-control'), 'no-store');
  });

  it('listens on the loopback address, whatever HOST is, or on ADMIN_HOST', async () => {
    const { hostname, port } = new URL(adminUrl);
    const elsewhere = await statusOf(`http://127.0.0.2:${port}/livez`);
    const itself = await statusOf(`http://127.0.0.2:${gateway.port}/neet`);
    assert.deepEqual([hostname, elsewhere, itself], ['127.0.0.1', 'refused', 200]);
    const moved = await runGateway({ ADMIN_PORT: '0', ADMIN_HOST: '127.0.0.2' }, 'in-real-time');
    const { adminOrigin = '' } = moved.gateway;
    const status = await statusOf(`${adminOrigin}/livez`);
    await moved.close();
    assert.deepEqual([new URL(adminOrigin).hostname, status], ['127.0.0.2', 200]);
  });

  it('is ready without the authentication service, as public resources are served without it', async () => {
    const apart = await runGateway({ ...unreachableService, ADMIN_PORT: '0' }, 'in-real-time');
    const statuses = [
      await statusOf(`${apart.baseUrl}/neet`),
      await statusOf(`${apart.baseUrl}/neet/2024/s1/physics.json`, { Authorization: 'Bearer key' }),
      await statusOf(`${apart.gateway.adminOrigin}/readyz`),
    ];
    await apart.close();
    assert.deepEqual(statuses, [200, 502, 200]);
  });

  it('reports during start that the process is live but not ready', async () => {
    // A database that accepts connections and never replies.
    const silent = createServer(() => {});
    const port = await listenLocally(silent);
    const adminPort = await freePort();
    const started = startPastpaper('gateway', {
      PORT: '0',
      ADMIN_PORT: String(adminPort),
      DIST_DIR: await sampleRelease(),
      DATA_DIR: await temporaryFolder(),
      DATABASE_URL: `postgres://127.0.0.1:${port}/nothing`,
    });
    await once(silent, 'connection');
    const statuses = [];
    for (const path of ['livez', 'readyz'])
      statuses.push(await statusOf(`http://127.0.0.1:${adminPort}/${path}`));
    const { status, stderr } = await started.ended;
    silent.close();
    assert.deepEqual(statuses, [200, 503]);
    assert.match(stderr, /^The database nothing at 127\.0\.0\.1:\d+ cannot be used: /);
    assert.equal(status, 2);
  });
});
