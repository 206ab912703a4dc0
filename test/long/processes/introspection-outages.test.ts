import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  active,
  json,
  type Responder,
  startAuthenticationServer,
} from '../../gateway/access/authentication-service.ts';
import { advance } from '../../gateway/fake-system.ts';
import { introspectionAt, runGateway } from '../../gateway/running-gateway.ts';

const service = await startAuthenticationServer();
const gateway = await runGateway(introspectionAt(service.url));
after(async () => {
  await gateway.close();
  await service.close();
});

const unreachable = { status: 502, body: { error: 'Authentication service unreachable' } };

/** Milliseconds. Long: the gateway times out after 2 s, and without a timeout it would never respond. */
const timeout = 60_000;

/** Requests a protected resource with a key. */
async function get(key: string) {
  const response = await fetch(`${gateway.baseUrl}/neet/2024/s1/physics.json`, {
    headers: { Authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(timeout),
  });
  return { status: response.status, body: await response.json() };
}

const outages: readonly (readonly [string, Responder])[] = [
  ['accepts requests and never responds', () => {}],
  ['sends its response byte by byte', drip],
  ['breaks off after half of its response', breakOff],
];

function drip(response: Parameters<Responder>[0]): void {
  const body = JSON.stringify(active);
  let sent = 0;
  const timer = setInterval(() => {
    response.write(body.charAt(sent));
    sent += 1;
    if (sent === body.length) response.end();
  }, 100);
  response.once('close', () => clearInterval(timer));
}

function breakOff(response: Parameters<Responder>[0]): void {
  response.writeHead(200, { 'Content-Length': 100 }).write('{"active"', () => response.destroy());
}

describe('While the authentication service', () => {
  for (const [number, [name, outage]] of outages.entries()) {
    const used = `pfx_used-${number}`;
    const fresh = `pfx_new-${number}`;

    it(`${name}, new keys get 502, cached keys work for 9 s, and the gateway recovers without a restart`, async () => {
      service.respond = json(active);
      assert.equal((await get(used)).status, 200);

      service.respond = outage;
      advance(9_000);
      assert.deepEqual(await get(fresh), unreachable);
      assert.equal((await get(used)).status, 200);
      advance(1_001);
      const both = await Promise.all([get(fresh), get(used)]);
      assert.deepEqual(both, [unreachable, unreachable]);

      service.respond = json(active);
      assert.equal((await get(fresh)).status, 200);
      assert.equal((await get(used)).status, 200);
    });
  }

  it('fails in any of these ways, each 502 has a log line', () => {
    const lines = gateway.logged.filter((line) => line.startsWith('A key could not be checked.'));
    assert.equal(lines.length, outages.length * 3);
  });

  it('fails in any of these ways, no key and no secret is logged', () => {
    assert.ok(gateway.logged.length > outages.length);
    assert.doesNotMatch(gateway.logged.join('\n'), /pfx_|a-secret|Z2F0ZXdheTph/);
  });
});
