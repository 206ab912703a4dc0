import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { rawGet } from './raw-request.ts';
import { runGateway } from './running-gateway.ts';

const running = await runGateway({ CORS_ORIGINS: 'https://reader.example' });
const { baseUrl } = running;
after(() => running.close());

const closed = 'neet/2024/s1/physics.json';

describe('A protected file is got by no other spelling of its path', () => {
  const targets = [
    `/docs/../${closed}`,
    `/docs/..;/${closed}`,
    `/docs/%2e%2e/${closed}`,
    `/docs/..%2f${closed}`,
    `/docs/..%5c${closed}`,
    `/docs;/../${closed}`,
    `/${closed.replaceAll('/', '%2F')}`,
    `/${closed.replaceAll('/', '%252F')}`,
    `/${closed};.css`,
    `/${closed}%00.css`,
    `/${closed}%3f.css`,
    `//${closed}`,
    `/./${closed}`,
    `/docs/../../protected/${closed}`,
    `/protected/${closed}`,
    `/docs/%2e%2e/%2e%2e/protected/${closed}`,
    `/${closed}?x=/docs/`,
    `/${closed}#/docs/`,
    `http://localhost/docs/..;/${closed}`,
  ];
  for (const target of targets) {
    it(target, async () => {
      const { status, body } = await rawGet(baseUrl, target);
      assert.ok([400, 401, 404].includes(status), String(status));
      assert.match(body, /^\{"error":"[^"]+"\}$/);
    });
  }

  it('nor by fields that name another path, host or method', async () => {
    for (const field of [
      'X-Original-URL: /neet',
      'X-Rewrite-URL: /neet',
      'X-Forwarded-Host: docs',
      'X-Forwarded-Prefix: /docs',
      'X-HTTP-Method-Override: HEAD',
      'Forwarded: for=127.0.0.1;host=docs',
    ])
      assert.equal((await rawGet(baseUrl, `/${closed}`, [field])).status, 401, field);
  });
});

describe('An origin that is not listed', () => {
  it('is not let read, be it null or like one that is', async () => {
    for (const origin of [
      'null',
      '*',
      'https://reader.example.evil.example',
      'http://reader.example',
      'https://READER.example',
      'https://reader.example, null',
    ]) {
      const { headers } = await rawGet(baseUrl, `/${closed}`, [`Origin: ${origin}`]);
      assert.equal(headers['access-control-allow-origin'], undefined, origin);
      assert.equal(headers['access-control-allow-credentials'], undefined, origin);
    }
  });
});
