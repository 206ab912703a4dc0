import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { temporaryFolder } from '../bank-folder.ts';
import { type ProxyAction, startFaultProxy } from './fault-proxy.ts';
import {
  below,
  mirrorFiles,
  type PullRun,
  problemsOf,
  pullHere,
  pullStart,
  serve,
  smallBank,
} from './served-bank.ts';

const shift = 'neet/2024/2024-01-01-s1';
const physics = `/${shift}/physics.json`;
const graph = `/${shift}/diagrams/neet-2024-01-01-s1-physics-02-graph.svg`;

const service = await serve(await smallBank());
const { key } = await service.running.createKey('reader');
const proxy = await startFaultProxy(service.url);
after(() => proxy.close());
const whole = below('neet/2024', service.files);

let folder: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  proxy.requests.length = 0;
});

describe('A temporary fault is retried, and the mirror is complete', () => {
  const passing: Readonly<Record<string, ProxyAction>> = {
    'a connection that breaks before the response': { kind: 'cut' },
    'a connection that breaks within the response': { kind: 'cut within' },
    'a body with other bytes': {
      kind: 'change',
      change: (body) => Buffer.from(body).fill('x', 40, 60),
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
      assert.deepEqual(problemsOf(await pullNeet()), []);
      assert.deepEqual(await mirrorFiles(folder), whole);
      for (const [path, statuses] of statusesByPath())
        assert.ok(statuses.length >= 2 || path.endsWith('.zip'), `${path}: ${statuses}`);
    });
  }

  it('the statuses of a service or host that is busy, one after the other', async () => {
    const busy = [408, 429, 500, 502, 503, 504];
    for (const path of ['/neet/2024', physics, graph]) {
      const left = [...busy];
      folder = await temporaryFolder();
      proxy.requests.length = 0;
      proxy.intercept((asked) => {
        const code = asked === path ? left.shift() : undefined;
        return code === undefined ? undefined : status(code);
      });
      assert.deepEqual(problemsOf(await pullNeet()), []);
      assert.deepEqual(statusesByPath().get(path)?.slice(0, 7), [...busy, 200], path);
    }
  });
});

describe('The retry delay', () => {
  it('respects Retry-After, in seconds or as a date', async () => {
    for (const [retryAfter, least] of [
      ['7', 7000],
      [new Date(pullStart + 60_000).toUTCString(), 50_000],
    ] as const) {
      for (const path of ['/neet/2024', physics, graph]) {
        folder = await temporaryFolder();
        proxy.intercept(times(1, status(429, { 'retry-after': retryAfter }), path));
        const { end, delays } = await pullNeet();
        assert.equal(end.kind, 'complete');
        const waited = delays.reduce((sum, time) => sum + time, 0);
        assert.ok(waited >= least, `${path}: ${delays}`);
      }
    }
  });

  it('grows with each attempt up to a bound, and is reported', async () => {
    proxy.intercept(times(7, status(502), '/neet/2024'));
    const { end, delays, notes } = await pullNeet();
    assert.equal(end.kind, 'complete');
    // With half of the jitter range.
    assert.deepEqual(delays.slice(0, 7), [500, 1000, 2000, 4000, 8000, 15_000, 15_000]);
    assert.equal(notes[0], `${proxy.url}/neet/2024: status 502. Attempt 2 of 8 in 1 s.`);
  });

  it('is bounded: a 503 or 429 with a Retry-After of hours ends the pull, and says when to retry', async () => {
    for (const code of [429, 503]) {
      for (const path of ['/neet/2024', physics]) {
        proxy.intercept(times(99, status(code, { 'retry-after': '7200' }), path));
        const problems = problemsOf(await pullNeet());
        assert.equal(problems.length, 1);
        assert.match(problems[0] ?? '', /\d{4}-\d\d-\d\d \d\d:\d\d UTC, in 2 h/);
        assert.match(problems[0] ?? '', /Try again then\.$/);
      }
    }
    assert.deepEqual(
      new Set([...statusesByPath().values()].map((all) => all.length <= 6)),
      new Set([true]),
    );
  });
});

describe('A permanent fault', () => {
  it('ends the pull after a bounded number of attempts if no request succeeds', async () => {
    for (const action of [status(502), { kind: 'cut' }] as const) {
      proxy.requests.length = 0;
      proxy.intercept(() => action);
      const problems = problemsOf(await pullNeet());
      assert.equal(problems.length, 1);
      assert.match(
        problems[0] ?? '',
        /Tried 8 times in \d+ s\. Is that the address of the service, and is it up\?/,
      );
      assert.equal(proxy.requests.length, 8);
    }
  });

  it('of every shift ends the pull after three shifts', async () => {
    proxy.intercept((path) => (path.split('/').length > 3 ? status(500) : undefined));
    const problems = problemsOf(await pullHere(proxy.url, 'neet', folder, { key }));
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', /\.zip: status 500\. Tried 8 times in .*, and is it up\?/);
  });

  it('of one file does not stop the others', async () => {
    for (const action of [
      status(500),
      { kind: 'change', change: () => Buffer.from('{}') },
    ] as const) {
      proxy.requests.length = 0;
      folder = await temporaryFolder();
      proxy.intercept((path) => (path === graph || path === physics ? action : undefined));
      const problems = problemsOf(await pullNeet());
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? '', /physics\.json: .* Tried 8 times/);
      assert.ok((await mirrorFiles(folder)).has(`${shift}/biology.json`));
      proxy.intercept(() => undefined);
      assert.equal((await pullNeet()).end.kind, 'complete');
    }
  });

  it('of a diagram that does not match its checksum names the file, and keeps the rest', async () => {
    proxy.intercept((path) =>
      path === graph ? { kind: 'change', change: () => Buffer.from('<svg/>') } : undefined,
    );
    assert.deepEqual(problemsOf(await pullNeet()), [
      `${graph.slice(1)}: it does not match the checksum in its paper.`,
    ]);
    const files = await mirrorFiles(folder);
    assert.deepEqual(files, new Map([...whole].filter(([path]) => path !== graph.slice(1))));
    assert.equal(statusesByPath().get(graph)?.length, 7);
  });

  it('of the address, such as an unknown name or a refused connection, is reported', async () => {
    const unknown = await pullHere('http://nowhere.invalid', 'neet', folder, { key });
    assert.match(
      problemsOf(unknown)[0] ?? '',
      /its host name (does not exist|could not be resolved)/,
    );
    const refused = await pullHere('http://127.0.0.1:2', 'neet', folder, { key });
    assert.match(problemsOf(refused)[0] ?? '', /the connection was refused. Tried 8 times/);
  });
});

describe('A response that a retry does not change is requested once', () => {
  it('401 and 403 end the pull, and explain what is wrong with the key', async () => {
    for (const [code, words] of [
      [401, /does not recognize the API key as a key \(401\)\. Use the whole key/],
      [403, /the API key is unknown, revoked or expired \(403\)\. Create a new one/],
    ] as const) {
      proxy.requests.length = 0;
      proxy.intercept((path) => (path.split('/').length > 3 ? status(code) : undefined));
      const problems = problemsOf(await pullNeet());
      assert.match(problems.join(), words);
      assert.equal(proxy.requests.filter(({ status }) => status === code).length, 1);
    }
  });

  it('an unknown exam or year is reported with the available years', async () => {
    proxy.intercept(() => undefined);
    const [exam, year] = await Promise.all(
      ['gate', 'neet/1999'].map((what) => pullHere(proxy.url, what, folder, { key })),
    );
    assert.match(exam ? problemsOf(exam).join() : '', /the service has no gate \(404\)/);
    assert.match(
      year ? problemsOf(year).join() : '',
      /neet has no year 1999. Its years: 2026, 2024\.$/,
    );
    assert.equal(proxy.requests.length, 3);
  });

  it('a missing paper or diagram is reported, and the others are downloaded', async () => {
    for (const missing of [physics, graph]) {
      proxy.requests.length = 0;
      folder = await temporaryFolder();
      proxy.intercept((path) => (path === missing ? status(404) : undefined));
      assert.deepEqual(problemsOf(await pullNeet()), [
        `${missing.slice(1)}: the service lists it, but does not have it (404).`,
      ]);
      assert.deepEqual(statusesByPath().get(missing), [404]);
      assert.ok((await mirrorFiles(folder)).has(`${shift}/chemistry.json`));
    }
  });

  it('an unexpected status ends the pull', async () => {
    for (const code of [204, 304, 410]) {
      proxy.intercept((path) => (path === physics ? status(code) : undefined));
      assert.match(
        problemsOf(await pullNeet()).join(),
        new RegExp(`responded with status ${code}`),
      );
    }
  });
});

function pullNeet(): Promise<PullRun> {
  return pullHere(proxy.url, 'neet/2024', folder, { key });
}

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

function statusesByPath(): ReadonlyMap<string, readonly (number | undefined)[]> {
  const paths = new Map<string, (number | undefined)[]>();
  for (const { path, status } of proxy.requests)
    paths.set(path, [...(paths.get(path) ?? []), status]);
  return paths;
}
