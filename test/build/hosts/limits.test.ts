/** The limits of static hosts. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { limits } from '../../../build/publish/hosts/static-hosts.ts';
import { hostFiles } from '../../../build/publish/publish.ts';
import type { ReleaseTables, Resources } from '../../../build/release/manifest.ts';
import { html, json, stored, tablesOf } from './generated-tables.ts';

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
  it('stay within the limits for any number of exams and years', () => {
    const sizes = [
      [1, 1],
      [2, 20],
      [90, 10],
      [100, 1],
      [1, 3_000],
      [3_000, 1],
    ] as const;
    for (const [exams, years] of sizes) {
      const tables = tablesOf(exams, years);
      assertWithin(textOf(tables, 'public/_redirects'), textOf(tables, 'public/_headers'));
    }
  });

  it('list each exam and year, with an error for missing ones, within the limits', () => {
    const rules = textOf(tablesOf(2, 2), 'public/_redirects').split('\n');
    for (const rule of [
      '/ /docs/ 302',
      '/exam1 /exam1/index.json 200',
      '/exam1/ /exam1/index.json 200',
      '/exam1/2001 /exam1/2001/index.json 200',
      '/docs/* /docs/404.html 404',
      '/exam1/* /_errors/no-year.json 404',
      '/* /_errors/no-exam.json 404',
    ])
      assert.ok(rules.includes(rule), rule);
  });

  it('use placeholders, after the rules for pages, beyond the limits', () => {
    const [root, ...rules] = textOf(tablesOf(3_000, 1), 'public/_redirects').split('\n');
    assert.equal(root, '/ /docs/ 302');
    const pages = ['/docs /docs/ 302', '/favicon.ico /favicon.ico 200'];
    assert.deepEqual(rules.slice(0, 2).toSorted(), pages);
    assert.deepEqual(rules.slice(2, 4), [
      '/docs/* /docs/:splat 200',
      '/:exam/:year /:exam/:year/index.json 200',
    ]);
  });

  it('fail with a message when there are too many header rules', () => {
    const folders: Resources = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [
        `page${index}`,
        stored(`page${index}/index.html`, html),
      ]),
    );
    assert.throws(() => hostFiles({ public: folders, shifts: {} }), {
      message: `public/_headers would have 101 header rules, and Cloudflare Pages reads ${limits.headerRules}. Nothing was published.`,
    });
  });

  it('fail with a message when a line is too long', () => {
    const code = 'a'.repeat(600);
    const tables = {
      public: { [code]: stored(`${code}/index.json`, json) },
      shifts: { [code]: {} },
    };
    assert.throws(() => hostFiles(tables), {
      message:
        /^A line of public\/_redirects would be \d+ characters long, and Cloudflare Pages reads 1000: .*\.$/,
    });
  });

  it('fail when a path would need quoting', () => {
    const odd = { 'a b': stored('a b/index.json', json) };
    assert.throws(
      () => hostFiles({ public: odd, shifts: {} }),
      /The public path a b contains a character/,
    );
  });
});
