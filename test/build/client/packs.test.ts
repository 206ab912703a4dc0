import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { zipSync } from 'fflate';
import { Bank } from '../../../build/client/client.ts';
import { connect } from '../../../build/client/connection.ts';
import { systemClock } from '../../../build/client/rate-limit.ts';
import { synchronize } from '../../../build/client/sync.ts';
import { temporaryFolder } from '../bank-folder.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { below, mirrorFiles, problemsOf, pullHere, serve, smallBank } from './served-bank.ts';

const bank = await smallBank('neet');
const first = await serve(bank);
const shift = 'neet/2024/2024-03-01-s1';
await bank.set(`${shift}/biology.json`, '/questions/4/topic', 'Plant Physiology');
const changed = await serve(bank, first);
const { key } = await first.running.createKey('reader');
const proxy = await startFaultProxy(first.url, '', true);
after(() => proxy.close());

let folder: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  proxy.setUpstream(first.url);
  proxy.intercept(() => undefined);
  proxy.requests.length = 0;
});

const requested = () => proxy.requests.splice(0).map(({ path }) => path);
const pull = (scope: string) => pullHere(proxy.url, scope, folder, { key });

describe('A sync of a service with packs', () => {
  it('mirrors NEET 2026 with three requests, one of which counts, and again with one when nothing changed', async () => {
    const opened = await Bank.open(proxy.url, { key });
    const result = await opened.sync(folder, { exam: 'neet', years: [2026] });
    assert.deepEqual(requested(), ['/neet/2026', '/neet/2026/2026-01-01-s1.zip', '/neet/2026']);
    assert.deepEqual(await mirrorFiles(folder), below('neet/2026', first.files));
    assert.equal(result.downloaded.papers, result.papers);
    await opened.sync(folder, { exam: 'neet', years: [2026] });
    assert.deepEqual(requested(), ['/neet/2026']);
  });

  it('requests the pack of a shift that changed, and writes only what differs', async () => {
    await pull('neet/2024');
    requested();
    proxy.setUpstream(changed.url);
    const { papers, diagrams } = await pull('neet/2024');
    assert.deepEqual(requested(), ['/neet/2024', `/${shift}.zip`, '/neet/2024']);
    assert.deepEqual([papers, diagrams], [1, 0]);
    assert.deepEqual(await mirrorFiles(folder), below('neet/2024', changed.files));
  });

  it('unpacks a pack that was stored before it was interrupted, without another request', async () => {
    await pull('neet/2026');
    const pack = zipSync(Object.fromEntries(below('neet/2026', first.files)));
    for (const path of below('neet/2026', first.files).keys())
      if (path.endsWith('.json')) await rm(join(folder, path));
    await writeFile(join(folder, '.pull-pack.zip'), pack);
    requested();
    assert.deepEqual(problemsOf(await pull('neet/2026')), []);
    assert.deepEqual(requested(), ['/neet/2026', '/neet/2026']);
    assert.deepEqual(await mirrorFiles(folder), below('neet/2026', first.files));
  });

  it('ends complete after interruptions at 25 moments, with no request for what was stored', async () => {
    let packs = 0;
    // Each attempt ends at another write to the file system, or at a request.
    for (let moment = 0; moment < 25; moment += 1) {
      const stop = new Error('interrupted');
      let left = moment;
      const tick = () => {
        left -= 1;
        if (left < 0) throw stop;
      };
      const clock = { ...systemClock, sleep: async () => undefined };
      const connection = connect({
        baseUrl: proxy.url,
        key,
        fetch: async (...args) => {
          tick();
          return fetch(...args);
        },
        clock,
        timeout: 30_000,
        note: () => undefined,
      });
      const settings = {
        exam: 'neet',
        years: [2026],
        verify: () =>
          new Proxy(new Set<string>(), {
            get: (_, name) =>
              name === 'has'
                ? () => {
                    tick();
                    return true;
                  }
                : undefined,
          }),
      };
      proxy.intercept((path) =>
        path === '/docs/checksums.txt' ? { kind: 'respond', response: { status: 200 } } : undefined,
      );
      await synchronize(connection, folder, settings).catch((error: Error) =>
        assert.equal(error, stop),
      );
      packs += requested().filter((path) => path.endsWith('.zip')).length;
    }
    await pull('neet/2026');
    assert.deepEqual(await mirrorFiles(folder), below('neet/2026', first.files));
    assert.ok(packs <= 25);
  });

  it('writes nothing of a pack that does not match the metadata, or lies outside the mirror', async () => {
    const files = Object.fromEntries(below('neet/2026', first.files));
    const path = Object.keys(files).find((file) => file.endsWith('.json')) ?? '';
    const wrong = { ...files, [path]: Buffer.from('{}'), '../outside.json': Buffer.from('x') };
    proxy.intercept((requestedPath) =>
      requestedPath.endsWith('.zip')
        ? { kind: 'respond', response: { status: 200, body: Buffer.from(zipSync(wrong)) } }
        : undefined,
    );
    const [problem = ''] = problemsOf(await pull('neet/2026'));
    assert.match(problem, /does not conform|not for|do not match/);
    assert.deepEqual([...(await mirrorFiles(folder)).keys()], []);
    await assert.rejects(readFile(join(folder, '../outside.json')));
  });
});

it('SHA-256 of the client is that of Node.js, at every length', async () => {
  const { sha256Of } = await import('../../../build/client/checksums.ts');
  for (let length = 0; length < 200; length += 1) {
    const bytes = Buffer.alloc(length, length);
    assert.equal(sha256Of(bytes), createHash('sha256').update(bytes).digest('hex'));
  }
});
