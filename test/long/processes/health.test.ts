import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../free-port.ts';
import { createFixture, startGateway, startService } from '../../gateway/ops/started-gateway.ts';
import { rawRequest } from '../../gateway/raw-request.ts';
import { startPastpaper } from '../../gateway/started-process.ts';

const fixture = await createFixture();
const gateway = await startGateway(await fixture.settings());
after(async () => {
  await gateway.stop();
  await fixture.remove();
});

async function ask(path: string, method = 'GET'): Promise<readonly [number, string]> {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close'];
  const { status, body } = await rawRequest(gateway.adminUrl, `${lines.join('\r\n')}\r\n\r\n`);
  return [status, body];
}

describe('The admin port', () => {
  it('reports that the process is live and ready', async () => {
    assert.deepEqual(await ask('/livez'), [200, 'ok\n']);
    assert.deepEqual(await ask('/readyz'), [200, 'ok\n']);
    assert.deepEqual(await ask('/readyz?verbose'), [200, 'ok\n']);
  });

  it('responds with 404 to paths other than /livez, /readyz and /metrics', async () => {
    for (const path of ['/', '/neet', '/livez/', '//livez', '/__proto__', '/metrics/x', 'http://host/livez'])
      assert.equal((await ask(path))[0], 404, path);
  });

  it('accepts only GET', async () => {
    for (const method of ['HEAD', 'POST', 'DELETE', 'OPTIONS'])
      for (const path of ['/livez', '/readyz', '/metrics'])
        assert.equal((await ask(path, method))[0], 405, `${method} ${path}`);
  });

  it('rejects a header of more than 4 KiB', async () => {
    const request = `GET /livez HTTP/1.1\r\nHost: localhost\r\nCookie: ${'x'.repeat(5000)}\r\n\r\n`;
    assert.equal((await rawRequest(gateway.adminUrl, request)).status, 431);
  });

  it('sends Cache-Control: no-store', async () => {
    const response = await fetch(`${gateway.adminUrl}/livez`);
    assert.equal(response.headers.get('cache-control'), 'no-store');
  });

  it('listens on the loopback address, whatever HOST is', async () => {
    const open = await startGateway(await fixture.settings({ HOST: '0.0.0.0' }));
    const { hostname, port } = new URL(open.adminUrl);
    const elsewhere = await fetch(`http://127.0.0.2:${port}/livez`).then(
      (response) => response.status,
      () => 'refused',
    );
    const itself = await fetch(`http://127.0.0.2:${new URL(open.baseUrl).port}/neet`);
    await itself.arrayBuffer();
    await open.stop();
    assert.deepEqual([hostname, elsewhere, itself.status], ['127.0.0.1', 'refused', 200]);
  });

  it('listens on ADMIN_HOST', async () => {
    const moved = await startGateway(await fixture.settings({ ADMIN_HOST: '127.0.0.2' }));
    const { status } = await fetch(`${moved.adminUrl}/livez`);
    await moved.stop();
    assert.equal(new URL(moved.adminUrl).hostname, '127.0.0.2');
    assert.equal(status, 200);
  });

  it('causes an error that names ADMIN_HOST if that is not an address of the machine', async () => {
    const { ended } = startPastpaper('gateway', await fixture.settings({ ADMIN_HOST: '192.0.2.1' }));
    const { status, stderr } = await ended;
    assert.deepEqual(
      [status, stderr],
      [2, '192.0.2.1 is not an address of this machine. Set ADMIN_HOST to one.\n'],
    );
  });

  it('is closed without ADMIN_PORT', async () => {
    const bare = await startGateway(await fixture.settings({ ADMIN_PORT: '' }));
    await bare.stop();
    assert.equal(bare.adminUrl, '');
  });

  it('reports during start that the process is live but not ready', async () => {
    // A database that accepts connections and never replies.
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const adminPort = await freePort();
    const started = startPastpaper(
      'gateway',
      await fixture.settings({
        ADMIN_PORT: String(adminPort),
        DATABASE_URL: `postgres://127.0.0.1:${(silent.address() as AddressInfo).port}/nothing`,
      }),
    );
    const statuses: number[] = [];
    while (statuses.length === 0) {
      try {
        for (const path of ['livez', 'readyz'])
          statuses.push((await fetch(`http://127.0.0.1:${adminPort}/${path}`)).status);
      } catch {
        await delay(20);
      }
    }
    const { status, stderr } = await started.ended;
    silent.close();
    assert.deepEqual(statuses, [200, 503]);
    assert.match(stderr, /^The database nothing at 127\.0\.0\.1:\d+ cannot be used: /);
    assert.equal(status, 2);
  });
});

describe('Readiness', () => {
  it('does not depend on the authentication service, as public resources are served without it', async () => {
    const apart = await startGateway(
      await fixture.settings({
        INTROSPECTION_URL: 'http://127.0.0.1:9/introspect',
        INTROSPECTION_SECRET: randomBytes(32).toString('base64'),
      }),
    );
    const open = await fetch(`${apart.baseUrl}/neet`);
    const closed = await fetch(`${apart.baseUrl}/neet/2024/s1/physics.json`, {
      headers: { Authorization: 'Bearer key' },
    });
    const ready = await fetch(`${apart.adminUrl}/readyz`);
    await apart.stop();
    assert.deepEqual([open.status, closed.status, ready.status], [200, 502, 200]);
  });

  it('of pastpaper auth does not require a release', async () => {
    const service = await startService(
      await fixture.settings({
        INTROSPECTION_SECRET: randomBytes(32).toString('base64'),
        DIST_DIR: `${fixture.folder}/none`,
      }),
    );
    const { status } = await fetch(`${service.adminUrl}/readyz`);
    await service.stop();
    assert.equal(status, 200);
  });
});
