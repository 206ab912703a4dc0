import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { generateKey, isWellFormed, startOf } from '../../../gateway/auth/key-format.ts';
import { digestOf } from '../../../gateway/key-check.ts';

describe('An API key', () => {
  it('is the prefix, 32 random bytes in base62 and a 6-character checksum', () => {
    assert.match(generateKey('pfx_'), /^pfx_[0-9A-Za-z]{49}$/);
    assert.match(generateKey('neet-'), /^neet-[0-9A-Za-z]{49}$/);
  });

  it('is never generated twice', () => {
    const keys = new Set(Array.from({ length: 2000 }, () => generateKey('pfx_')));
    assert.equal(keys.size, 2000);
  });

  it('is well-formed', () => {
    for (let count = 0; count < 500; count += 1) assert.ok(isWellFormed(generateKey('pfx_'), 'pfx_'));
  });

  it('is not well-formed with one character changed, or two swapped', () => {
    const key = generateKey('pfx_');
    const index = fc.integer({ min: 0, max: key.length - 1 });
    fc.assert(
      fc.property(index, index, fc.constantFrom(...'0aZ_-~'), (a, b, character) => {
        const changed = key.slice(0, a) + character + key.slice(a + 1);
        if (changed !== key) assert.ok(!isWellFormed(changed, 'pfx_'));
        const letters = [...key];
        [letters[a], letters[b]] = [letters[b] ?? '', letters[a] ?? ''];
        if (letters.join('') !== key) assert.ok(!isWellFormed(letters.join(''), 'pfx_'));
      }),
    );
  });

  it('is not well-formed with another prefix, cut short or longer', () => {
    const key = generateKey('pfx_');
    for (const token of [key.slice(0, -1), `${key}0`, key.slice(4), `sk_${key.slice(4)}`, '']) {
      assert.ok(!isWellFormed(token, 'pfx_'), token);
    }
  });

  it('is stored as its SHA-256 and its first characters', () => {
    assert.equal(digestOf('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    assert.match(startOf(generateKey('pfx_'), 'pfx_'), /^pfx_[0-9A-Za-z]{4}$/);
  });
});
