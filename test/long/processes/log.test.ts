import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { formatLine, throttledLogger } from '../../../gateway/log/logger.ts';
import { newUser, signedIn } from '../../gateway/auth/users/visitor.ts';
import { createFixture, type Started, startGateway } from '../../gateway/ops/started-gateway.ts';
import { type RawResponse, rawGet } from '../../gateway/raw-request.ts';
import { unreachableService } from '../../gateway/running-gateway.ts';

const fixture = await createFixture();
after(() => fixture.remove());

const questions = '/neet/2024/s1/physics.json';
const generatedId = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

type Line = Readonly<Record<string, unknown>>;

/** Stops a gateway, and returns its log lines. */
async function logOf(started: Started): Promise<Line[]> {
  const { stderr } = await started.stop();
  return stderr
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** A gateway whose authentication service is down: every well-formed key gets 502. */
async function withoutService(changes: Readonly<Record<string, string>> = {}): Promise<Started> {
  return startGateway(await fixture.settings({ ...unreachableService, NODE_ENV: '', ...changes }));
}

const askWith = ({ baseUrl }: Started, ...headers: readonly string[]): Promise<RawResponse> =>
  rawGet(baseUrl, questions, ['Authorization: Bearer pfx_a-key', ...headers]);

const validId = `Az09._~+/=@-${'x'.repeat(52)}`;

/** Three requests that get 502, the last one with a request id of the client, and their log lines. */
async function failedRequests() {
  const started = await withoutService();
  const responses = [
    await askWith(started),
    await askWith(started),
    await askWith(started, `X-Request-Id: ${validId}`),
  ];
  return { ids: responses.map(({ headers }) => headers['x-request-id'] ?? ''), lines: await logOf(started) };
}

const failed = await failedRequests();

describe('A log line', () => {
  it('is JSON with time, level and message', () => {
    const { lines } = failed;
    assert.equal(lines.length, 4);
    for (const { time, level, message } of lines) {
      assert.equal(new Date(String(time)).toISOString(), time);
      assert.deepEqual([level, typeof message], ['warn', 'string']);
    }
  });

  it('is written only at LOG_LEVEL and above', async () => {
    const started = await withoutService({ LOG_LEVEL: 'error' });
    assert.equal((await askWith(started)).status, 502);
    assert.deepEqual(await logOf(started), []);
  });

  it('of a request is written only at debug', async () => {
    const started = await startGateway(await fixture.settings());
    assert.equal((await rawGet(started.baseUrl, '/neet')).status, 200);
    assert.deepEqual(await logOf(started), []);
  });

  it('written to a closed pipe does not stop the gateway', async () => {
    const started = await withoutService();
    started.process.stderr?.destroy();
    const statuses: number[] = [];
    for (let times = 0; times < 5; times += 1) statuses.push((await askWith(started)).status);
    const { status } = await started.stop();
    assert.deepEqual([statuses, status], [[502, 502, 502, 502, 502], 0]);
  });

  it('is plain text on a terminal, without control characters', () => {
    const line = JSON.stringify({
      level: 'warn',
      time: '2026-01-02T03:04:05.678Z',
      requestId: 'a1',
      status: 502,
      message: 'It failed \u001b[2J.',
    });
    assert.equal(
      formatLine(line),
      '2026-01-02T03:04:05.678Z warn It failed ?[2J. (requestId a1, status 502)\n',
    );
    const error = { message: 'no disk', stack: 'Error: no disk\n    at write' };
    assert.equal(
      formatLine(JSON.stringify({ level: 'error', time: 'now', message: 'It failed.', error })),
      'now error It failed.\nError: no disk\n    at write\n',
    );
  });
});

describe('The request id', () => {
  it('is in a 502 response and in its log line', () => {
    const { ids, lines } = failed;
    const ofRequests = lines.filter(({ requestId }) => requestId !== undefined);
    for (const id of ids) assert.match(id, generatedId);
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(
      ofRequests.map(({ requestId, route, level }) => [requestId, route, level]),
      ids.map((id) => [id, 'file', 'warn']),
    );
  });

  it('is in a 500 response and in its log line, with the account, the key id and the error', async () => {
    const own = await createFixture();
    const env = await own.settings();
    const key = await own.newKey(env, 'roomy');
    const started = await startGateway(env);
    await truncate(join(own.distDir, 'current', 'protected/neet/2024/2024-05-05-s1/physics.json'), 5);
    const response = await rawGet(started.baseUrl, questions, [`Authorization: Bearer ${key}`]);
    const [line = {}, ...more] = await logOf(started);
    await own.remove();
    assert.deepEqual([response.status, response.body], [500, '{"error":"Internal server error"}']);
    const { level, requestId, route, account, keyId, error } = line;
    assert.deepEqual(
      [level, requestId, route, more],
      ['error', response.headers['x-request-id'], 'file', []],
    );
    assert.match(String(account), /^acc_/);
    assert.match(String(keyId), /^key_/);
    assert.match((error as Error).message, /physics\.json does not match its checksum in the manifest/);
    assert.match((error as Error).stack ?? '', /\n\s+at /);
  });

  it('is in no other response', async () => {
    const started = await startGateway(await fixture.settings({ TRUST_PROXY: '1' }));
    const responses = [
      await rawGet(started.baseUrl, '/neet', ['X-Request-Id: abc']),
      await rawGet(started.baseUrl, '/nothing', ['X-Request-Id: abc']),
      await askWith(started, 'X-Request-Id: abc'),
    ];
    await started.stop();
    assert.deepEqual(
      responses.map(({ status, headers }) => [status, headers['x-request-id']]),
      [
        [200, undefined],
        [404, undefined],
        [403, undefined],
      ],
    );
  });

  it('is the one of a trusted proxy, if it is valid', async () => {
    const started = await withoutService({ TRUST_PROXY: 'loopback' });
    const { headers } = await askWith(started, `X-Request-Id: ${validId}`);
    const [, line] = await logOf(started);
    assert.deepEqual([headers['x-request-id'], line?.['requestId']], [validId, validId]);
  });

  it('is generated if the proxy sends none, or an invalid one', async () => {
    const started = await withoutService({ TRUST_PROXY: '1' });
    const ids: (string | undefined)[] = [];
    for (const sent of ['', `${validId}x`, 'a b', 'a"b', 'a{b}', 'aß', 'one, two']) {
      const { headers } = await askWith(started, `X-Request-Id: ${sent}`);
      assert.match(headers['x-request-id'] ?? '', generatedId, sent);
      ids.push(headers['x-request-id']);
    }
    const logged = (await logOf(started)).flatMap(({ requestId }) =>
      requestId === undefined ? [] : [requestId],
    );
    assert.deepEqual(logged, ids);
  });

  it('is generated if no proxy is trusted', () => {
    assert.match(failed.ids[2] ?? '', generatedId);
  });

  it('is generated if only another proxy is trusted', async () => {
    const started = await withoutService({ TRUST_PROXY: '10.0.0.0/8' });
    const { headers } = await askWith(started, `X-Request-Id: ${validId}`);
    await started.stop();
    assert.match(headers['x-request-id'] ?? '', generatedId);
  });
});

describe('At LOG_LEVEL=debug', () => {
  it('each request is logged with its resource, account and key id', async () => {
    const env = await fixture.settings({ LOG_LEVEL: 'debug' });
    const key = await fixture.newKey(env, 'roomy');
    const started = await startGateway(env);
    await rawGet(started.baseUrl, `${questions}?a=b`, [`Authorization: Bearer ${key}`]);
    await rawGet(started.baseUrl, '/neet/2024/s9/physics.json', [`Authorization: Bearer ${key}`]);
    await rawGet(started.baseUrl, '/docs/');
    const [found = {}, missing = {}, page = {}] = await logOf(started);
    const { time, milliseconds, requestId, account, keyId, ...rest } = found;
    assert.deepEqual(rest, {
      level: 'debug',
      route: 'file',
      exam: 'neet',
      year: '2024',
      shift: 's1',
      file: 'physics.json',
      status: 200,
      message: 'Request completed.',
    });
    assert.match(`${requestId} ${account} ${keyId}`, /^\S{36} acc_\S+ key_\S+$/);
    assert.ok(Number(milliseconds) > 0 && time !== undefined);
    assert.deepEqual([missing['status'], missing['shift'], missing['account']], [404, undefined, account]);
    assert.deepEqual([page['path'], page['account']], ['docs', undefined]);
  });

  it('no key, password, cookie, header or query is logged', async () => {
    const env = await fixture.settings({
      LOG_LEVEL: 'debug',
      INTROSPECTION_SECRET: `hidden-from-${randomBytes(16).toString('hex')}`,
    });
    const key = await fixture.newKey(env, 'free');
    const started = await startGateway(env);
    const bearer = `Authorization: Bearer ${key}`;
    const statuses: number[] = [];
    const ask = async (path: string, ...headers: string[]) =>
      statuses.push((await rawGet(started.baseUrl, path, headers)).status);
    for (let times = 0; times < 4; times += 1) await ask(questions, bearer);
    await ask(questions, `Authorization: Basic ${key}`);
    await ask(questions, `${bearer}x`);
    await ask(questions, `Cookie: key=${key}`, `X-Api-Key: ${key}`, `Referer: https://host/${key}`);
    for (const path of [
      `${questions}?key=${key}`,
      `/${key}`,
      `/neet/${key}`,
      `/neet/2024/s1/${key}`,
      `/docs/${key}`,
      `/auth/${key}`,
    ])
      await ask(path, bearer);
    await ask(`/neet/2024/${key}`);
    await ask(`//${key}`);
    await ask(`http://${key}/neet`);
    await ask(`ftp://${key}`);
    await fetch(`${started.baseUrl}/auth/introspect`, {
      method: 'POST',
      headers: { Authorization: 'Bearer hidden-from-all-who-are-no-gateway' },
      body: new URLSearchParams({ token: key }),
    });
    const person = newUser();
    const ada = await signedIn(`${started.baseUrl}/auth`, person);
    const { key: own } = (await ada.post('keys', { name: 'laptop', expiresIn: null })).body;
    await ask(questions, `Authorization: Bearer ${own}`);
    const { stdout, stderr } = await started.stop();
    assert.ok(
      [200, 429, 401, 403, 404, 400].every((status) => statuses.includes(status)),
      statuses.join(),
    );
    assert.ok(stderr.split('\n').length > statuses.length, 'each request is logged');
    assert.doesNotMatch(stderr, /Bearer|Cookie|pfx_/i);
    for (const secret of [key, own, person.password, person.email, 'hidden-from', ...ada.cookies.values()])
      assert.ok(!(stdout + stderr).includes(secret), `${secret} in\n${stderr}`);
  });
});

describe('The throttled logger', () => {
  it('writes at most a hundred lines a second, and the number of dropped lines', () => {
    let elapsed = 0;
    const lines: string[] = [];
    const log = throttledLogger((message) => lines.push(message), { elapsed: () => elapsed });
    for (let times = 0; times < 250; times += 1) log('It failed.');
    assert.equal(lines.length, 100);
    elapsed = 1_000_000;
    log('It failed again.');
    assert.deepEqual(lines.slice(100), ['150 more lines about requests were omitted.', 'It failed again.']);
  });
});
