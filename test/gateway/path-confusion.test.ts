import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { rawGet } from './raw-request.ts';
import { runGateway } from './running-gateway.ts';

const running = await runGateway();
const { baseUrl } = running;
after(() => running.close());

const protectedFile = 'neet/2024/s1/physics.json';

describe('A protected file', () => {
  const targets = [
    `/docs/../${protectedFile}`,
    `/docs/..;/${protectedFile}`,
    `/docs/%2e%2e/${protectedFile}`,
    `/docs/..%2f${protectedFile}`,
    `/docs/..%5c${protectedFile}`,
    `/docs;/../${protectedFile}`,
    `/${protectedFile.replaceAll('/', '%2F')}`,
    `/${protectedFile.replaceAll('/', '%252F')}`,
    `/${protectedFile};.css`,
    `/${protectedFile}%00.css`,
    `/${protectedFile}%3f.css`,
    `//${protectedFile}`,
    `/./${protectedFile}`,
    `/docs/../../protected/${protectedFile}`,
    `/protected/${protectedFile}`,
    `/docs/%2e%2e/%2e%2e/protected/${protectedFile}`,
    `/${protectedFile}?x=/docs/`,
    `/${protectedFile}#/docs/`,
    `http://localhost/docs/..;/${protectedFile}`,
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
