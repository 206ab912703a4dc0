/** Banks made in memory, larger than any: what the files for hosts come to. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { hostFiles } from '../../../build/publish/hosts/host-files.ts';
import { limits } from '../../../build/publish/hosts/limits.ts';
import type { ReleaseTables, Resources, StoredResource } from '../../../build/release/manifest.ts';
import { rawGet } from '../../gateway/raw-request.ts';
import { temporaryFolder } from '../bank-folder.ts';
import { hosts } from './running-host.ts';

const json = 'application/json; charset=utf-8';
const html = 'text/html; charset=utf-8';

function stored(file: string, mediaType: string): StoredResource {
  const sha256 = createHash('sha256').update(file).digest('hex');
  return { mediaType, identity: { file: `public/${file}`, size: Buffer.byteLength(file), sha256 } };
}

/** Tables of so many exams with so many years each, beside two pages. */
function tablesOf(exams: number, years: number): Pick<ReleaseTables, 'public' | 'shifts'> {
  const resources: Record<string, StoredResource> = {
    'favicon.ico': stored('favicon.ico', 'image/x-icon'),
    docs: stored('docs/index.html', html),
    'docs/style.css': stored('docs/style.css', 'text/css; charset=utf-8'),
  };
  const shifts: Record<string, Record<string, Record<string, string>>> = {};
  for (let exam = 0; exam < exams; exam += 1) {
    const code = `exam${exam}`;
    resources[code] = stored(`${code}/index.json`, json);
    const ofExam: Record<string, Record<string, string>> = {};
    shifts[code] = ofExam;
    for (let year = 2000; year < 2000 + years; year += 1) {
      resources[`${code}/${year}`] = stored(`${code}/${year}/index.json`, json);
      ofExam[year] = {};
    }
  }
  return { public: resources, shifts };
}

function textOf(tables: Pick<ReleaseTables, 'public' | 'shifts'>, name: string): string {
  const found = hostFiles(tables).find(({ file }) => file === name);
  return found?.body.toString() ?? assert.fail(`There is no ${name}`);
}

function assertWithin(redirects: string, headers: string): void {
  const rules = redirects.trimEnd().split('\n');
  const dynamic = rules.filter((rule) => /[:*]/.test(rule.split(' ')[0] ?? ''));
  assert.ok(rules.length - dynamic.length <= 2_000, `${rules.length} redirects`);
  assert.ok(dynamic.length <= 100, `${dynamic.length} redirects with placeholders`);
  assert.ok(rules.every((rule) => rule.length <= 1_000));
  const firstDynamic = rules.findIndex((rule) => dynamic.includes(rule));
  assert.ok(
    rules.slice(firstDynamic).every((rule) => dynamic.includes(rule)),
    'rules with placeholders come last',
  );
  assert.ok(headers.split('\n').filter((line) => line.startsWith('/')).length <= 100);
}

describe('The rules of Netlify and Cloudflare Pages', () => {
  for (const [exams, years] of [
    [1, 1],
    [2, 20],
    [90, 10],
    [100, 1],
    [1, 3_000],
    [3_000, 1],
    [300, 100],
  ] as const) {
    it(`stay within what they read: ${exams} exams of ${years} years`, () => {
      const tables = tablesOf(exams, years);
      assertWithin(textOf(tables, 'public/_redirects'), textOf(tables, 'public/_headers'));
    });
  }

  it('name each exam and year while there is room, and what is missing of each', () => {
    const rules = textOf(tablesOf(2, 2), 'public/_redirects').split('\n');
    for (const rule of [
      '/ /docs/ 302',
      '/exam1 /exam1/index.json 200',
      '/exam1/ /exam1/index.json 200',
      '/exam1/2001 /exam1/2001/index.json 200',
      '/docs/* /_errors/no-file.json 404',
      '/exam1/* /_errors/no-year.json 404',
      '/* /_errors/no-exam.json 404',
    ])
      assert.ok(rules.includes(rule), rule);
  });

  it('are placeholders where there is none, and pages come before them', () => {
    const rules = textOf(tablesOf(3_000, 1), 'public/_redirects').split('\n');
    const general = rules.indexOf('/:exam/:year /:exam/:year/index.json 200');
    assert.ok(general > rules.indexOf('/docs/* /docs/:splat 200'));
    assert.ok(rules.indexOf('/docs/* /docs/:splat 200') > rules.indexOf('/favicon.ico /favicon.ico 200'));
  });

  it('fail with a sentence where they would be more than is read', () => {
    const folders: Resources = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`page${index}`, stored(`page${index}/index.html`, html)]),
    );
    assert.throws(() => hostFiles({ public: folders, shifts: {} }), {
      name: 'BeyondLimits',
      message: `public/_headers would hold 101 header rules, and Cloudflare Pages reads ${limits.headerRules}. Nothing was published.`,
    });
  });

  it('fail with a sentence where a line would be longer than is read', () => {
    const code = 'a'.repeat(600);
    const tables = { public: { [code]: stored(`${code}/index.json`, json) }, shifts: { [code]: {} } };
    assert.throws(() => hostFiles(tables), {
      name: 'BeyondLimits',
      message:
        /^A line of public\/_redirects would be \d+ characters long, and Cloudflare Pages reads 1000: .*\.$/,
    });
  });

  it('need no quoting in a configuration, or the build fails', () => {
    const odd = { 'a b': stored('a b/index.json', json) };
    assert.throws(() => hostFiles({ public: odd, shifts: {} }), /The public path a b has a character/);
  });
});

for (const software of hosts) {
  describe(`The table of ${software.name}`, { skip: software.skip }, () => {
    it('holds 30,000 answers', async () => {
      const tables = tablesOf(300, 99);
      const release = await temporaryFolder();
      for (const { file, body } of hostFiles(tables).filter(({ file }) => file.startsWith('hosts/')))
        await write(join(release, file), body);
      await write(join(release, 'public/exam299/2098/index.json'), Buffer.from('exam299/2098/index.json'));
      const host = await software.start(release);
      try {
        assert.equal((await rawGet(host.baseUrl, '/exam299/2098')).body, 'exam299/2098/index.json');
        assert.equal((await rawGet(host.baseUrl, '/exam299/1999')).body, '{"error":"Year not found"}');
        assert.equal((await rawGet(host.baseUrl, '/exam300')).body, '{"error":"Exam not found"}');
      } finally {
        await host.close();
      }
    });
  });
}

async function write(path: string, body: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, body);
}
