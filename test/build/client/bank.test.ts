import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Bank } from '../../../build/client/client.ts';
import { temporaryFolder } from '../bank-folder.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { below, pullHere, serve } from './served-bank.ts';

const { running, url, files } = await serve();
const { key } = await running.createKey('reader');
const proxy = await startFaultProxy(url);
after(() => proxy.close());
const folder = await temporaryFolder();
await pullHere(proxy.url, 'neet', folder, { key });
const pack = new Uint8Array(
  await (
    await fetch(`${proxy.url}/neet/2026/all.zip`, { headers: { authorization: `Bearer ${key}` } })
  ).arrayBuffer(),
);

const physics = 'neet/2026/2026-01-01-s1/physics';
const graph = 'neet-2026-01-01-s1-physics-03-graph.svg';

/** The requests that count. */
function protectedRequests(): readonly string[] {
  return proxy.requests
    .filter(({ headers }) => headers.authorization !== undefined)
    .map(({ path }) => path);
}

describe('A bank', () => {
  it('reads the same papers, questions and diagrams from the API and from a mirror, each file once', async () => {
    for (const source of [proxy.url, folder]) {
      proxy.requests.length = 0;
      const bank = await Bank.open(source, { key });
      const expected = [...below('neet', files).keys()]
        .flatMap((path) => /^neet\/.*(?=\.json$)/.exec(path) ?? [])
        .sort();
      assert.deepEqual((await bank.papers('neet')).sort(), expected);
      const paper = await bank.paper(physics);
      assert.deepEqual(paper, JSON.parse(String(files.get(`${physics}.json`))));
      assert.deepEqual(await bank.paper('neet/2026/s1/physics'), paper);
      const bytes = files.get(`neet/2026/2026-01-01-s1/diagrams/${graph}`);
      for (const owner of [paper, paper.questions[2]])
        assert.deepEqual(Buffer.from(await bank.diagram(owner ?? paper, graph)), bytes);
      const { diagram } = await bank.media(await bank.question(paper.questions[2]?.id ?? ''));
      assert.equal(diagram[graph], `data:image/svg+xml;base64,${bytes?.toString('base64')}`);
      if (source !== folder)
        assert.deepEqual(protectedRequests(), [
          `/${physics}.json`,
          `/neet/2026/2026-01-01-s1/diagrams/${graph}`,
        ]);
    }
  });

  it('lists exams, years and shifts, and finds a shift by any of its names', async () => {
    for (const source of [proxy.url, folder, pack]) {
      const bank = await Bank.open(source, { key });
      const exams = (await bank.exams()).map(({ exam }) => exam);
      assert.ok(exams.includes('neet'));
      assert.equal((await bank.years('neet'))[0], 2026);
      const [shift] = await bank.shifts('neet', 2026);
      const name = shift?.shift ?? '';
      assert.ok((shift?.total ?? 0) > 0);
      for (const alias of [name, 's1', name.slice(0, 7), name.slice(5, 10), name.slice(5)])
        assert.equal((await bank.paper(`neet/2026/${alias}/physics`)).shift, name);
    }
  });

  it('finds a question by its id with one request that counts', async () => {
    proxy.requests.length = 0;
    const bank = await Bank.open(proxy.url, { key });
    const question = await bank.question('neet-2024-03-01-s1-physics-01');
    assert.equal(question.id, 'neet-2024-03-01-s1-physics-01');
    assert.equal(await bank.question(question.id), question);
    assert.deepEqual(protectedRequests(), ['/neet/2024/2024-03-01-s1/physics.json']);
    assert.deepEqual(bank.place(question), {
      exam: 'neet',
      year: 2024,
      shift: '2024-03-01-s1',
      subject: 'physics',
    });
  });

  it('selects the same questions from the API and from a mirror, with one request for a year', async () => {
    const bank = await Bank.open(proxy.url, { key });
    const mirror = await Bank.open(folder);
    for (const selection of [
      { exam: 'neet', years: [2026], count: 20, seed: 7 },
      { exam: 'neet', subject: 'physics', difficulty: ['easy', 'medium'], count: 5, seed: 'a' },
      { exam: 'neet', years: [2026], type: 'numerical' },
    ]) {
      const ids = (await bank.select(selection)).map(({ id }) => id);
      assert.deepEqual(
        (await mirror.select(selection)).map(({ id }) => id),
        ids,
      );
      if (selection.count) assert.equal(ids.length, selection.count);
    }
    proxy.requests.length = 0;
    const fresh = await Bank.open(proxy.url, { key });
    await fresh.select({ exam: 'neet', years: [2026], count: 100, seed: 1 });
    assert.deepEqual(protectedRequests(), ['/neet/2026/all.zip']);
  });

  it('never repeats questions in 100 draws with except, and draws each equally often', async () => {
    const bank = await Bank.open(folder);
    const all = await bank.select({ exam: 'neet', years: [2026] });
    const topic = all[0]?.topic ?? '';
    const seen: string[] = [];
    for (let seed = 0; seed < 100; seed += 1)
      for (const { id } of await bank.select({
        exam: 'neet',
        years: [2026],
        count: 2,
        seed,
        except: seen,
      }))
        seen.push(id);
    assert.equal(new Set(seen).size, seen.length);
    const counts = new Map<string, number>();
    const draws = 400;
    for (let seed = 0; seed < draws; seed += 1)
      for (const { id } of await bank.select({
        exam: 'neet',
        years: [2026],
        topic,
        count: 1,
        seed,
      }))
        counts.set(id, (counts.get(id) ?? 0) + 1);
    const candidates = all.filter((one) => one.topic === topic).length;
    const expected = draws / candidates;
    const chiSquared = [...counts.values()].reduce(
      (sum, n) => sum + (n - expected) ** 2 / expected,
      0,
    );
    assert.equal(counts.size, candidates);
    // Far beyond what chance allows for so many degrees of freedom, and fixed by the seeds.
    assert.ok(chiSquared < candidates + 4 * Math.sqrt(2 * candidates), `${chiSquared}`);
  });

  it('lists changes since a release or a date, and the address for reports', async () => {
    const item = (id: string, date: string) => ({
      id,
      date_published: date,
      _pastpaper: { papers: [] },
    });
    const items = [item('r3', '2026-03-01T00:00:00Z'), item('r2', '2026-02-01T00:00:00Z')];
    const respond = (value: object) =>
      ({
        kind: 'respond',
        response: {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: Buffer.from(JSON.stringify(value)),
        },
      }) as const;
    const report = 'https://example.org/new?title={id}&file={file}&year={year}';
    proxy.intercept((path) => {
      if (path === '/changes.json') return respond({ items });
      return path === '/exams.json'
        ? respond({ exams: [{ exam: 'neet', label: 'NEET', years: [2024], url: '/neet' }], report })
        : undefined;
    });
    const bank = await Bank.open(proxy.url, { key });
    const ids = async (since?: string) => (await bank.changes({ since })).map(({ id }) => id);
    assert.deepEqual(await ids(), ['r3', 'r2']);
    assert.deepEqual(await ids('r2'), ['r3']);
    assert.deepEqual(await ids('2026-02-15'), ['r3']);
    await assert.rejects(ids('r1'), { code: 'not-found', message: /Run sync/ });
    const question = await bank.question('neet-2024-03-01-s1-physics-01');
    assert.equal(
      await bank.report(question),
      'https://example.org/new?title=neet-2024-03-01-s1-physics-01' +
        '&file=neet%2F2024%2F2024-03-01-s1%2Fphysics.json&year=2024',
    );
    proxy.intercept(() => undefined);
  });
});

describe('An error of the client', () => {
  it('has a code, and says what to do', async () => {
    const bank = await Bank.open(proxy.url, { key });
    const damaged = await temporaryFolder();
    await pullHere(url, 'neet/2026', damaged, { key });
    const file = join(damaged, `${physics}.json`);
    await writeFile(file, String(await readFile(file)).replace('easy', 'hard'));
    const cases: readonly (readonly [string, RegExp, () => Promise<unknown>])[] = [
      ['not-found', /"s9"\. Its shifts: 2026-01-01-s1\./, () => bank.paper('neet/2026/s9/physics')],
      ['not-found', /\(404\)\. The years of neet: 2026, /, () => bank.papers('neet/1999')],
      ['not-found', /gate does not exist \(404\)\. Check the exam code/, () => bank.papers('gate')],
      ['not-found', /no question "x"\. Check the id/, () => bank.question('x')],
      ['not-found', /art\.json does not exist \(404\)/, () => bank.paper('neet/2026/s1/art')],
      ['input', /"\.\.\/\.\." is not an exam/, () => bank.papers('../..')],
      ['input', /is not the path of a paper/, () => bank.paper(`${physics}/../x`)],
      ['input', /cannot be read as the folder of a mirror/, () => Bank.open('/no/folder')],
      ['input', /has no papers\. Open the address/, async () => Bank.open(await temporaryFolder())],
      ['damaged', /not a complete ZIP file/, () => Bank.open(pack.subarray(0, 999))],
      ['address', /is not the address of a service/, () => Bank.open('http://me:x@localhost')],
      ['key', /characters that no API key has/, () => Bank.open(url, { key: '"x"' })],
      [
        'key',
        /requires an API key\. Create one/,
        async () => (await Bank.open(url, { key: '' })).paper(physics),
      ],
      [
        'key',
        /unknown, revoked or expired \(403\)\. Create/,
        async () => (await Bank.open(url, { key: 'pfx_x' })).paper(physics),
      ],
      [
        'damaged',
        /do not match their checksum\. Run sync again/,
        async () => (await Bank.open(damaged)).paper(physics),
      ],
    ];
    for (const [code, message, run] of cases)
      await assert.rejects(run, { name: 'PastpaperError', code, message }, String(message));
  });
});
