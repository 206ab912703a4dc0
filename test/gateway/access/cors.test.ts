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

const preflight = ['Access-Control-Request-Method: GET', 'Access-Control-Request-Headers: authorization'];

describe('A script of a listed origin', () => {
  it('may send its preflight', async () => {
    const answer = await send(open.baseUrl, 'OPTIONS', questions, `Origin: ${listed}`, ...preflight);
    assert.equal(answer.status, 204);
    assert.equal(answer.headers['access-control-allow-origin'], listed);
    assert.equal(answer.headers['access-control-allow-methods'], 'GET');
    assert.match(answer.headers['access-control-allow-headers'] ?? '', /Authorization/);
    assert.equal(answer.headers['access-control-max-age'], '600');
    assert.match(answer.headers['vary'] ?? '', /Origin/);
    assert.equal(answer.body, '');
  });

  it('may read protected answers, and how its account stands', async () => {
    const answer = await send(
      open.baseUrl,
      'GET',
      questions,
      `Origin: ${listed}`,
      `Authorization: Bearer ${key}`,
    );
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['access-control-allow-origin'], listed);
    assert.match(answer.headers['access-control-expose-headers'] ?? '', /RateLimit/);
    assert.equal(answer.headers['vary'], 'Origin, Authorization, Accept-Encoding');
  });

  it('may read errors of protected paths', async () => {
    for (const path of [questions, '/neet/2024/s1/diagrams/a.svg']) {
      const answer = await send(open.baseUrl, 'GET', path, `Origin: ${listed}`);
      assert.deepEqual([answer.status, answer.headers['access-control-allow-origin']], [401, listed]);
    }
  });

  it('is any script on public paths, and caches keep one answer for all', async () => {
    const { headers } = await send(open.baseUrl, 'GET', '/neet', `Origin: ${listed}`);
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.doesNotMatch(headers['vary'] ?? '', /Origin/);
  });
});

describe('A script of any other origin', () => {
  for (const origin of ['https://evil.example', `${listed}.evil.example`, 'null', listed.toUpperCase()]) {
    it(`may not: ${origin}`, async () => {
      const asked = await send(open.baseUrl, 'OPTIONS', questions, `Origin: ${origin}`, ...preflight);
      assert.deepEqual([asked.status, asked.headers['access-control-allow-origin']], [405, undefined]);
      const read = await send(
        open.baseUrl,
        'GET',
        questions,
        `Origin: ${origin}`,
        `Authorization: Bearer ${key}`,
      );
      assert.deepEqual([read.status, read.headers['access-control-allow-origin']], [200, undefined]);
      assert.match(read.headers['vary'] ?? '', /Origin/);
    });
  }
});

describe('Protected answers', () => {
  it('are kept apart by origin where one is listed, though none asks', async () => {
    const [where, nowhere] = await Promise.all(
      [open, closed].map(({ baseUrl }) => send(baseUrl, 'GET', questions)),
    );
    assert.equal(where?.headers['vary'], 'Origin');
    assert.equal(nowhere?.headers['vary'], undefined);
  });
});

describe('OPTIONS', () => {
  it('is 405 when no origin is listed', async () => {
    assert.equal(
      (await send(closed.baseUrl, 'OPTIONS', questions, `Origin: ${listed}`, ...preflight)).status,
      405,
    );
  });

  it('is 405 on public paths, and when it is no preflight', async () => {
    assert.equal(
      (await send(open.baseUrl, 'OPTIONS', '/neet', `Origin: ${listed}`, ...preflight)).status,
      405,
    );
    assert.equal((await send(open.baseUrl, 'OPTIONS', questions, `Origin: ${listed}`)).status, 405);
  });

  it('alone is a preflight: a GET that bears its fields is a GET', async () => {
    const { status } = await send(open.baseUrl, 'GET', questions, `Origin: ${listed}`, ...preflight);
    assert.equal(status, 401);
  });
});
