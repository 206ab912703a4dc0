import assert from 'node:assert/strict';
import { readdir, readFile, readlink, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { objectsOf } from '../../build/release/objects.ts';
import { readCurrent } from '../../build/release/read.ts';
import { publicPaths, type Root } from '../../build/release/root.ts';
import { changedPublicUrls } from '../../build/release/switch.ts';
import { findDamage } from '../../build/release/verify.ts';
import {
  examPath,
  makeBank,
  makeFolderOf,
  paperOf,
  paperPath,
  sampleExam,
  sampleQuestions,
  shiftPath,
  temporaryFolder,
} from './bank-folder.ts';
import {
  buildFolder,
  filesBelow,
  publishedFolder,
  resourcesOf,
  responsesOf,
  richFiles,
  secrets,
} from './release-folder.ts';

const dist = await temporaryFolder();
const content = await makeBank(richFiles);
const folder = await publishedFolder(content.dir, dist);
const files = await filesBelow(folder);
const release = await readCurrent(dist);
const { root } = release;
const resources = await resourcesOf(dist);
const responses = await responsesOf(dist);
const [idOne] = secrets.ids;

function text(path: string): string {
  return responses.get(path)?.toString() ?? assert.fail(`There is no ${path}`);
}

describe('A release', () => {
  it('is in dist/releases under its id, and dist/current links to it', async () => {
    assert.equal(await readlink(join(dist, 'current')), `releases/${root.id}`);
    assert.match(root.id, /^[0-9a-f]{16}$/);
    assert.deepEqual((await readdir(dist)).sort(), [
      ...['changed.txt', 'changes.json', 'current', 'history', 'objects', 'releases'],
    ]);
    assert.deepEqual(await readdir(join(dist, 'releases')), [root.id]);
    assert.deepEqual((await readdir(folder)).sort(), ['public', 'root.json']);
  });

  it('reaches undamaged objects, and no object is anything else', async () => {
    assert.deepEqual((await findDamage(release)).problems, []);
    const reached = [...(await objectsOf(release)).keys()];
    const stored = [...(await filesBelow(join(dist, 'objects'))).keys()];
    assert.deepEqual(stored, reached.map((name) => `${name.slice(0, 2)}/${name}`).sort());
  });

  it('has its public files under their paths: links to the objects, and no protected one', async () => {
    const expected = publicPaths(root);
    const found = await filesBelow(join(folder, 'public'));
    assert.deepEqual([...found.keys()], [...expected.keys()].sort());
    for (const [file, object] of expected)
      assert.deepEqual(found.get(file), await readFile(release.pathOf(object)), file);
    assert.deepEqual(Object.keys(root.hosts).sort(), ['404.html', '_headers', '_redirects']);
    const path = join(folder, 'public/neet/index.json');
    const object = root.public['neet']?.identity ?? assert.fail();
    assert.equal((await stat(path)).ino, (await stat(release.pathOf(object))).ino);
  });
});

describe('The responses of a release', () => {
  it('have the years of each exam, the shifts of each year and the static pages without a key', () => {
    const ofExam = (exam: string, ...years: string[]) => [
      exam,
      ...years.flatMap((year) => [`${exam}/${year}`, `${exam}/${year}/questions.json`]),
    ];
    const isPage = (path: string) => /^(?:docs|dashboard)(?:\/|$)/.test(path);
    assert.deepEqual(
      Object.keys(root.public).filter((path) => !isPage(path)),
      [
        ...['exams.json', 'favicon.ico', ...ofExam('jeemain', '2024'), 'llms.txt'],
        ...[...ofExam('neet', '2023', '2024'), 'robots.txt'],
      ],
    );
    const files = ['client.mjs', 'client.d.mts', 'render.mjs', 'pastpaper.py', 'openapi.json'];
    for (const path of [
      'dashboard',
      'docs',
      'docs/reference',
      ...files.map((file) => `docs/${file}`),
    ])
      assert.ok(Object.hasOwn(root.public, path), path);
  });

  it('have the subject files and the diagrams that questions name with a key', () => {
    const isProtected = (path: string) => !Object.hasOwn(root.public, path);
    assert.deepEqual([...resources.keys()].filter(isProtected).sort(), [
      'jeemain/2024/2024-01-27-s10/mathematics.json',
      'jeemain/2024/2024-01-27-s2/mathematics.json',
      'neet/2023/2023-05-07-s1/chemistry.json',
      `${shiftPath}/diagrams/${idOne}-sealed-drawing.png`,
      `${shiftPath}/diagrams/${idOne}-sealed-drawing.svg`,
      `${shiftPath}/physics.json`,
    ]);
  });
});

describe('A page', () => {
  it('has each id once, and every anchor that it links to', () => {
    for (const [path, { mediaType }] of resources) {
      if (!mediaType.startsWith('text/html')) continue;
      const ids = Array.from(text(path).matchAll(/\sid="([^"]+)"/g), ([, id]) => id);
      assert.deepEqual(
        ids.filter((id, index) => ids.indexOf(id) !== index),
        [],
        path,
      );
      for (const [, anchor = ''] of text(path).matchAll(/href="#([^"]+)"/g))
        assert.ok(ids.includes(anchor), anchor);
    }
  });
});

describe('A response', () => {
  it('is compact UTF-8 JSON', () => {
    assert.equal(text('neet'), '{"exam":"neet","label":"NEET","years":[2024,2023],"totalYears":2}');
    assert.match(text('exams.json'), /^\{"exams":\[\{"exam":"jeemain",.*\},\{.*\}\]\}$/);
    const neet = {
      exam: 'neet',
      label: 'NEET',
      years: [2024, 2023],
      url: '/neet',
    };
    assert.deepEqual(JSON.parse(text('exams.json')).exams[1], neet);
    const paper = text(paperPath);
    assert.equal(paper, JSON.stringify(JSON.parse(paper)));
  });

  const json = 'application/json; charset=utf-8';
  const mediaTypes: readonly [string, string][] = [
    ['exams.json', json],
    ['neet/2024', json],
    [paperPath, json],
    [`${shiftPath}/diagrams/${idOne}-sealed-drawing.png`, 'image/png'],
    [`${shiftPath}/diagrams/${idOne}-sealed-drawing.svg`, 'image/svg+xml; charset=utf-8'],
    ['docs', 'text/html; charset=utf-8'],
    ['docs/client.mjs', 'text/javascript; charset=utf-8'],
    ['docs/pastpaper.py', 'text/x-python; charset=utf-8'],
    ['llms.txt', 'text/plain; charset=utf-8'],
    ['favicon.ico', 'image/x-icon'],
  ];
  it('has its media type', () => {
    for (const [path, mediaType] of mediaTypes)
      assert.equal(resources.get(path)?.mediaType, mediaType, path);
  });

  it('has Brotli and gzip variants that decompress to the same bytes and are smaller', async () => {
    const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const coding of ['br', 'gzip'] as const) {
      const variants = await responsesOf(dist, coding);
      assert.ok(variants.size >= 3, String(variants.size));
      for (const [path, bytes] of variants) {
        const plain = responses.get(path) ?? Buffer.of();
        assert.deepEqual(decoders[coding](bytes), plain, path);
        assert.ok(bytes.length < plain.length, path);
      }
    }
  });

  it('is compressed only if that saves bytes: no PNG, no short text', () => {
    const paper = resources.get(paperPath);
    assert.ok(paper?.br && paper.gzip);
    const drawing = resources.get(`${shiftPath}/diagrams/${idOne}-sealed-drawing.svg`);
    assert.ok(drawing?.br && drawing.gzip);
    const photo = resources.get(`${shiftPath}/diagrams/${idOne}-sealed-drawing.png`);
    assert.ok(photo && !photo.br && !photo.gzip);
    const short = resources.get('neet/2023');
    assert.ok(short && !short.br && !short.gzip);
  });
});

describe('A build', () => {
  /** Builds into an empty folder. */
  async function releaseOf(contentDir: string): Promise<Map<string, Buffer>> {
    return filesBelow(await publishedFolder(contentDir, await temporaryFolder()));
  }

  it('gives the same release in another folder, with files created in another order and at another time', async () => {
    const all = { [examPath]: sampleExam, ...richFiles };
    const backwards = await makeFolderOf(Object.fromEntries(Object.entries(all).reverse()));
    for (const path of Object.keys(all)) await utimes(join(backwards.dir, path), 1, 1);
    assert.deepEqual(await releaseOf(backwards.dir), files);
  });
});

describe('The API reference', () => {
  const page = text('docs/reference');

  it('lists the exams and their years, and escapes labels', () => {
    assert.match(
      page,
      /<th scope="row">JEE &#60;Main&#62; &#38; &#34;Advanced&#34;<\/th><td><code>jeemain<\/code><\/td>/,
    );
    assert.match(page, /<a href="\/neet\/2024">2024<\/a>, <a href="\/neet\/2023">2023<\/a>/);
    assert.ok(!page.includes('<Main>'));
  });
});

const { mcq } = sampleQuestions;
const bank = await makeBank();
const urlsDist = await temporaryFolder();

/** Builds and reads the list of changed URLs. */
async function changedByBuild(): Promise<{
  readonly urls: string[];
  readonly root: Root;
}> {
  const { publication, report } = await buildFolder(bank.dir, urlsDist);
  assert.ok(publication, JSON.stringify(report.diagnostics));
  const text = await readFile(join(urlsDist, 'changed.txt'), 'utf8');
  const urls = text.split('\n').slice(0, -1);
  assert.equal(publication.changedUrls, urls.length);
  return { urls, root: publication.release.root };
}

/** Every path with and without a trailing slash. */
const withBothSlashes = (paths: readonly string[]) =>
  paths.flatMap((path) => [`/${path}`, `/${path}/`]);

describe('The list of public URLs that changed', () => {
  it('contains all URLs and the root after the first build', async () => {
    const { urls, root } = await changedByBuild();
    assert.deepEqual(urls, ['/', ...withBothSlashes(Object.keys(root.public).sort())]);
  });

  it('contains all URLs when the common headers have changed', async () => {
    const { root } = await changedByBuild();
    const [file, variant] =
      Object.entries(root.hosts).find(([name]) => name.endsWith('_headers')) ?? [];
    assert.ok(file && variant);
    const other = {
      ...root,
      hosts: { ...root.hosts, [file]: { ...variant, sha256: 'other' } },
    };
    assert.deepEqual(changedPublicUrls(other, root), changedPublicUrls(undefined, root));
  });

  it('contains exactly the URLs whose responses differ', async () => {
    await changedByBuild();
    const old = await publicBodies();
    await bank.write('jeemain/exam.json', {
      label: 'JEE',
      subjects: ['physics'],
    });
    await bank.write(
      'jeemain/2024/2024-01-27-s1/physics.json',
      paperOf({ ...mcq, id: 'j1', question: 'Where?' }),
    );
    const { urls } = await changedByBuild();
    const now = await publicBodies();
    const differing = [...new Set([...old.keys(), ...now.keys()])].filter(
      (path) => old.get(path) !== now.get(path),
    );
    assert.deepEqual(urls, withBothSlashes(differing.sort()));
    assert.ok(urls.includes('/jeemain') && !urls.includes('/neet'));
  });
});

async function publicBodies(): Promise<Map<string, string>> {
  const { root } = await readCurrent(urlsDist);
  const all = await responsesOf(urlsDist);
  return new Map(
    Object.keys(root.public).map((path) => [path, all.get(path)?.toString('latin1') ?? '']),
  );
}
