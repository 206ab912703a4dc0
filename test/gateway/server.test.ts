import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { parseResponse, type RawResponse, rawGet, rawRequest } from './raw-request.ts';
import { runGateway } from './running-gateway.ts';

const running = await runGateway();
const { baseUrl } = running;
after(() => running.close());

function assertError(response: RawResponse, status: number, message: string): void {
  assert.equal(response.status, status);
  assert.deepEqual(JSON.parse(response.body), { error: message });
  assert.match(response.headers['content-type'] ?? '', /^application\/json/);
  assert.equal(response.headers['cache-control'], 'no-store');
  assert.equal(response.headers['x-content-type-options'], 'nosniff');
  if (status === 405) assert.equal(response.headers['allow'], 'GET');
}

function assertNotFound({ status, body }: RawResponse, message: string): void {
  assert.deepEqual([status, JSON.parse(body)], [404, { error: message }]);
}

const lines = (...parts: string[]) => `${parts.join('\r\n')}\r\n\r\n`;
const host = 'Host: localhost';
const close = 'Connection: close';

// Most are in requests.json.
describe('A request that Node’s parser rejects', () => {
  const rows: readonly (readonly [string, string, number, string])[] = [
    ['a NUL in the URL', lines('GET /ne\0et HTTP/1.1', host), 400, 'Malformed URL'],
    ['an over-long URL', lines(`GET /${'a'.repeat(40_000)} HTTP/1.1`, host), 400, 'Malformed URL'],
    [
      'chunked coding in HTTP/1.0',
      `${lines('GET /neet HTTP/1.0', 'Connection: keep-alive', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
      400,
      'Malformed request',
    ],
    ['an empty method', lines(' / HTTP/1.1', host), 405, 'Method not allowed'],
  ];
  for (const [name, request, status, message] of rows) {
    it(`gets ${status}: ${name}`, async () =>
      assertError(await rawRequest(baseUrl, request), status, message));
  }
});

describe('A request that Node’s parser accepts', () => {
  const hosts: readonly (readonly [string, string, string])[] = [
    ['without Host', lines('GET /neet HTTP/1.1', close), 'Malformed URL'],
    [
      'with two Host headers',
      lines('GET /neet HTTP/1.1', host, 'Host: other', close),
      'Malformed URL',
    ],
    [
      'with two Host headers under /auth/',
      lines('GET /auth/settings HTTP/1.1', host, 'Host: other', close),
      'Malformed request',
    ],
  ];
  for (const [name, request, message] of hosts)
    it(`gets 400 ${name}`, async () =>
      assertError(await rawRequest(baseUrl, request), 400, message));

  it('gets 401 with two Authorization headers, however many fields are between them', async () => {
    const { key } = await running.createKey('prober');
    const authorization = `Authorization: Bearer ${key}`;
    const fields = [authorization, ...Array<string>(2_500).fill('a:'), authorization];
    const { status } = await rawGet(baseUrl, '/neet/2024/s1/physics.json', fields);
    assert.equal(status, 401);
  });

  it('gets 400 with an invalid Host', async () => {
    for (const name of ['a b', 'a@b', 'a, b', '[::1', 'a\u00e9', '%zz']) {
      for (const version of ['1.0', '1.1']) {
        const request = lines(`GET /neet HTTP/${version}`, `Host: ${name}`, close);
        assertError(await rawRequest(baseUrl, request), 400, 'Malformed URL');
      }
    }
  });

  it('gets 200 with any valid Host', async () => {
    for (const name of ['', 'A-b.example:8080', '[::1]:80', 'a_b', '%61'])
      assert.equal(
        (await rawRequest(baseUrl, lines('GET /neet HTTP/1.1', `Host: ${name}`, close))).status,
        200,
      );
  });

  it('is the only one served on its connection if it has Upgrade', async () => {
    const upgrade = lines('GET /neet HTTP/1.1', host, 'Connection: Upgrade', 'Upgrade: websocket');
    const { status, headers, body } = await rawRequest(
      baseUrl,
      upgrade + lines('GET /jeemain HTTP/1.1', host) + lines('GET /neet/2024 HTTP/1.1', host),
    );
    assert.deepEqual(
      [status, headers['connection'], JSON.parse(body).exam],
      [200, 'close', 'neet'],
    );
  });

  it('gets 404 if an encoded slash separates segments', async () => {
    const { key } = await running.createKey('prober');
    assertNotFound(await rawGet(baseUrl, '/neet%2F2024'), 'Exam not found');
    assertNotFound(await rawGet(baseUrl, '/docs%2Fstyle.css'), 'Exam not found');
    assertNotFound(await rawGet(baseUrl, '/docs/x%2F..%2Fstyle.css'), 'File not found');
    const path = '/neet/2024/s2/diagrams%2Fneet-2024-03-01-s1-physics-04-circuit.svg';
    assertNotFound(await rawGet(baseUrl, path, [`Authorization: Bearer ${key}`]), 'File not found');
  });

  it('may be pipelined with others, of which at most 64 are served', async () => {
    const flood = lines('GET /neet HTTP/1.1', host).repeat(1000);
    const served = await rawRequest(baseUrl, flood).then(
      ({ body }) => body.match(/HTTP\/1\.1 200 OK/g)?.length ?? 0,
      (error) => (error.code === 'ECONNRESET' ? 0 : assert.fail(error)),
    );
    assert.ok(served <= 64, String(served));
    const some =
      lines('GET /neet HTTP/1.1', host).repeat(63) + lines('GET /neet HTTP/1.1', host, close);
    const { body } = await rawRequest(baseUrl, some);
    assert.equal(body.match(/HTTP\/1\.1 200 OK/g)?.length, 63);
  });

  it('gets a complete response if garbage follows, which gets 405', async () => {
    const { key } = await running.createKey('prober');
    const path = '/neet/2024/s1/physics.json';
    const authorization = `Authorization: Bearer ${key}`;
    const { body } = await rawGet(baseUrl, path, [authorization]);
    const request = lines(`GET ${path} HTTP/1.1`, host, authorization);
    const response = await rawRequest(baseUrl, `${request}nonsense\r\n\r\n`);
    assert.equal(response.status, 200);
    assert.ok(response.body.startsWith(body));
    assertError(parseResponse(response.body.slice(body.length)), 405, 'Method not allowed');
  });

  it('gets its response if it is rejected while the client still sends', async () => {
    const request = `BREW /neet HTTP/1.1\r\n${'X-Long: a\r\n'.repeat(200_000)}`;
    // A response that is cut off would still arrive sometimes.
    for (let turn = 0; turn < 20; turn += 1)
      assertError(await rawRequest(baseUrl, request), 405, 'Method not allowed');
  });

  it('logs no error', () => assert.deepEqual(running.logged, []));
});
