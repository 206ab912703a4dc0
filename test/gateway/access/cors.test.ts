import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { rawRequest } from '../raw-request.ts';
import { runGateway } from '../running-gateway.ts';

const listed = 'https://app.example.org';
const open = await runGateway({ CORS_ORIGINS: `${listed}, http://localhost:3000` });
const local = await runGateway({ CORS_ORIGINS: 'loopback' });
const closed = await runGateway();
const { key } = await open.createKey('reader');
after(() => Promise.all([open, local, closed].map((gateway) => gateway.close())));

const questions = '/neet/2024/s1/physics.json';

/** The status of a response, and the origin that it allows. */
async function send(
  { baseUrl }: typeof open,
  method: string,
  origin: string,
  { path = questions, headers = ['Access-Control-Request-Method: GET'] } = {},
) {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close'];
  const request = [...lines, `Origin: ${origin}`, ...headers, '', ''].join('\r\n');
  const response = await rawRequest(baseUrl, request);
  assert.equal(response.headers['access-control-allow-credentials'], undefined);
  return [response.status, response.headers['access-control-allow-origin']];
}

it('An origin of this machine may read protected responses if loopback is listed, and no other', async () => {
  for (const origin of ['http://localhost:5173', 'http://127.0.0.1:8000', 'http://[::1]:1'])
    assert.deepEqual(await send(local, 'OPTIONS', origin), [204, origin]);
  for (const origin of ['http://localhost.example', 'null', 'loopback', 'http://10.0.0.1'])
    assert.deepEqual(await send(local, 'OPTIONS', origin), [405, undefined]);
});

it('A listed origin may read protected responses, and an origin that is not listed may not', async () => {
  const headers = [`Authorization: Bearer ${key}`];
  assert.deepEqual(await send(open, 'GET', listed, { headers }), [200, listed]);
  const others = ['null', '*', `${listed}.evil.example`, listed.replace('https', 'http')];
  for (const origin of others) {
    assert.deepEqual(await send(open, 'OPTIONS', origin), [405, undefined]);
    assert.deepEqual(await send(open, 'GET', origin, { headers }), [200, undefined]);
  }
});

it('OPTIONS gets 405 if no origin is listed, on public paths, and if it is not a preflight', async () => {
  assert.deepEqual(await send(closed, 'OPTIONS', listed), [405, undefined]);
  assert.deepEqual(await send(open, 'OPTIONS', listed, { path: '/neet' }), [405, undefined]);
  assert.deepEqual(await send(open, 'OPTIONS', listed, { headers: [] }), [405, listed]);
});
