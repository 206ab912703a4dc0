import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { writeFileOnce } from '../../build/release/files.ts';
import {
  parseRoot,
  parseYearIndex,
  type ShiftFile,
  type StoredResource,
  sealRoot,
} from '../../build/release/root.ts';
import { temporaryFolder } from './bank-folder.ts';
import { anyCharacter } from './report/sample-report.ts';

const object = fc.record({
  size: fc.nat(),
  sha256: fc.stringMatching(/^[0-9a-f]{64}$/),
});
const resource: fc.Arbitrary<StoredResource> = fc.record(
  {
    mediaType: fc.stringMatching(/^[\x20-\x7e]+$/),
    identity: object,
    br: object,
    gzip: object,
  },
  { requiredKeys: ['mediaType', 'identity'] },
);
const path = fc.stringMatching(/^[a-z0-9_-]{1,9}(?:\/[a-z0-9_-]{1,9}){0,3}$/);
const word = fc.string({ unit: anyCharacter });
const publicResource = fc.tuple(resource, path).map(([stored, file]) => ({ ...stored, file }));
const tables = fc.record({
  encoder: word,
  public: fc.dictionary(word, publicResource),
  years: fc.dictionary(word, fc.dictionary(fc.stringMatching(/^[0-9]{4}$/), object)),
  hosts: fc.dictionary(path, object),
});
const shiftFile: fc.Arbitrary<ShiftFile> = fc
  .tuple(resource, fc.nat(), fc.option(fc.nat(), { nil: undefined }))
  .map(([stored, crc32, total]) => ({
    ...stored,
    crc32,
    ...(total !== undefined && { total }),
  }));
const yearIndexes = fc.record(
  {
    exam: word,
    year: fc.stringMatching(/^[0-9]{4}$/),
    aliases: fc.dictionary(word, word),
    list: shiftFile,
    shifts: fc.dictionary(word, fc.dictionary(word, shiftFile)),
  },
  { requiredKeys: ['exam', 'year', 'aliases', 'shifts'] },
);

describe('A release is parsed to what was written:', () => {
  it('its root', () => {
    fc.assert(
      fc.property(tables, (some) => {
        const text = JSON.stringify(sealRoot(some));
        assert.deepEqual(parseRoot(text), JSON.parse(text));
      }),
    );
  });

  it('the index of a year', () => {
    fc.assert(
      fc.property(yearIndexes, (index) => {
        const text = JSON.stringify(index);
        assert.deepEqual(parseYearIndex(text, 'index'), JSON.parse(text));
      }),
    );
  });
});

it('A root that names a file outside the public folder is refused', () => {
  const identity = { size: 1, sha256: '0'.repeat(64) };
  for (const file of ['../x', '/x', 'a//b', 'a/./b', 'a\\b', '']) {
    const stored = { mediaType: 'text/plain', identity, file };
    const root = sealRoot({
      encoder: '',
      public: { x: stored },
      years: {},
      hosts: {},
    });
    assert.throws(() => parseRoot(JSON.stringify(root)), /names a file that no release has/);
  }
});

it('writeFileOnce writes a missing file for its owner only, and the same for all that write it at once', async () => {
  for (let round = 0; round < 20; round += 1) {
    const folder = await temporaryFolder();
    const file = join(folder, 'secret');
    const texts = await Promise.all(
      Array.from({ length: 8 }, (_, index) => writeFileOnce(file, `text ${index}`)),
    );
    assert.deepEqual(new Set(texts), new Set([await readFile(file, 'utf8')]));
    assert.match(texts[0] ?? '', /^text \d$/);
    assert.deepEqual([await readdir(folder), (await stat(file)).mode & 0o777], [['secret'], 0o600]);
    assert.equal(await writeFileOnce(file, 'another text'), texts[0]);
  }
});
