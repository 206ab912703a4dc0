import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { rawGet } from './raw-request.ts';
import { runGateway } from './running-gateway.ts';

const running = await runGateway();
const { baseUrl } = running;
after(() => running.close());

const protectedFile = 'neet/2024/s1/physics.json';

describe('A protected file', () => {
  // biome-ignore format: a list
  const prefixes = [
    '/docs/../', '/docs/..;/', '/docs/%2e%2e/', '/docs/..%2f', '/docs/..%5c', '/docs;/../', '//', '/./', '/protected/',
    '/docs/../../protected/', '/docs/%2e%2e/%2e%2e/protected/', 'http://localhost/docs/..;/',
  ];
  const targets = [
    ...prefixes.map((prefix) => `${prefix}${protectedFile}`),
    ...['%2F', '%252F'].map((slash) => `/${protectedFile.replaceAll('/', slash)}`),
    ...[';.css', '%00.css', '%3f.css', '?x=/docs/', '#/docs/'].map(
      (end) => `/${protectedFile}${end}`,
    ),
  ];
  for (const target of targets) {
    it(`is not served without a key at ${target}`, async () => {
      const { status, body } = await rawGet(baseUrl, target);
      assert.ok([400, 401, 404].includes(status), String(status));
      assert.match(body, /^\{"error":"[^"]+"\}$/);
    });
  }

  it('is not served without a key for headers that name another path, host or method', async () => {
    for (const field of [
      'X-Original-URL: /neet',
      'X-Rewrite-URL: /neet',
      'X-Forwarded-Host: docs',
      'X-Forwarded-Prefix: /docs',
      'X-HTTP-Method-Override: HEAD',
      'Forwarded: for=127.0.0.1;host=docs',
    ])
      assert.equal((await rawGet(baseUrl, `/${protectedFile}`, [field])).status, 401, field);
  });
});
