import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, truncate } from 'node:fs/promises';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { formatLine, throttledLogger } from '../../../gateway/log/logger.ts';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { bodyPath } from '../../build/release-folder.ts';
import { newUser, signedIn } from '../../gateway/accounts/users/visitor.ts';
import { type RawResponse, rawGet } from '../../gateway/raw-request.ts';
import { unreachableService } from '../../gateway/running-gateway.ts';
import { sampleRelease } from '../../gateway/sample-release.ts';
import { type ServerProcess, serverSettings, startServer } from '../../gateway/server-process.ts';
import { Accounts } from '../accounts.ts';

const questions = '/neet/2024/s1/physics.json';
const generatedId = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

type Line = Readonly<Record<string, unknown>>;

/** Stops a gateway, and returns its log lines. */
async function logOf(started: ServerProcess): Promise<Line[]> {
  const { stderr } = await started.stop();
  return stderr
    .split('\n')
    .filter((line) => line !== '' && !line.includes('Visitors can sign up'))
    .map((line) => JSON.parse(line));
}

/** A gateway whose authentication service is down: every well-formed key gets 502. */
async function withoutService(
  changes: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  return startServer('gateway', { ...unreachableService, NODE_ENV: '', ...changes });
}

const askWith = ({ origin }: ServerProcess, ...headers: readonly string[]): Promise<RawResponse> =>
  rawGet(origin, questions, ['Authorization: Bearer pfx_a-key', ...headers]);

const validId = `Az09._~+/=@-${'x'.repeat(52)}`;

/** Three requests that get 502, the last one with a request id of the client, and their log lines. */
async function failedRequests() {
  const started = await withoutService();
  const responses = [
    await askWith(started),
    await askWith(started),
    await askWith(started, `X-Request-Id: ${validId}`),
  ];
  return {
    ids: responses.map(({ headers }) => headers['x-request-id'] ?? ''),
    lines: await logOf(started),
  };
}

/** Requests that a gateway with default settings serves or rejects, and its log lines. */
async function otherRequests() {
  const started = await startServer('gateway', { TRUST_PROXY: '1' });
  const responses = [
    await rawGet(started.origin, '/neet', ['X-Request-Id: abc']),
    await rawGet(started.origin, '/nothing', ['X-Request-Id: abc']),
    await askWith(started, 'X-Request-Id: abc'),
  ];
  return { responses, lines: await logOf(started) };
}

const [failed, others] = await Promise.all([failedRequests(), otherRequests()]);

describe('A log line', () => {
  it('is JSON with time, level and message', () => {
    const { lines } = failed;
    assert.equal(lines.length, 4);
    for (const { time, level, message } of lines) {
      assert.equal(new Date(String(time)).toISOString(), time);
      assert.deepEqual([level, typeof message], ['warn', 'string']);
    }
  });

  it('is written only at LOG_LEVEL and above, and about each request only at debug', async () => {
    const started = await withoutService({ LOG_LEVEL: 'error' });
    assert.equal((await askWith(started)).status, 502);
    assert.deepEqual(await logOf(started), []);
    assert.deepEqual(others.lines, []);
  });

  it('written to a pipe that nobody reads is dropped beyond a limit, and does not keep the gateway from stopping', async () => {
    const started = await startServer('gateway', { LOG_LEVEL: 'debug' });
    const { process: child, origin, waitForOutput } = started;
    const { port } = new URL(origin);
    async function request(times: number): Promise<void> {
      // Fewer in a row than the gateway lets a connection have.
      const pipelined = 'GET /docs/none HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(50);
      for (let time = 0; time < times; time += 1) {
        const socket = connect(Number(port), '127.0.0.1');
        socket.write(pipelined.replace(/\r\n$/, 'Connection: close\r\n\r\n'));
        await once(socket.resume(), 'close');
      }
    }
    child.stderr?.pause();
    await request(200);
    child.stderr?.resume();
    await request(1);
    const [, dropped] = await waitForOutput(
      /"(\d+) log lines were dropped because the reader/,
      'stderr',
    );
    assert.ok(Number(dropped) > 1000, dropped);
    child.stderr?.pause();
    await request(40);
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
    child.stderr?.resume();
    await started.ended;
  });

  it('is plain text on a terminal, without control characters', () => {
    const line = JSON.stringify({
      level: 'warn',
      time: '2026-01-02T03:04:05.678Z',
      requestId: 'a1',
      status: 502,
      message: 'It failed \u001b[2J.',
    });
    const formatted = '2026-01-02T03:04:05.678Z warn It failed ?[2J. (requestId a1, status 502)\n';
    assert.equal(formatLine(line), formatted);
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
    const DIST_DIR = await temporaryFolder();
    await cp(await sampleRelease(), DIST_DIR, { recursive: true, verbatimSymlinks: true });
    const env = await serverSettings({ DIST_DIR });
    const { key } = await Accounts.createIn(env, 'roomy');
    const started = await startServer('gateway', env);
    await truncate(await bodyPath(DIST_DIR, 'neet/2024/2024-01-01-s1/physics.json'), 5);
    const response = await rawGet(started.origin, questions, [`Authorization: Bearer ${key}`]);
    const [line = {}, ...more] = await logOf(started);
    assert.deepEqual([response.status, response.body], [500, '{"error":"Internal server error"}']);
    const { level, requestId, route, account, keyId, error } = line;
    assert.deepEqual(
      [level, requestId, route, more],
      ['error', response.headers['x-request-id'], 'file', []],
    );
    assert.match(String(account), /^acc_/);
    assert.match(String(keyId), /^key_/);
    assert.match((error as Error).message, /objects\/\S+ does not match its checksum/);
    assert.match((error as Error).stack ?? '', /\n\s+at /);
  });

  it('is the one of a trusted proxy if it sends a valid one, and generated otherwise', async () => {
    const started = await withoutService({ TRUST_PROXY: 'loopback' });
    const ids: (string | undefined)[] = [];
    for (const sent of [validId, `${validId}x`, 'a b']) {
      const { headers } = await askWith(started, `X-Request-Id: ${sent}`);
      const id = headers['x-request-id'] ?? '';
      if (sent === validId) assert.equal(id, sent);
      else assert.match(id, generatedId, sent);
      ids.push(id);
    }
    const logged = (await logOf(started)).flatMap(({ requestId }) => requestId ?? []);
    assert.deepEqual(logged, ids);
  });
});

describe('At LOG_LEVEL=debug', () => {
  it('each request is logged with its resource, account and key id', async () => {
    const env = await serverSettings({ LOG_LEVEL: 'debug' });
    const { key } = await Accounts.createIn(env, 'roomy');
    const started = await startServer('gateway', env);
    await rawGet(started.origin, `${questions}?a=b`, [`Authorization: Bearer ${key}`]);
    await rawGet(started.origin, '/neet/2024/s9/physics.json', [`Authorization: Bearer ${key}`]);
    await rawGet(started.origin, '/docs/');
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
    assert.deepEqual(
      [missing['status'], missing['shift'], missing['account']],
      [404, undefined, account],
    );
    assert.deepEqual([page['path'], page['account']], ['docs', undefined]);
  });

  it('no key, password, cookie, header or query is logged', async () => {
    const env = await serverSettings({
      LOG_LEVEL: 'debug',
      INTROSPECTION_SECRET: `hidden-from-${randomBytes(16).toString('hex')}`,
    });
    const { key } = await Accounts.createIn(env, 'free');
    const started = await startServer('gateway', env);
    const bearer = `Authorization: Bearer ${key}`;
    const requests: readonly (readonly [path: string, ...headers: string[]])[] = [
      ...[1, 2, 3, 4].map(() => [questions, bearer] as const),
      [questions, `Authorization: Basic ${key}`],
      [questions, `${bearer}x`],
      [questions, `Cookie: key=${key}`, `X-Api-Key: ${key}`, `Referer: https://host/${key}`],
      [`${questions}?key=${key}`, bearer],
      [`/neet/2024/s1/${key}`, bearer],
      ...[`/neet/2024/${key}`, `//${key}`, `http://${key}/neet`].map((path) => [path] as const),
    ];
    const statuses: number[] = [];
    for (const [path, ...headers] of requests)
      statuses.push((await rawGet(started.origin, path, headers)).status);
    await fetch(`${started.origin}/auth/introspect`, {
      method: 'POST',
      headers: { Authorization: 'Bearer hidden-from-all-who-are-no-gateway' },
      body: new URLSearchParams({ token: key }),
    });
    const person = newUser();
    const ada = await signedIn(`${started.origin}/auth`, person);
    const { key: own } = (await ada.post('keys', { name: 'laptop', expiresIn: null })).body;
    await rawGet(started.origin, questions, [`Authorization: Bearer ${own}`]);
    const { stdout, stderr } = await started.stop();
    assert.ok(
      [200, 429, 401, 403, 400].every((status) => statuses.includes(status)),
      statuses.join(),
    );
    assert.ok(stderr.split('\n').length > statuses.length, 'each request is logged');
    assert.doesNotMatch(stderr, /Bearer|Cookie|pfx_/i);
    for (const secret of [
      key,
      own,
      person.password,
      person.email,
      'hidden-from',
      ...ada.cookies.values(),
    ])
      assert.ok(!(stdout + stderr).includes(secret), `${secret} in\n${stderr}`);
  });
});

it('The throttled logger writes at most a hundred lines a second, and the number of dropped lines', () => {
  let elapsed = 0;
  const lines: string[] = [];
  const log = throttledLogger((message) => lines.push(message), { elapsed: () => elapsed });
  for (let times = 0; times < 250; times += 1) log('It failed.');
  assert.equal(lines.length, 100);
  elapsed = 1000;
  log('It failed again.');
  assert.deepEqual(lines.slice(100), [
    '150 more lines like these were omitted.',
    'It failed again.',
  ]);
});
