import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SubjectFile } from '../../../build/content/written.ts';
import { formatJson } from '../../../build/fix/json.ts';
import { type Edit, editedText, newId, parsePaper } from '../../../build/preview/edit.ts';
import { UserError } from '../../../build/release/user-error.ts';
import { paperOf, sampleQuestions } from '../bank-folder.ts';

const { mcq } = sampleQuestions;
const msq = { ...sampleQuestions.msq, id: 'q2' };
const numerical = { ...sampleQuestions.numerical, id: 'q3' };
const place = { exam: 'neet', year: '2024', shift: '2024-05-05-s1', subject: 'physics' };
const paper = formatJson(JSON.stringify(paperOf(mcq, msq, numerical)), 'paper');

const edited = (text: string, edit: Edit) => editedText(text, edit, place).text;
const read = (text: string): SubjectFile => JSON.parse(text);

/** The lines that are only in one of two texts. */
function changedLines(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  return [
    ...old.filter((line) => !now.includes(line)).map((line) => `-${line.trim()}`),
    ...now.filter((line) => !old.includes(line)).map((line) => `+${line.trim()}`),
  ];
}

describe('An edit of a paper', () => {
  it('changes one line for one value, and writes LaTeX as JSON', () => {
    const item = { ...msq, topic: '$\\frac{1}{2}$' };
    const after = edited(paper, { kind: 'replace', list: 'questions', index: 1, item });
    assert.deepEqual(changedLines(paper, after), [
      `-"topic": "${msq.topic}",`,
      '+"topic": "$\\\\frac{1}{2}$",',
    ]);
    assert.equal(formatJson(after, 'paper'), after);
  });

  it('changes nothing if the question is the same, however it is written', () => {
    const written = paper
      .replace('"lastUpdated"', '"marking": { "correct": 4.0 },\n  "lastUpdated"')
      .replaceAll('\n', '\r\n')
      .replace('"id":', '  "marking": {"correct": 4.00, "incorrect": -1e0},\r\n "id" :');
    const item = read(written).questions[0] as object as Record<string, unknown>;
    const after = edited(written, {
      kind: 'replace',
      list: 'questions',
      index: 1,
      item: { ...msq },
    });
    assert.equal(after, written);
    const first = edited(written, { kind: 'replace', list: 'questions', index: 0, item });
    assert.equal(first, written);
  });

  it('adds a question at any place', () => {
    const item = { ...numerical, id: 'new' };
    for (const index of [0, 1, 3]) {
      const after = edited(paper, { kind: 'insert', list: 'questions', index, item });
      assert.equal(formatJson(after, 'paper'), after);
      const expected = [mcq, msq, numerical].toSpliced(index, 0, item);
      assert.deepEqual(read(after).questions, expected);
      assert.deepEqual(changedLines(paper, after), ['+"id": "new",']);
    }
  });

  it('adds a question to a file that is one line or has none', () => {
    for (const text of [JSON.stringify(paperOf(mcq)), '{"lastUpdated":"x","questions":[]}', '{}']) {
      const { questions = [] } = read(text);
      const edit = {
        kind: 'insert',
        list: 'questions',
        index: questions.length,
        item: { ...msq },
      } as const;
      assert.deepEqual(read(edited(text, edit)).questions, [...questions, msq]);
    }
  });

  it('duplicates a question under a new id', () => {
    const { text, index } = editedText(
      paper,
      { kind: 'duplicate', list: 'questions', index: 0 },
      place,
    );
    const { questions } = read(text);
    assert.equal(index, 1);
    assert.deepEqual(questions[1], { ...mcq, id: questions[1]?.id });
    assert.equal(new Set(questions.map(({ id }) => id)).size, 4);
    assert.equal(formatJson(text, 'paper'), text);
  });

  it('moves and deletes questions', () => {
    const moved = edited(paper, { kind: 'move', list: 'questions', index: 0, to: 2 });
    assert.deepEqual(read(moved).questions, [msq, numerical, mcq]);
    const back = edited(moved, { kind: 'move', list: 'questions', index: 2, to: 0 });
    assert.equal(back, paper);
    for (const [index, left] of [
      [msq, numerical],
      [mcq, numerical],
      [mcq, msq],
    ].entries()) {
      const after = edited(paper, { kind: 'delete', list: 'questions', index });
      assert.deepEqual(read(after).questions, left);
      assert.equal(formatJson(after, 'paper'), after);
    }
  });

  it('adds the first passage, and removes the last one', () => {
    const item = { id: 'p1', text: 'A train.' };
    const added = edited(paper, { kind: 'insert', list: 'passages', index: 0, item });
    assert.deepEqual(read(added).passages, [item]);
    assert.equal(formatJson(added, 'paper'), added);
    assert.equal(edited(added, { kind: 'delete', list: 'passages', index: 0 }), paper);
  });

  it('changes the details of a paper, and none of its questions', () => {
    const { lastUpdated } = read(paper);
    const item = { lastUpdated, marking: { correct: 4 }, questions: 'lost' };
    const after = edited(paper, { kind: 'details', item });
    assert.deepEqual(read(after), { ...read(paper), marking: { correct: 4 } });
    assert.equal(edited(after, { kind: 'details', item: { lastUpdated } }), paper);
  });

  it('is refused if it would delete the only question', () => {
    const deletion = { kind: 'delete', list: 'questions', index: 0 } as const;
    assert.throws(() => edited(JSON.stringify(paperOf(mcq)), deletion), UserError);
  });

  it('is refused in a file of which a part cannot be replaced', () => {
    const deep = `{"a":${'['.repeat(40)}${']'.repeat(40)}}`;
    for (const text of ['{"a": 1,}', '[]', '{"a": 1, "a": 2}', '\ud800', deep, ''])
      assert.throws(() => parsePaper(Buffer.from(text, 'latin1')), UserError, text);
    assert.equal(parsePaper(Buffer.from(`\ufeff${paper}`)).mark, '\ufeff');
  });
});

describe('The id of a new question', () => {
  it('follows the last one, or the paper', () => {
    assert.equal(newId([], place), 'neet-2024-05-05-s1-physics-01');
    assert.equal(newId(['q1', 'q9'], place), 'q10');
    assert.equal(newId(['a-007', 'a-009', 'a-008'], place), 'a-010');
    assert.equal(newId(['first'], place), 'neet-2024-05-05-s1-physics-01');
    assert.equal(newId(['q99999999999999999999'], place), 'neet-2024-05-05-s1-physics-01');
  });
});
