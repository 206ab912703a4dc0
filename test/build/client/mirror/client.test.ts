import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Bank } from '../../../../build/client/client.ts';
import { temporaryFolder } from '../../bank-folder.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { pullHere, serve } from './served-bank.ts';

it('The client reads the same papers and diagrams from the API and from a mirror, each file once', async (t) => {
  const { running, url, files } = await serve();
  const { key } = await running.createKey('reader');
  const proxy = await startFaultProxy(url);
  t.after(() => proxy.close());
  const folder = await temporaryFolder();
  await pullHere(url, 'neet', folder, { key });
  const papers = [...files.keys()]
    .flatMap((path) => /^neet\/.*(?=\.json$)/.exec(path) ?? [])
    .sort();
  const path = 'neet/2024/2024-01-01-s1/physics';
  const graph = 'neet-2024-01-01-s1-physics-02-graph.svg';
  for (const source of [proxy.url, folder]) {
    const bank = new Bank(source, key);
    assert.deepEqual(await bank.papers('neet'), papers);
    const paper = await bank.paper(path);
    assert.deepEqual(paper, JSON.parse(String(files.get(`${path}.json`))));
    assert.deepEqual(await bank.paper(path), paper);
    assert.deepEqual(
      await bank.diagram(paper, graph),
      files.get(`neet/2024/2024-01-01-s1/diagrams/${graph}`),
    );
    await assert.rejects(bank.paper(`${path}/../x`), /is not the path of a paper or diagram/);
    await assert.rejects(bank.papers('../..'), /"\.\.\/\.\." is not an exam or a year of one/);
  }
  const requested = proxy.requests
    .map((request) => request.path)
    .filter((one) => one.split('/').length > 3);
  assert.deepEqual(requested, [`/${path}.json`, `/neet/2024/2024-01-01-s1/diagrams/${graph}`]);
  await assert.rejects(
    new Bank(url, key).paper(path.replace('physics', 'art')),
    /art\.json does not exist \(404\)/,
  );
});
