import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Bank, score } from '../../../build/client/client.ts';
import { repository } from '../../gateway/started-process.ts';
import { temporaryFolder } from '../bank-folder.ts';
import scored from '../site/scored.json' with { type: 'json' };
import { type ProxyAction, startFaultProxy } from './fault-proxy.ts';
import { below, mirrorFiles, pullHere, serve, smallBank } from './served-bank.ts';

const python = 'python3';
const isMissing = spawnSync(python, ['--version']).status !== 0;

describe('The client for Python', { skip: isMissing && 'There is no Python.' }, async () => {
  const bank = await smallBank();
  const fuller = await serve(bank);
  await bank.remove('neet/2024/2024-01-01-s1');
  const { url, files } = await serve(bank, fuller);
  const { key } = await fuller.running.createKey('reader');
  const proxy = await startFaultProxy(url);
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

  const { questions, responses } = scored;
  const seeds = [...Array.from({ length: 20 }, (_, seed) => seed), 'Übung'];
  const read = await run(`
def error_of(work):
    try:
        work()
    except PastpaperError as error:
        return [error.code, str(error)]
def selected(bank):
    return [[q["id"] for q in bank.select(exam="neet", count=10, seed=seed)] for seed in [*range(20), "Übung"]]
bank, local = Bank.open(address), Bank.open(folder)
paper = bank.paper("neet/2026/s1/physics")
question = bank.question("neet-2026-01-01-s1-physics-03")
scored = json.loads(${JSON.stringify(JSON.stringify(scored))})
print(json.dumps({
    "api": selected(bank), "mirror": selected(local),
    "easy": [q["id"] for q in local.select(exam="neet", years=[2026], subject="physics", difficulty=["easy"])],
    "paper": paper, "isSame": question == paper["questions"][2], "papers": len(bank.papers("neet")),
    "diagrams": bank.media(question)["diagram"],
    "scores": score(question, question["answer"]) == bank.score(question, question["answer"]),
    "marks": [[score(q, r) for r in scored["responses"]] for q in scored["questions"]],
    "errors": [error_of(work) for work in [
        lambda: bank.paper("neet/2026/s9/physics"), lambda: bank.papers("neet/1999"), lambda: bank.question("x"),
        lambda: Bank.open("/no/folder"), lambda: Bank.open(address, key="pfx_x").paper("neet/2026/s1/physics"),
        lambda: Bank.open(address, key="a b"), lambda: Bank.open(b"x")]]}))`);

  it('selects the same questions as that for JavaScript, from the API and from a mirror', async () => {
    const bank = await Bank.open(mirror);
    const idsOf = async (criteria: Parameters<typeof bank.select>[0]) =>
      (await bank.select(criteria)).map(({ id }) => id);
    const expected = [];
    for (const seed of seeds) expected.push(await idsOf({ exam: 'neet', count: 10, seed }));
    assert.deepEqual([read.api, read.mirror], [expected, expected]);
    const easy = { exam: 'neet', years: [2026], subject: 'physics', difficulty: ['easy'] } as const;
    assert.deepEqual(read.easy, await idsOf(easy));
  });

  it('reads papers, questions and diagrams, and scores', () => {
    const path = 'neet/2026/2026-01-01-s1';
    assert.deepEqual(read.paper, JSON.parse(String(files.get(`${path}/physics.json`))));
    const papers = [...below('neet', files).keys()].filter((file) => file.endsWith('.json'));
    assert.deepEqual([read.isSame, read.papers, read.scores], [true, papers.length, true]);
    const graph = 'neet-2026-01-01-s1-physics-03-graph.svg';
    const bytes = files.get(`${path}/diagrams/${graph}`)?.toString('base64');
    assert.deepEqual(read.diagrams, { [graph]: `data:image/svg+xml;base64,${bytes}` });
  });

  it('raises errors with a code and a sentence that says what to do', () => {
    assert.deepEqual(
      read.errors.map(([code]: [string]) => code),
      ['not-found', 'not-found', 'not-found', 'input', 'key', 'key', 'damaged'],
    );
    for (const [, message] of read.errors) assert.match(message, /\.$/);
  });

  it('gives the marks that the client for JavaScript gives', () => {
    const expected = (questions as unknown as Parameters<typeof score>[0][]).map((question) =>
      responses.map((response) => score(question, response)),
    );
    assert.deepEqual(read.marks, expected);
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
    const { downloaded, problem } = await pullHere(proxy.url, 'neet/2026', folder, { key });
    assert.deepEqual([downloaded.papers, problem], [0, '']);
  });

  it('continues with other packs if one is damaged, and with the next round if one is missing', async () => {
    const folder = await temporaryFolder();
    const program = `
import pastpaper
pastpaper.random.random = lambda: 0
try:
    print(json.dumps(Bank.open(address).sync(folder, exam="jeemain")["papers"]))
except PastpaperError as error:
    print(json.dumps([error.code, str(error)]))`;
    const damaged = 'jeemain/2026/2026-01-01-s1';
    proxy.intercept((path) =>
      path === '/jeemain/2026/all.zip' || path === `/${damaged}.zip` ? status(500) : undefined,
    );
    const [code, message] = await run(program, folder);
    assert.equal(code, 'unavailable');
    assert.match(message, /2026-01-01-s1\.zip: status 500/);
    const expected = below('jeemain', files);
    for (const path of below(damaged, files).keys()) expected.delete(path);
    assert.deepEqual(await mirrorFiles(folder), expected);
    let isMissing = true;
    proxy.intercept((path) => {
      if (!isMissing || !path.endsWith('.zip')) return undefined;
      isMissing = false;
      return status(404);
    });
    await run(program, folder);
    assert.deepEqual(await mirrorFiles(folder), below('jeemain', files));
    proxy.intercept((path) => (path.endsWith('/questions.json') ? status(404) : undefined));
    const select = program.replace('.sync(folder, exam="jeemain")["papers"]', '.select(count=1)');
    assert.equal((await run(select))[0], 'not-found');
    proxy.intercept(() => undefined);
  });

  it('removes what the service no longer has', async () => {
    const folder = await temporaryFolder();
    await pullHere(fuller.url, 'neet/2024', folder, { key });
    const program = `print(json.dumps(Bank.open(address).sync(folder, exam="neet", years=[2024])))`;
    const { removed } = await run(program, folder);
    assert.deepEqual(await mirrorFiles(folder), below('neet/2024', files));
    assert.equal(removed, below('neet/2024', fuller.files).size - below('neet/2024', files).size);
  });
});

function status(code: number): ProxyAction {
  return { kind: 'respond', response: { status: code } };
}
