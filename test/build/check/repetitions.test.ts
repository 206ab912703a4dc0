import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findRepetitions } from '../../../build/check/repetitions.ts';
import { textHash } from '../../../build/check/text-hash.ts';

/** Enough for a filter of several parts. */
const questions = 2_200_000;

describe('Repeated ids', () => {
  it('are found in a bank whose hashes are filtered in parts', () => {
    const repeated = [0, 1, 2, 3].map((index) => ({ id: `q${index}`, at: [index, questions - 1 - index] }));
    const hashes = new Float64Array(2 * questions);
    for (let index = 0; index < questions; index += 1) hashes[2 * index] = textHash(`other ${index}`);
    for (const { id, at } of repeated) for (const index of at) hashes[2 * index] = textHash(id);
    const paper = { path: 'p', questions, hashes: hashes.buffer, ids: [], topics: [] };
    const found = findRepetitions([paper], 'id', (_, index) => ({
      id: repeated.find(({ at }) => at.includes(index))?.id ?? `other ${index}`,
    }));
    assert.deepEqual(
      found.map(({ text, places }) => [text, ...places.map(({ pointer }) => pointer)]).sort(),
      repeated.map(({ id, at }) => [id, ...at.map((index) => `/questions/${index}/id`)]),
    );
  });
});
