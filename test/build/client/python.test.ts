import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Bank, score } from '../../../build/client/client.ts';
import { repository } from '../../gateway/started-process.ts';
import { temporaryFolder } from '../bank-folder.ts';
import scored from '../site/scored.json' with { type: 'json' };
import { startFaultProxy } from './fault-proxy.ts';
import { below, mirrorFiles, pullHere, serve } from './served-bank.ts';

const python = 'python3';
const isMissing = spawnSync(python, ['--version']).status !== 0;

describe('The client for Python', { skip: isMissing && 'There is no Python.' }, async () => {
  const { running, url, files } = await serve();
  const { key } = await running.createKey('reader');
  const proxy = await startFaultProxy(url, '', true);
  after(() => proxy.close());
  const mirror = await temporaryFolder();
  await pullHere(proxy.url, 'neet', mirror, { key });

  /** Runs a program that has `address` and `folder`. @returns the JSON that it prints */
  async function run(program: string, folder = mirror) {
    const start = `import json, sys\nfrom pastpaper import *\naddress, folder = sys.argv[1:]\n`;
    const child = spawn(python, ['-c', `${start}${program}`, proxy.url, folder], {
      env: {
        ...process.env,
        API_KEY: key,
        PYTHONPATH: join(repository, 'build/client'),
        PYTHONDONTWRITEBYTECODE: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [output, errors] = await Promise.all([
      child.stdout.toArray(),
      child.stderr.toArray(),
      once(child, 'close'),
    ]);
    assert.equal(child.exitCode, 0, Buffer.concat(errors).toString());
    return JSON.parse(Buffer.concat(output).toString());
  }

  it('selects the same questions as that for JavaScript, from the API and from a mirror', async () => {
    const bank = await Bank.open(mirror);
    const seeds = Array.from({ length: 20 }, (_, seed) => seed);
    const expected = [];
    for (const seed of [...seeds, 'Übung'])
      expected.push((await bank.select({ exam: 'neet', count: 10, seed })).map(({ id }) => id));
    const program = (source: string) => `
bank = Bank.open(${source})
print(json.dumps([[q["id"] for q in bank.select(exam="neet", count=10, seed=seed)] for seed in [*range(20), "Übung"]]))`;
    for (const source of ['address', 'folder'])
      assert.deepEqual(await run(program(source)), expected);
    assert.deepEqual(
      await run(`
bank = Bank.open(folder)
print(json.dumps([q["id"] for q in bank.select(exam="neet", years=[2026], subject="physics", difficulty=["easy"])]))`),
      (
        await bank.select({ exam: 'neet', years: [2026], subject: 'physics', difficulty: ['easy'] })
      ).map(({ id }) => id),
    );
  });

  it('reads papers, questions and diagrams, and scores', async () => {
    const found = await run(`
bank = Bank.open(address)
paper = bank.paper("neet/2026/s1/physics")
question = bank.question("neet-2026-01-01-s1-physics-03")
print(json.dumps([paper, question == paper["questions"][2], len(bank.papers("neet")), bank.media(question)["diagram"],
    score(question, question["answer"]) == bank.score(question, question["answer"])]))`);
    const path = 'neet/2026/2026-01-01-s1';
    assert.deepEqual(found[0], JSON.parse(String(files.get(`${path}/physics.json`))));
    const papers = [...below('neet', files).keys()].filter((file) => file.endsWith('.json'));
    assert.deepEqual([found[1], found[2], found[4]], [true, papers.length, true]);
    const graph = 'neet-2026-01-01-s1-physics-03-graph.svg';
    const bytes = files.get(`${path}/diagrams/${graph}`)?.toString('base64');
    assert.deepEqual(found[3], { [graph]: `data:image/svg+xml;base64,${bytes}` });
  });

  it('mirrors a year with three requests, again with one, and continues what was interrupted', async () => {
    const folder = await temporaryFolder();
    const program = `print(json.dumps(Bank.open(address).sync(folder, exam="neet", years=[2026])))`;
    proxy.requests.length = 0;
    const first = await run(program, folder);
    assert.deepEqual(await mirrorFiles(folder), below('neet/2026', files));
    assert.equal(proxy.requests.length, 3);
    assert.equal(first.downloaded.papers, first.papers);
    await run(program, folder);
    assert.equal(proxy.requests.length, 4);
    // Another client continues the same mirror.
    const { papers, end } = await pullHere(proxy.url, 'neet/2026', folder, { key });
    assert.deepEqual([papers, end.kind], [0, 'complete']);
  });

  it('mirrors a service without packs, and removes what the service no longer has', async () => {
    const folder = await temporaryFolder();
    proxy.intercept((path) =>
      path.endsWith('.zip') ? { kind: 'respond', response: { status: 404 } } : undefined,
    );
    await run(
      `print(json.dumps(Bank.open(address).sync(folder, exam="neet", years=[2024])))`,
      folder,
    );
    proxy.intercept(() => undefined);
    assert.deepEqual(await mirrorFiles(folder), below('neet/2024', files));
  });

  it('raises errors with a code and a sentence that says what to do', async () => {
    const errors = await run(`
def error_of(work):
    try:
        work()
    except PastpaperError as error:
        return [error.code, str(error)]
bank = Bank.open(address)
print(json.dumps([error_of(work) for work in [
    lambda: bank.paper("neet/2026/s9/physics"), lambda: bank.papers("neet/1999"), lambda: bank.question("x"),
    lambda: Bank.open("/no/folder"), lambda: Bank.open(address, key="pfx_x").paper("neet/2026/s1/physics"),
    lambda: Bank.open(address, key="a b"), lambda: Bank.open(b"x")]]))`);
    assert.deepEqual(
      errors.map(([code]: [string]) => code),
      ['not-found', 'not-found', 'not-found', 'input', 'key', 'key', 'damaged'],
    );
    for (const [, message] of errors) assert.match(message, /\.$/);
  });

  it('gives the marks that the client for JavaScript gives', async () => {
    const { questions, responses } = scored;
    const expected = (questions as unknown as Parameters<typeof score>[0][]).map((question) =>
      responses.map((response) => score(question, response)),
    );
    const literal = JSON.stringify(JSON.stringify(scored));
    const marks = await run(`
scored = json.loads(${literal})
print(json.dumps([[score(q, r) for r in scored["responses"]] for q in scored["questions"]]))`);
    assert.deepEqual(marks, expected);
  });
});
