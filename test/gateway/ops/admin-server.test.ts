import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { createAdminServer, openMetrics } from '../../../gateway/ops/admin-server.ts';
import { listen } from '../../../gateway/ops/run.ts';
import { rawRequest } from '../raw-request.ts';

const logged: string[] = [];
const metrics = openMetrics();
const server = createAdminServer({ phase: 'ready' }, metrics, 'gw1.example.org', assert.fail);
const port = await listen(server, 0, '127.0.0.1', (message) => logged.push(message));
after(() => server.close());

async function statusFor(host: string): Promise<number> {
  const request = `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  return (await rawRequest(`http://127.0.0.1:${port}`, request)).status;
}

it('Metrics are served under addresses, names without a dot, and the one in ADMIN_HOST', async () => {
  for (const host of [
    ...['', 'localhost', 'gateway:9090', '127.0.0.1', '10.0.0.7:9090', '[::1]:9090'],
    ...['[::ffff:10.0.0.7]', 'gw1.example.org', 'gw1.example.org:9090'],
  ])
    assert.equal(await statusFor(host), 200, host);
});

it('Metrics get 421 under a name that may be that of a web site (DNS rebinding)', async () => {
  for (const host of [
    ...['web.example', 'web.example:9090', 'localhost.web.example', '127.0.0.1.web.example'],
    ...['[::1].web.example', 'x.gw1.example.org'],
  ])
    assert.equal(await statusFor(host), 421, host);
});

it('A server keeps running when connections cannot be accepted, and logs it once in a while', async () => {
  for (let time = 0; time < 3; time += 1)
    server.emit('error', Object.assign(new Error('accept ENFILE'), { code: 'ENFILE' }));
  assert.equal(await statusFor('localhost'), 200);
  assert.deepEqual(logged, ['A connection could not be accepted.']);
});
