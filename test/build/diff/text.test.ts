import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { changesAsText } from '../../../build/diff/text.ts';
import { everyChange, reportOf } from './sample-report.ts';
import { physics } from './snapshots.ts';

/** The report of `everyChange`. */
const everyChangeText = `Content since main (0123456789)

BREAKING: Papers removed: 1
  - neet/2023/2023-05-07-s1/physics.json

BREAKING: Translations removed: 1
  - neet/2024/2024-05-05-s1/physics.ta.json

BREAKING: Questions removed: 1
  - neet/2023/2023-05-07-s1/physics.json
      - q1

BREAKING: Questions renumbered: 2
  - neet/2024/2024-05-05-s1/physics.json
      - q4 -> q5
  - neet/2024/2024-05-05-s1/chemistry.json
      - q6 -> q7 (from neet/2024/2024-05-05-s1/physics.json; another question now has the old id)

Answers changed: 2
  - neet/2024/2024-05-05-s1/physics.json
      - q5: A (metre) -> B (second), accepted: A and B, dropped
      - q9: A -> none

Marks of papers changed: 1
  - neet/2024/2024-05-05-s1/chemistry.json

Files with a wrong lastUpdated: 2
  - neet/2024/2024-05-05-s1/physics.json
      - 2024-06-01T10:00:00Z -> 2024-06-01T10:00:00Z (the content changed, but the time did not)
  - neet/2024/2024-05-05-s1/chemistry.json
      - 2024-06-01T10:00:00Z -> 2024-05-01T10:00:00Z (the time went backwards)

Files that cannot be compared: 1
  - neet/2024/2024-05-05-s1/physics.json
      - at the ref: It is not UTF-8.

Papers added: 1
  - neet/2024/2024-05-05-s1/chemistry.json

Translations added: 1
  - neet/2024/2024-05-05-s1/physics.hi.json

Questions added: 1
  - neet/2024/2024-05-05-s1/chemistry.json
      - q3

Questions moved to another paper: 1
  - neet/2024/2024-05-05-s1/chemistry.json
      - q8 (from neet/2024/2024-05-05-s1/physics.json)

Questions edited: 2 (text 1, topic 2, order of accepted answers 1)
  - neet/2024/2024-05-05-s1/physics.json
      - q2 (text, topic)
      - q5 (topic, order of accepted answers)

Passages: 1
  - neet/2024/2024-05-05-s1/physics.json
      - p1 removed

Translations of questions: 1
  - neet/2024/2024-05-05-s1/physics.bn.json
      - q2 (changed)

Papers in another order: 1
  - neet/2024/2024-05-05-s1/physics.json

Diagrams changed: 1
  - neet/2024/2024-05-05-s1/diagrams/q2-lens.svg

Exam files: 1
  - neet/exam.json
      - changed

5 breaking changes for clients that store ids.
`;

describe('The text diff', () => {
  it('lists every kind of change, breaking ones first', () => {
    assert.equal(changesAsText(everyChange), everyChangeText);
  });

  it('says that nothing changed', () => {
    assert.equal(
      changesAsText(reportOf({})),
      'Content since main (0123456789): no changes in what a release serves.\n',
    );
  });

  it('says that no change is breaking', () => {
    const text = changesAsText(reportOf({ added: [{ id: 'q1', path: physics }] }));
    assert.match(text, /\nNo breaking changes for clients that store ids\.\n$/);
  });

  it('truncates long texts', () => {
    const scoring = { answer: 'A', texts: ['🙂'.repeat(500)], accepted: [], dropped: false };
    const text = changesAsText(
      reportOf({ answers: [{ id: 'q1', path: physics, before: scoring, after: scoring }] }),
    );
    assert.ok(text.includes(`A (${'🙂'.repeat(99)}…) -> A (`));
  });

  it('has no control characters or log commands, whatever ids and paths contain', () => {
    const controls = fc.constantFrom(
      '\u001b[2J',
      '\r',
      '\n',
      '\u0000',
      '\u009b31m',
      '\u202e',
      '::error::',
      '\u2028',
    );
    const name = fc
      .array(fc.oneof(controls, fc.string()), { minLength: 1 })
      .map((parts) => parts.join(''))
      .filter((text) => text !== '');
    fc.assert(
      fc.property(name, name, name, (id, path, ref) => {
        const changed = { added: [{ id, path }], moved: [{ id, from: path, to: path }], diagrams: [path] };
        const text = changesAsText(reportOf({ ...changed, ref }));
        assert.doesNotMatch(text, /(?!\n)[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/u);
        assert.doesNotMatch(text, /^\s*::/m);
        assert.equal(text.split('\n').length, 15);
      }),
    );
  });
});
