import assert from 'node:assert/strict';
import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Manifest } from '../../../build/release/manifest.ts';
import { changedPublicUrls } from '../../../build/release/switch.ts';
import { makeBank, paperOf, sampleQuestions, temporaryFolder } from '../bank-folder.ts';
import { buildFolder } from '../build-folder.ts';

const { mcq } = sampleQuestions;
const bank = await makeBank();
const dist = await temporaryFolder();

/** Builds and reads the list of changed URLs. */
async function changedByBuild(): Promise<{ readonly urls: string[]; readonly manifest: Manifest }> {
  const { publication, report } = await buildFolder(bank.dir, dist);
  assert.ok(publication, JSON.stringify(report.diagnostics));
  const text = await readFile(join(dist, 'changed.txt'), 'utf8');
  const urls = text.split('\n').slice(0, -1);
  assert.equal(publication.changedUrls, urls.length);
  return { urls, manifest: publication.manifest };
}

/** Every path with and without a trailing slash. */
const withBothSlashes = (paths: readonly string[]) => paths.flatMap((path) => [`/${path}`, `/${path}/`]);

describe('The list of public URLs that changed', () => {
  it('contains all URLs and the root after the first build', async () => {
    const { urls, manifest } = await changedByBuild();
    assert.deepEqual(urls, ['/', ...withBothSlashes(Object.keys(manifest.public).sort())]);
  });

  it('is empty after a build that changed nothing', async () => {
    assert.deepEqual((await changedByBuild()).urls, []);
  });

  it('contains a new exam with the name of a property of every object', () => {
    const mediaType = 'application/json';
    const stored = { mediaType, identity: { file: 'public/x', size: 1, sha256: '0' } };
    const urls = changedPublicUrls({ public: {}, hosts: {} }, { public: { constructor: stored }, hosts: {} });
    assert.deepEqual(urls, withBothSlashes(['constructor']));
  });

  it('contains a year whose response changed, but not its exam', async () => {
    await bank.write(
      'neet/2024/2024-05-05-s1/physics.json',
      paperOf(mcq, { ...mcq, id: 'q2', question: 'Why?' }),
    );
    const { urls } = await changedByBuild();
    assert.ok(urls.includes('/neet/2024') && urls.includes('/neet/2024/'));
    assert.ok(!urls.includes('/neet') && !urls.includes('/docs/style.css'));
  });

  it('contains a new year, because caches may hold its 404, and a removed one', async () => {
    await bank.write(
      'neet/2025/2025-05-04-s1/physics.json',
      paperOf({ ...mcq, id: 'q3', question: 'When?' }),
    );
    const appeared = (await changedByBuild()).urls;
    for (const url of ['/neet', '/neet/', '/neet/2025', '/neet/2025/'])
      assert.ok(appeared.includes(url), url);
    await bank.remove('neet/2025');
    const gone = (await changedByBuild()).urls;
    for (const url of ['/neet', '/neet/', '/neet/2025', '/neet/2025/']) assert.ok(gone.includes(url), url);
    assert.ok(!gone.includes('/neet/2024'));
  });

  it('contains no protected path', async () => {
    const { manifest } = await changedByBuild();
    const urls = changedPublicUrls(undefined, manifest);
    assert.ok(urls.every((url) => !/2024-|\.json/.test(url) || url.startsWith('/docs/')));
  });

  it('contains all URLs when the common headers have changed', async () => {
    const { manifest } = await changedByBuild();
    const [file, variant] = Object.entries(manifest.hosts).find(([name]) => name.endsWith('_headers')) ?? [];
    assert.ok(file && variant);
    const other = { ...manifest, hosts: { ...manifest.hosts, [file]: { ...variant, sha256: 'other' } } };
    assert.deepEqual(changedPublicUrls(other, manifest), changedPublicUrls(undefined, manifest));
  });

  it('contains exactly the URLs whose responses differ', async () => {
    const before = (await changedByBuild()).manifest;
    const old = await bodies(await realpath(join(dist, 'current')), before);
    await bank.write('jeemain/exam.json', { label: 'JEE', subjects: ['physics'] });
    await bank.write(
      'jeemain/2024/2024-01-27-s1/physics.json',
      paperOf({ ...mcq, id: 'j1', question: 'Where?' }),
    );
    const { urls, manifest } = await changedByBuild();
    const now = await bodies(await realpath(join(dist, 'current')), manifest);
    const differing = [...new Set([...old.keys(), ...now.keys()])].filter(
      (path) => old.get(path) !== now.get(path),
    );
    assert.deepEqual(urls, withBothSlashes(differing.sort()));
    assert.ok(urls.includes('/jeemain') && !urls.includes('/neet'));
  });
});

async function bodies(folder: string, { public: resources }: Manifest): Promise<Map<string, string>> {
  return new Map(
    await Promise.all(
      Object.entries(resources).map(
        async ([path, { identity }]) =>
          [path, await readFile(join(folder, identity.file), 'latin1')] as const,
      ),
    ),
  );
}
