import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { temporaryFolder } from '../bank-folder.ts';
import { type ProxyAction, startFaultProxy } from './fault-proxy.ts';
import { below, mirrorFiles, pullHere, serve, smallBank } from './served-bank.ts';

const metadata = '/neet/2024';
const pack = '/neet/2024/all.zip';

const service = await serve(await smallBank('neet'));
const { key } = await service.running.createKey('reader');
const proxy = await startFaultProxy(service.url);
after(() => proxy.close());
const whole = below('neet/2024', service.files);

let folder: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  proxy.requests.length = 0;
});

const pull = (what = 'neet/2024') => pullHere(proxy.url, what, folder, { key });

describe('A temporary fault is retried, and the mirror is complete', () => {
  const passing: Readonly<Record<string, ProxyAction>> = {
    'a connection that breaks before the response': { kind: 'cut' },
    'a connection that breaks within the response': { kind: 'cut within' },
    'a body with other bytes': {
      kind: 'change',
      change: (body) => Buffer.from(body).fill('x', 40, 60).subarray(0, -1),
    },
    'a body that does not decode': {
      kind: 'respond',
      response: {
        status: 200,
        headers: { 'content-encoding': 'br' },
        body: Buffer.from('no brotli'),
      },
    },
  };
  for (const [name, action] of Object.entries(passing)) {
    it(`${name}, for each resource`, async () => {
      proxy.intercept(times(1, action));
      assert.equal((await pull()).problem, '');
      assert.deepEqual(await mirrorFiles(folder), whole);
      for (const path of [metadata, pack]) assert.ok(statusesOf(path).length >= 2, path);
    });
  }

  it('the statuses of a service or host that is busy, one after the other', async () => {
    const busy = [408, 429, 500, 502, 503, 504];
    for (const path of [metadata, pack]) {
      const left = [...busy];
      folder = await temporaryFolder();
      proxy.requests.length = 0;
      proxy.intercept((asked) => {
        const code = asked === path ? left.shift() : undefined;
        return code === undefined ? undefined : status(code);
      });
      assert.equal((await pull()).problem, '');
      assert.deepEqual(statusesOf(path).slice(0, 7), [...busy, 200], path);
    }
  });
});

describe('The retry delay', () => {
  it('respects Retry-After', async () => {
    for (const path of [metadata, pack]) {
      folder = await temporaryFolder();
      proxy.intercept(times(1, status(429, { 'retry-after': '7' }), path));
      const { problem, delays } = await pull();
      assert.equal(problem, '');
      assert.ok(delays.reduce((sum, time) => sum + time, 0) >= 7000, `${path}: ${delays}`);
    }
  });

  it('grows with each attempt up to a bound, and is reported', async () => {
    proxy.intercept(times(7, status(502), metadata));
    const { problem, delays, notes } = await pull();
    assert.equal(problem, '');
    // With half of the jitter range.
    assert.deepEqual(delays.slice(0, 7), [500, 1000, 2000, 4000, 8000, 15_000, 15_000]);
    assert.equal(notes[0], `${proxy.url}/neet/2024: status 502. Attempt 2 of 8 in 1 s.`);
  });

  it('is bounded: a 503 or 429 with a Retry-After of hours ends the sync, and says when to retry', async () => {
    for (const code of [429, 503])
      for (const path of [metadata, pack]) {
        proxy.intercept(times(99, status(code, { 'retry-after': '7200' }), path));
        const { problem } = await pull();
        assert.match(problem, /\d{4}-\d\d-\d\d \d\d:\d\d UTC, in 2 h\. Try again then\.$/);
      }
    assert.ok(proxy.requests.length <= 8);
  });
});

describe('A permanent fault', () => {
  it('ends the sync after a bounded number of attempts if no request succeeds', async () => {
    for (const action of [status(502), { kind: 'cut' }] as const) {
      proxy.requests.length = 0;
      proxy.intercept(() => action);
      const { problem } = await pull();
      assert.match(problem, /Tried 8 times in \d+ s\. Is that the address of the service, and is/);
      assert.equal(proxy.requests.length, 8);
    }
  });

  it('of the pack of a year leads to those of its shifts', async () => {
    proxy.intercept((path) => (path === pack ? status(500) : undefined));
    assert.equal((await pull()).problem, '');
    assert.deepEqual(await mirrorFiles(folder), whole);
  });

  it('of one pack is reported, and does not stop the others', async () => {
    const damaged = '/neet/2026/2026-01-01-s1.zip';
    for (const action of [status(500), { kind: 'cut within' }] as const) {
      folder = await temporaryFolder();
      proxy.intercept((path) => (path === damaged ? action : undefined));
      assert.match((await pull('neet')).problem, /2026-01-01-s1\.zip: .* Tried 8 times/);
      assert.deepEqual(await mirrorFiles(folder), whole);
    }
  });

  it('of three packs in a row ends the sync', async () => {
    proxy.intercept((path) => (path.endsWith('.zip') ? status(500) : undefined));
    assert.match((await pull('neet')).problem, /-s1\.zip: status 500\. Tried 8 times/);
    assert.equal(proxy.requests.filter(({ path }) => path.endsWith('.zip')).length, 24);
  });

  it('of a pack that the service lists, but does not have, is reported', async () => {
    proxy.intercept((path) => (path.endsWith('.zip') ? status(404) : undefined));
    const { problem } = await pull();
    assert.match(problem, /-s1\.zip: the service lists it, but does not have it \(404\)\.$/);
  });

  it('of the address, such as an unknown name or a refused connection, is reported', async () => {
    const unknown = await pullHere('http://nowhere.invalid', 'neet', folder, { key });
    assert.match(unknown.problem, /ENOTFOUND.*Is that the address|EAI_AGAIN/);
    const refused = await pullHere('http://127.0.0.1:2', 'neet', folder, { key });
    assert.match(refused.problem, /ECONNREFUSED.* Tried 8 times/);
  });
});

describe('A response that a retry does not change is requested once', () => {
  it('401 and 403 end the sync, and explain what is wrong with the key', async () => {
    for (const [code, words] of [
      [401, /does not recognize the API key as a key \(401\)\. Use the whole key/],
      [403, /the API key is unknown, revoked or expired \(403\)\. Create a new one/],
    ] as const) {
      proxy.requests.length = 0;
      proxy.intercept((path) => (path.endsWith('.zip') ? status(code) : undefined));
      assert.match((await pull()).problem, words);
      assert.deepEqual(statusesOf(pack), [code]);
    }
  });

  it('an unknown exam or year is reported with the available years', async () => {
    proxy.intercept(() => undefined);
    assert.match((await pull('gate')).problem, /the service has no gate \(404\)/);
    assert.match((await pull('neet/1999')).problem, /has no year 1999. Its years: 2026, .*2024/);
    assert.equal(proxy.requests.length, 3);
  });

  it('an unexpected status ends the sync', async () => {
    for (const code of [204, 304, 410]) {
      proxy.intercept((path) => (path === pack ? status(code) : undefined));
      assert.match((await pull()).problem, new RegExp(`responded with status ${code}`));
    }
  });
});

function status(code: number, headers: Readonly<Record<string, string>> = {}): ProxyAction {
  return { kind: 'respond', response: { status: code, headers } };
}

/** Applies an action to the first requests for each path, or for one path. */
function times(
  count: number,
  action: ProxyAction,
  only?: string,
): (path: string) => ProxyAction | undefined {
  const left = new Map<string, number>();
  return (path) => {
    const before = left.get(path) ?? 0;
    left.set(path, before + 1);
    return before < count && (only === undefined || path === only) ? action : undefined;
  };
}

function statusesOf(path: string) {
  return proxy.requests.filter((request) => request.path === path).map(({ status }) => status);
}
