import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { originForm, parseTarget, type Target } from '../../gateway/target.ts';
import rows from './targets.json' with { type: 'json' };

const { targets, originForms } = rows as unknown as {
  targets: [string, Target][];
  originForms: [string, string | null][];
};

describe('parseTarget', () => {
  for (const [url, target] of targets) {
    it(`returns ${target.kind} for ${JSON.stringify(url)}`, () =>
      assert.deepEqual(parseTarget(url), target));
  }
});

describe('originForm', () => {
  for (const [url, path] of originForms) {
    it(`returns ${path} for ${JSON.stringify(url)}`, () =>
      assert.equal(originForm(url) ?? null, path));
  }
});

describe('parseTarget, with any URL', () => {
  const anyPath = fc.oneof(
    fc.uint16Array().map((units) => String.fromCharCode(...units)),
    fc.webPath(),
    fc
      .array(
        fc.constantFrom(
          'neet',
          '2024',
          's1',
          '..',
          '.',
          '',
          '%2e',
          '%',
          '%00',
          'diagrams',
          '?',
          '#',
          '__proto__',
        ),
      )
      .map((parts) => `/${parts.join('/')}`),
  );

  it('returns a target and never throws', () => {
    fc.assert(fc.property(anyPath, (url) => assert.equal(typeof parseTarget(url).kind, 'string')));
  });

  it('ignores the query', () => {
    fc.assert(
      fc.property(anyPath, fc.webQueryParameters(), (url, query) => {
        assert.deepEqual(parseTarget(`${url.split('?', 1)[0]}?${query}`), parseTarget(url));
      }),
    );
  });

  it('returns no empty segment and no dot segment', () => {
    fc.assert(
      fc.property(anyPath, (url) => {
        const { kind, ...parts } = parseTarget(url);
        for (const part of Object.values(parts).flatMap((value: string) =>
          kind === 'page' ? value.split('/') : [value],
        )) {
          assert.ok(!['', '.', '..'].includes(part) || kind === 'page', `${url}: ${part}`);
        }
      }),
    );
  });

  it('decodes percent-encoded names', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((text) => text !== '.' && text !== '..' && !/\p{Cs}/u.test(text));
    const notReserved = name.filter(
      (text) =>
        ![
          'docs',
          'dashboard',
          'auth',
          'changes.json',
          'exams.json',
          'favicon.ico',
          'llms.txt',
          'robots.txt',
        ].includes(text),
    );
    fc.assert(
      fc.property(
        notReserved,
        fc.integer({ min: 1000, max: 9999 }),
        name,
        name,
        (exam, year, shift, file) => {
          const url = `/${[exam, year, shift, file].map(encodeURIComponent).join('/')}`;
          assert.deepEqual(parseTarget(url), {
            kind: 'file',
            exam,
            year: String(year),
            shift,
            file,
          });
        },
      ),
    );
  });
});
