import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { rawRequest } from '../raw-request.ts';
import { runGateway } from '../running-gateway.ts';

const listed = 'https://app.example.org';
const open = await runGateway({ CORS_ORIGINS: `${listed}, http://localhost:3000` });
const closed = await runGateway();
const { key } = await open.createKey('reader');
after(async () => {
  await open.close();
  await closed.close();
});

const questions = '/neet/2024/s1/physics.json';

function send(baseUrl: string, method: string, path: string, ...headers: string[]) {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers];
  return rawRequest(baseUrl, `${lines.join('\r\n')}\r\n\r\n`);
}

const preflight = [
  'Access-Control-Request-Method: GET',
  'Access-Control-Request-Headers: authorization',
];

it('An origin of this machine may read protected responses if loopback is listed, and no other', async () => {
  const local = await runGateway({ CORS_ORIGINS: 'loopback' });
  after(() => local.close());
  const allowed = async (origin: string) => {
    const response = await send(
      local.baseUrl,
      'OPTIONS',
      questions,
      `Origin: ${origin}`,
      ...preflight,
    );
    return response.headers['access-control-allow-origin'];
  };
  for (const origin of ['http://localhost:5173', 'http://127.0.0.1:8000', 'http://[::1]:1'])
    assert.equal(await allowed(origin), origin);
  for (const origin of ['http://localhost.example', 'null', 'loopback', 'http://10.0.0.1'])
    assert.equal(await allowed(origin), undefined);
});

describe('A listed origin', () => {
  it('may read protected responses and their RateLimit fields', async () => {
    const response = await send(
      open.baseUrl,
      'GET',
      questions,
      `Origin: ${listed}`,
      `Authorization: Bearer ${key}`,
    );
    assert.equal(response.status, 200);
    assert.equal(response.headers['access-control-allow-origin'], listed);
    assert.match(response.headers['access-control-expose-headers'] ?? '', /RateLimit/);
    assert.equal(response.headers['vary'], 'Origin, Authorization, Accept-Encoding');
  });
});

describe('An origin that is not listed', () => {
  for (const origin of ['null', '*', `${listed}.evil.example`, listed.replace('https', 'http')]) {
    it(`fails its preflight and gets no CORS headers: ${origin}`, async () => {
      const preflighted = await send(
        open.baseUrl,
        'OPTIONS',
        questions,
        `Origin: ${origin}`,
        ...preflight,
      );
      assert.deepEqual(
        [preflighted.status, preflighted.headers['access-control-allow-origin']],
        [405, undefined],
      );
      const read = await send(
        open.baseUrl,
        'GET',
        questions,
        `Origin: ${origin}`,
        `Authorization: Bearer ${key}`,
      );
      assert.deepEqual(
        [read.status, read.headers['access-control-allow-origin']],
        [200, undefined],
      );
      assert.equal(read.headers['access-control-allow-credentials'], undefined);
      assert.match(read.headers['vary'] ?? '', /Origin/);
    });
  }
});

it('A protected response has Vary: Origin if an origin is listed, also without an Origin header', async () => {
  assert.equal((await send(open.baseUrl, 'GET', questions)).headers['vary'], 'Origin');
  assert.equal((await send(closed.baseUrl, 'GET', questions)).headers['vary'], undefined);
});

describe('OPTIONS', () => {
  it('gets 405 if no origin is listed, on public paths, and if it is not a preflight', async () => {
    for (const [baseUrl, path, headers] of [
      [closed.baseUrl, questions, preflight],
      [open.baseUrl, '/neet', preflight],
      [open.baseUrl, questions, []],
    ] as const) {
      assert.equal(
        (await send(baseUrl, 'OPTIONS', path, `Origin: ${listed}`, ...headers)).status,
        405,
      );
    }
  });
});
