import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type Manifest, parseManifest, storedVariants } from '../../build/release/manifest.ts';
import { readVerifiedManifest } from '../../build/release/verify.ts';
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
import { filesBelow, publishedFolder, richFiles, secrets } from './release-folder.ts';

const dist = await temporaryFolder();
const content = await makeBank(richFiles);
const folder = await publishedFolder(content.dir, dist);
const files = await filesBelow(folder);
const manifest = parseManifest(files.get('manifest.json')?.toString() ?? '');
const [idOne] = secrets.ids;

function text(path: string): string {
  return files.get(path)?.toString() ?? assert.fail(`There is no ${path}`);
}

/** The uncompressed bytes of a stored file. */
function decoded(path: string, bytes: Buffer): Buffer {
  if (path.endsWith('.br')) return brotliDecompressSync(bytes);
  return path.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}

describe('A release', () => {
  it('is in dist/releases under its id, and dist/current links to it', async () => {
    assert.equal(await readlink(join(dist, 'current')), `releases/${manifest.id}`);
    assert.match(manifest.id, /^[0-9a-f]{16}$/);
    assert.deepEqual((await readdir(dist)).sort(), ['changed.txt', 'current', 'history', 'releases']);
    assert.deepEqual(await readdir(join(dist, 'releases')), [manifest.id]);
  });

  it('consists of the manifest, the public tree, the protected tree and the files for other hosts', async () => {
    assert.deepEqual((await readdir(folder)).sort(), ['hosts', 'manifest.json', 'protected', 'public']);
  });

  it('has exactly the files of its manifest', () => {
    const stored = [...storedVariants(manifest)].map(({ file }) => file);
    assert.deepEqual([...stored, 'manifest.json'].sort(), [...files.keys()]);
  });

  it('has files with the sizes and checksums of the manifest', () => {
    for (const { file, size, sha256 } of storedVariants(manifest)) {
      const bytes = files.get(file);
      assert.equal(bytes?.length, size);
      assert.equal(
        createHash('sha256')
          .update(bytes ?? '')
          .digest('hex'),
        sha256,
      );
    }
  });
});

describe('The trees of a release', () => {
  it('are separate: files of public resources are in public/, of protected ones in protected/', () => {
    for (const access of ['public', 'protected'] as const) {
      for (const { identity, br, gzip } of Object.values(manifest[access])) {
        for (const variant of [identity, br, gzip]) {
          if (variant) assert.ok(variant.file.startsWith(`${access}/`), variant.file);
        }
      }
    }
  });

  it('have the years of each exam, the shifts of each year and the static pages in public/', () => {
    assert.deepEqual(Object.keys(manifest.public), [
      'dashboard',
      'dashboard/404.html',
      'dashboard/account',
      'dashboard/account.js',
      'dashboard/dashboard.css',
      'dashboard/forgot-password',
      'dashboard/forgot-password.js',
      'dashboard/overview.js',
      'dashboard/reset-password',
      'dashboard/reset-password.js',
      'dashboard/sign-in',
      'dashboard/sign-in.js',
      'dashboard/sign-up',
      'dashboard/sign-up.js',
      'docs',
      'docs/404.html',
      'docs/catalogue',
      'docs/catalogue/catalogue.css',
      'docs/catalogue/feed.json',
      'docs/catalogue/jeemain',
      'docs/catalogue/neet',
      'docs/guides',
      'docs/guides/checksum',
      'docs/guides/copy',
      'docs/guides/key',
      'docs/guides/limits',
      'docs/guides/score',
      'docs/guides/text',
      'docs/openapi.json',
      'docs/page.js',
      'docs/reference',
      'docs/reference.js',
      'docs/search.js',
      'docs/search.json',
      'docs/style.css',
      'favicon.ico',
      'jeemain',
      'jeemain/2024',
      'neet',
      'neet/2023',
      'neet/2024',
      'robots.txt',
    ]);
  });

  it('have the subject files and the diagrams that questions name in protected/', () => {
    assert.deepEqual(Object.keys(manifest.protected), [
      'jeemain/2024/2024-01-27-s10/mathematics.json',
      'jeemain/2024/2024-01-27-s2/mathematics.json',
      'neet/2023/2023-05-07-s1/chemistry.json',
      `${shiftPath}/diagrams/${idOne}-sealed-drawing.png`,
      `${shiftPath}/diagrams/${idOne}-sealed-drawing.svg`,
      `${shiftPath}/physics.json`,
    ]);
  });

  it('have no id, text or answer of a question in public/', () => {
    const words = Object.values(secrets).flat();
    let seen = 0;
    for (const [path, bytes] of files) {
      if (!path.startsWith('public/')) continue;
      seen += 1;
      const published = decoded(path, bytes).toString();
      for (const word of words)
        assert.ok(!published.includes(word) && !path.includes(word), `${path}: ${word}`);
      // The OpenAPI description and the index of the search name the fields.
      const isResource = /^(?!public\/docs\/).*\.json$/.test(path);
      if (isResource) assert.doesNotMatch(published, /"(questions|answer|options|id)"/, path);
    }
    assert.ok(seen > 8);
    // Proves that the words are correct: all of them occur in the protected tree.
    const protectedTexts = [...files]
      .filter(([path]) => path.startsWith('protected/'))
      .map(([, bytes]) => bytes.toString());
    for (const word of words) assert.ok(protectedTexts.join().includes(word) || manifestNames(word), word);
  });

  function manifestNames(word: string): boolean {
    return Object.keys(manifest.protected).some((path) => path.includes(word));
  }
});

describe('A response', () => {
  it('is compact UTF-8 JSON with exactly the fields of the specification', () => {
    assert.equal(
      text('public/neet/index.json'),
      '{"exam":"neet","label":"NEET","years":[2024,2023],"totalYears":2}',
    );
    assert.match(
      text('public/neet/2023/index.json'),
      /^\{"exam":"neet","year":2023,"shifts":\[\{"shift":"2023-05-07-s1","subjects":\["chemistry"\],"total":1,"lastUpdated":"2024-06-01","checksum":"[0-9a-f]{12}"\}\]\}$/,
    );
    assert.match(
      text('protected/neet/2023/2023-05-07-s1/chemistry.json'),
      /^\{"exam":"neet","year":2023,"shift":"2023-05-07-s1","subject":"chemistry","total":1,"questions":\[\{"id":"hidden-id-three",.*,"accepted":\["31415926.5","27182818.2"\]\}\],"metadata":\{"examDate":"2023-05-07","totalQuestions":1,"lastUpdated":"2024-06-01T10:00:00Z","checksum":"[0-9a-f]{12}"\}\}$/,
    );
  });

  it('of a diagram has the bytes of the file', () => {
    for (const kind of ['svg', 'png']) {
      const path = `${shiftPath}/diagrams/${idOne}-sealed-drawing.${kind}`;
      assert.deepEqual(files.get(`protected/${path}`), richFiles[path]);
    }
  });

  const json = 'application/json; charset=utf-8';
  const mediaTypes: readonly [string, string][] = [
    ['neet', json],
    ['neet/2024', json],
    [paperPath, json],
    [`${shiftPath}/diagrams/${idOne}-sealed-drawing.png`, 'image/png'],
    [`${shiftPath}/diagrams/${idOne}-sealed-drawing.svg`, 'image/svg+xml; charset=utf-8'],
    ['docs', 'text/html; charset=utf-8'],
    ['docs/style.css', 'text/css; charset=utf-8'],
    ['dashboard/sign-in', 'text/html; charset=utf-8'],
    ['dashboard/sign-in.js', 'text/javascript; charset=utf-8'],
    ['favicon.ico', 'image/x-icon'],
    ['robots.txt', 'text/plain; charset=utf-8'],
  ];
  for (const [path, mediaType] of mediaTypes) {
    it(`of ${path} has the media type ${mediaType}`, () => {
      assert.equal((manifest.public[path] ?? manifest.protected[path])?.mediaType, mediaType);
    });
  }

  it('has Brotli and gzip variants that decompress to the same bytes and are smaller', () => {
    let seen = 0;
    for (const { identity, br, gzip } of resources(manifest)) {
      for (const variant of [br, gzip]) {
        if (!variant) continue;
        seen += 1;
        const bytes = files.get(variant.file) ?? Buffer.alloc(0);
        assert.deepEqual(decoded(variant.file, bytes), files.get(identity.file), variant.file);
        assert.ok(variant.size < identity.size, variant.file);
      }
    }
    assert.ok(seen >= 6, String(seen));
  });

  it('is compressed only if that saves bytes: no PNG, no short text', () => {
    const paper = manifest.protected[paperPath];
    assert.ok(paper?.br && paper.gzip);
    const drawing = manifest.protected[`${shiftPath}/diagrams/${idOne}-sealed-drawing.svg`];
    assert.ok(drawing?.br && drawing.gzip);
    const photo = manifest.protected[`${shiftPath}/diagrams/${idOne}-sealed-drawing.png`];
    assert.ok(photo && !photo.br && !photo.gzip);
    const short = manifest.public['neet/2023'];
    assert.ok(short && !short.br && !short.gzip);
  });
});

function resources({ public: publicResources, protected: protectedResources }: Manifest) {
  return [...Object.values(publicResources), ...Object.values(protectedResources)];
}

describe('The manifest', () => {
  it('has every alias of every year', () => {
    assert.deepEqual(Object.keys(manifest.shifts), ['jeemain', 'neet']);
    assert.deepEqual(Object.keys(manifest.shifts['neet'] ?? {}), ['2023', '2024']);
    const aliases = manifest.shifts['jeemain']?.['2024'] ?? {};
    assert.equal(aliases['s1'], '2024-01-27-s2');
    assert.equal(aliases['s2'], '2024-01-27-s10');
    assert.equal(aliases['01-27'], '2024-01-27-s2');
    assert.equal(aliases['s3'], undefined);
  });
});

describe('A build', () => {
  async function releaseOf(contentDir: string): Promise<Map<string, Buffer>> {
    return filesBelow(await publishedFolder(contentDir, await temporaryFolder()));
  }

  it('gives the same release for the same content, byte for byte', async () => {
    assert.deepEqual(await releaseOf(content.dir), files);
  });

  it('gives the same release from another folder, with files created in another order and at another time', async () => {
    const all = { [examPath]: sampleExam, ...richFiles };
    const backwards = await makeFolderOf(Object.fromEntries(Object.entries(all).reverse()));
    for (const path of Object.keys(all)) await utimes(join(backwards.dir, path), 1, 1);
    assert.deepEqual(await releaseOf(backwards.dir), files);
  });

  it('gives the same release if the files are formatted differently', async () => {
    const compact = Object.entries(richFiles).map(([path, file]) => [
      path,
      file instanceof Uint8Array ? file : JSON.stringify(file),
    ]);
    assert.deepEqual(await releaseOf((await makeBank(Object.fromEntries(compact))).dir), files);
  });

  it('keeps the published release if the content is the same', async () => {
    assert.equal(await publishedFolder(content.dir, dist), folder);
    assert.deepEqual(await readdir(join(dist, 'releases')), [manifest.id]);
  });

  it('gives another release if one letter has changed', async () => {
    const changed = await makeBank({
      ...richFiles,
      'jeemain/2024/2024-01-27-s2/mathematics.json': paperOf({
        ...sampleQuestions.mcq,
        id: 'm1',
        topic: 'Unit',
      }),
    });
    const other = await publishedFolder(changed.dir, await temporaryFolder());
    assert.notEqual((await readVerifiedManifest(other)).id, manifest.id);
  });
});

describe('The API reference', () => {
  const page = text('public/docs/reference/index.html');

  it('lists the exams and their years, and escapes labels', () => {
    assert.match(
      page,
      /<th scope="row">JEE &#60;Main&#62; &#38; &#34;Advanced&#34;<\/th><td><code>jeemain<\/code><\/td>/,
    );
    assert.match(page, /<a href="\/neet\/2024">2024<\/a>, <a href="\/neet\/2023">2023<\/a>/);
    assert.ok(!page.includes('<Main>'));
  });

  it('uses examples from the bank', () => {
    const words = page.replace(/<[^>]*>/g, '');
    assert.match(words, /curl http:\/\/127\.0\.0\.1:8080\/neet\/2024\n/);
    assert.match(words, /http:\/\/127\.0\.0\.1:8080\/neet\/2024\/s1\/physics\.json\n/);
    assert.ok(page.includes('<code>2024-05-05-s1</code>'));
  });

  it('has every message of the specification', () => {
    const messages = ['Missing API key', 'Malformed Authorization header', 'Invalid or expired API key'];
    for (const message of [...messages, 'Rate limit exceeded', 'Shift not found', 'File not found']) {
      assert.ok(page.includes(`>${message}</span></td>`), message);
    }
  });
});
