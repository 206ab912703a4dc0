import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  manifestText,
  parseManifest,
  readableText,
  type StoredResource,
  sealManifest,
} from '../../build/release/manifest.ts';

const variant = fc.record({
  file: fc.string({ unit: 'binary' }),
  size: fc.nat(),
  sha256: fc.stringMatching(/^[0-9a-f]{64}$/),
});
const resource: fc.Arbitrary<StoredResource> = fc.record(
  { mediaType: fc.string(), identity: variant, br: variant, gzip: variant },
  { requiredKeys: ['mediaType', 'identity'] },
);
const resources = fc.dictionary(fc.string({ unit: 'binary' }), resource);
const aliases = fc.dictionary(
  fc.string(),
  fc.dictionary(fc.stringMatching(/^[0-9]{4}$/), fc.dictionary(fc.string(), fc.string())),
);
const tables = fc.record({
  encoder: fc.string(),
  public: resources,
  protected: resources,
  shifts: aliases,
  hosts: fc.dictionary(fc.string(), variant),
});

describe('The text of a manifest', () => {
  it('equals the output of JSON.stringify, and parses to the same manifest', () => {
    fc.assert(
      fc.property(tables, (some) => {
        const manifest = sealManifest(some);
        const text = [...manifestText(manifest)].join('');
        assert.equal(text, JSON.stringify(manifest));
        assert.deepEqual(parseManifest(text), JSON.parse(text));
      }),
    );
  });

  it('comes in chunks of limited size for any number of resources', () => {
    const one: StoredResource = {
      mediaType: 'a/b',
      identity: { file: 'f', size: 1, sha256: '0'.repeat(64) },
    };
    const many = Object.fromEntries(Array.from({ length: 3456 }, (_, index) => [`path/${index}`, one]));
    const manifest = sealManifest({ encoder: '', public: many, protected: {}, shifts: {}, hosts: {} });
    const pieces = [...manifestText(manifest)];
    assert.equal(pieces.join(''), JSON.stringify(manifest));
    assert.ok(Math.max(...pieces.map((piece) => piece.length)) < 100_000);
  });

  it('is rejected when it is longer than a string can be', () => {
    const chunk = 'a'.repeat(2 ** 20);
    const lengthOf = (chunks: number) => {
      let length = 0;
      for (const { length: more } of readableText(Array(chunks).fill(chunk))) length += more;
      return length;
    };
    assert.equal(lengthOf(500), 500 * 2 ** 20);
    assert.throws(() => lengthOf(1025), { name: 'BeyondLimits', message: /Nothing was published\.$/ });
  });
});
