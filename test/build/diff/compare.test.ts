import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Question } from '../../../build/content/types.ts';
import { compareContent } from '../../../build/diff/compare.ts';
import type { Scoring } from '../../../build/diff/report.ts';
import { sampleQuestions } from '../bank-folder.ts';
import {
  chemistry,
  compare,
  newMoment,
  noChanges,
  oldMoment,
  physics,
  question,
  snapshot,
} from './snapshots.ts';

const [q1, q2, q3, q4] = [question('q1'), question('q2'), question('q3'), question('q4')];

/** The scoring of the sample question. */
const scoring: Scoring = { answer: 'A', texts: ['metre'], accepted: [], dropped: false };

function options(...values: readonly string[]): Question['options'] {
  return values.map((value, index) => ({ key: 'ABCDEF'.charAt(index), value }));
}

/** Compares a paper of one question before and after these fields change. */
function edit(fields: object, before: Question = q1) {
  return compare({ [physics]: [before] }, { [physics]: [{ ...before, ...fields }] });
}

/** Compares a paper with these questions before and after a change. */
function rewrite(before: readonly Question[], after: readonly Question[]) {
  return compare({ [physics]: before }, { [physics]: after });
}

describe('No change is reported', () => {
  it('for equal content', () => {
    assert.deepEqual(rewrite([q1, q2], [q1, q2]), noChanges);
  });

  it('for another order of properties, or properties that the API does not serve', () => {
    const turned = Object.fromEntries(Object.entries(q1).reverse());
    const written = { ...turned, diagrams: [], comment: 'checked', dropped: undefined };
    const file = { questions: [written], $schema: '../x.json', lastUpdated: oldMoment };
    assert.deepEqual(compare({ [physics]: [q1] }, { [physics]: file }), noChanges);
  });
});

describe('Questions added and removed', () => {
  it('are listed in order, with their papers', () => {
    const { added, removed, ...rest } = rewrite([q1, q2], [q1, q4, q3]);
    assert.deepEqual(added, [
      { id: 'q4', path: physics },
      { id: 'q3', path: physics },
    ]);
    assert.deepEqual(removed, [{ id: 'q2', path: physics }]);
    assert.deepEqual({ ...rest, added: [], removed: [] }, noChanges);
  });

  it('are listed for an added or removed paper', () => {
    const changes = compare({ [physics]: [q1] }, { [chemistry]: [q2] });
    assert.deepEqual(changes, {
      ...noChanges,
      papers: { added: [chemistry], removed: [physics] },
      added: [{ id: 'q2', path: chemistry }],
      removed: [{ id: 'q1', path: physics }],
    });
  });
});

describe('A changed answer is reported', () => {
  const cases: readonly [name: string, fields: Partial<Question>, after: Partial<Scoring>][] = [
    ['for another key', { answer: 'B' }, { answer: 'B', texts: ['second'] }],
    ['for another accepted answer', { accepted: ['A', 'B'] }, { accepted: ['A', 'B'] }],
    ['for a dropped question', { dropped: true }, { dropped: true }],
  ];
  for (const [name, fields, after] of cases) {
    it(`${name}, and when that is undone`, () => {
      const now = { ...scoring, ...after };
      const place = { id: 'q1', path: physics };
      assert.deepEqual(edit(fields), { ...noChanges, answers: [{ ...place, before: scoring, after: now }] });
      const back = rewrite([{ ...q1, ...fields }], [q1]);
      assert.deepEqual(back, { ...noChanges, answers: [{ ...place, before: now, after: scoring }] });
    });
  }

  it('for swapped options with the same key', () => {
    const { answers, edits } = edit({ options: options('second', 'metre') });
    const after = { ...scoring, texts: ['second'] };
    assert.deepEqual(answers, [{ id: 'q1', path: physics, before: scoring, after }]);
    assert.deepEqual(edits, [{ id: 'q1', path: physics, fields: ['options'] }]);
  });

  it('for another key even if the option moved with it, because clients may have stored the key', () => {
    const { answers } = edit({ options: options('second', 'metre'), answer: 'B' });
    const after = { ...scoring, answer: 'B' };
    assert.deepEqual(answers, [{ id: 'q1', path: physics, before: scoring, after }]);
  });

  it('for reordered options of a question with several right ones', () => {
    const { answers } = edit({ options: options('velocity', 'force', 'speed') }, sampleQuestions.msq);
    assert.deepEqual(
      answers.map(({ after }) => after.texts),
      [['velocity', 'speed']],
    );
  });

  it('for another number', () => {
    const { answers } = edit({ answer: '2.5' }, sampleQuestions.numerical);
    assert.deepEqual(
      answers.map(({ before, after }) => [before.answer, after.answer, after.texts]),
      [['2.25', '2.5', []]],
    );
  });

  it('for a question that was also renumbered, moved and edited', () => {
    const after = { ...q1, id: 'q9', answer: 'B', topic: 'Lengths' };
    const changes = compare(
      { [physics]: [q1, q2], [chemistry]: [q3] },
      { [physics]: [q2], [chemistry]: [q3, after] },
    );
    assert.deepEqual(changes, {
      ...noChanges,
      renumbered: [
        { before: { id: 'q1', path: physics }, after: { id: 'q9', path: chemistry }, reused: false },
      ],
      answers: [
        { id: 'q9', path: chemistry, before: scoring, after: { ...scoring, answer: 'B', texts: ['second'] } },
      ],
      edits: [{ id: 'q9', path: chemistry, fields: ['topic'] }],
    });
  });

  it('but not for another wording of an option, or another order of accepted answers', () => {
    assert.deepEqual(edit({ options: options('meter', 'second') }), {
      ...noChanges,
      edits: [{ id: 'q1', path: physics, fields: ['options'] }],
    });
    assert.deepEqual(edit({ accepted: ['B', 'A'] }, { ...q1, accepted: ['A', 'B'] }), {
      ...noChanges,
      edits: [{ id: 'q1', path: physics, fields: ['accepted'] }],
    });
  });
});

describe('An edited question is reported', () => {
  const diagrams = [{ file: 'q1-fall.svg', alt: 'A stone' }];
  const cases: readonly [field: string, fields: object, before?: Question][] = [
    ['question', { question: `${q1.question} Neglect the air.` }],
    ['question', { question: 'Something else altogether' }],
    ['options', { options: options('metre', 'second', 'kelvin') }],
    ['topic', { topic: 'Lengths' }],
    ['difficulty', { difficulty: 'hard' }],
    ['type', { type: 'msq' }],
    ['diagrams', { diagrams }],
    ['diagrams', { diagrams: [{ file: 'q1-fall.svg', alt: 'A falling stone' }] }, { ...q1, diagrams }],
    ['diagrams', { diagrams: [{ file: 'q1-stone.svg', alt: 'A stone' }] }, { ...q1, diagrams }],
  ];
  for (const [field, fields, before] of cases) {
    it(`with the field ${field}: ${JSON.stringify(fields)}`, () => {
      const expected = { ...noChanges, edits: [{ id: 'q1', path: physics, fields: [field] }] };
      assert.deepEqual(edit(fields, before), expected);
    });
  }

  it('with several fields', () => {
    const { edits } = edit({ topic: 'Lengths', difficulty: 'hard', type: 'msq' });
    assert.deepEqual(
      edits.map(({ fields }) => fields),
      [['type', 'topic', 'difficulty']],
    );
  });
});

describe('A renumbered question', () => {
  const renumbering = (before: string, after: string, reused = false) => ({
    before: { id: before, path: physics },
    after: { id: after, path: physics },
    reused,
  });

  it('is listed with both ids, and neither as removed nor as added', () => {
    const changes = rewrite([q1, q2], [{ ...q1, id: 'q9' }, q2]);
    assert.deepEqual(changes, { ...noChanges, renumbered: [renumbering('q1', 'q9')] });
  });

  it('is found if its text is similar, or its options are in another order', () => {
    const text = q1.question.replace('freely', 'freely,');
    const { renumbered, added, removed } = rewrite([q1, q2], [{ ...q1, id: 'q9', question: text }, q2]);
    assert.deepEqual([renumbered, added, removed], [[renumbering('q1', 'q9')], [], []]);
    const turned = { ...q1, id: 'q9', options: options('second', 'metre'), answer: 'B' };
    assert.deepEqual(rewrite([q1], [turned]).renumbered, [renumbering('q1', 'q9')]);
  });

  it('is found with a similar text in another paper', () => {
    const after = { ...q1, id: 'q9', question: q1.question.replace('freely', 'freely,') };
    const { renumbered, edits } = compare(
      { [physics]: [q1, q2] },
      { [physics]: [q2], [chemistry]: [q3, after] },
    );
    assert.deepEqual(renumbered, [
      { before: { id: 'q1', path: physics }, after: { id: 'q9', path: chemistry }, reused: false },
    ]);
    assert.deepEqual(edits, [{ id: 'q9', path: chemistry, fields: ['question'] }]);
  });

  it('is not found if the text is different', () => {
    const { renumbered, added, removed } = rewrite([q1], [q2]);
    assert.deepEqual([renumbered, added.length, removed.length], [[], 1, 1]);
  });

  it('can have a diagram with the same bytes and the new id in its name', () => {
    const of = (id: string) => ({ ...q1, id, diagrams: [{ file: `${id}-fall.svg`, alt: 'A stone' }] });
    const folder = 'neet/2024/2024-05-05-s1/diagrams';
    const withDigest = (digest: string) =>
      compareContent(
        snapshot({ [physics]: [of('q1')] }, oldMoment, { [`${folder}/q1-fall.svg`]: 'one' }),
        snapshot({ [physics]: [of('q9')] }, newMoment, { [`${folder}/q9-fall.svg`]: digest }),
      );
    assert.deepEqual(withDigest('one'), { ...noChanges, renumbered: [renumbering('q1', 'q9')] });
    assert.deepEqual(withDigest('other').edits, [{ id: 'q9', path: physics, fields: ['diagrams'] }]);
  });

  it('can have swapped ids with another', () => {
    const changes = rewrite(
      [q1, q2],
      [
        { ...q1, id: 'q2' },
        { ...q2, id: 'q1' },
      ],
    );
    const renumbered = [renumbering('q1', 'q2', true), renumbering('q2', 'q1', true)];
    assert.deepEqual(changes, { ...noChanges, renumbered });
  });

  it('can leave its id to a question that was inserted before it', () => {
    const changes = rewrite(
      [q1, q2],
      [
        { ...q3, id: 'q1' },
        { ...q1, id: 'q2' },
        { ...q2, id: 'q3' },
      ],
    );
    assert.deepEqual(changes, {
      ...noChanges,
      added: [{ id: 'q1', path: physics }],
      renumbered: [renumbering('q1', 'q2', true), renumbering('q2', 'q3', true)],
    });
  });

  it('can have the id of a removed question', () => {
    const changes = rewrite([q1, q2, q3], [q1, { ...q3, id: 'q2' }]);
    assert.deepEqual(changes, {
      ...noChanges,
      removed: [{ id: 'q2', path: physics }],
      renumbered: [renumbering('q3', 'q2')],
    });
  });

  it('is not a similar question if the id still exists', () => {
    const edited = { ...q1, question: `${q1.question} Neglect the air.` };
    const { edits, added } = rewrite([q1], [edited, { ...q1, id: 'q9', question: `${q1.question} Hint.` }]);
    assert.deepEqual([edits.length, added], [1, [{ id: 'q9', path: physics }]]);
  });
});

describe('A question in another paper', () => {
  it('is listed as moved, and neither as removed nor as added', () => {
    const changes = compare(
      { [physics]: [q1, q2], [chemistry]: [q3] },
      { [physics]: [q2], [chemistry]: [q3, q1] },
    );
    assert.deepEqual(changes, { ...noChanges, moved: [{ id: 'q1', from: physics, to: chemistry }] });
  });

  it('is listed as moved even if its text is different', () => {
    const rewritten = { ...q1, question: 'Something else' };
    const { moved, edits } = compare({ [physics]: [q1, q2] }, { [physics]: [q2], [chemistry]: [rewritten] });
    assert.deepEqual(moved, [{ id: 'q1', from: physics, to: chemistry }]);
    assert.deepEqual(edits, [{ id: 'q1', path: chemistry, fields: ['question'] }]);
  });

  it('is listed as moved if the whole paper has another path', () => {
    const other = physics.replaceAll('05-05', '05-06');
    assert.deepEqual(compare({ [physics]: [q1] }, { [other]: [q1] }), {
      ...noChanges,
      papers: { added: [other], removed: [physics] },
      moved: [{ id: 'q1', from: physics, to: other }],
    });
  });
});

describe('Questions with the same id or text', () => {
  it('are matched one by one if they have the same id', () => {
    assert.deepEqual(rewrite([q1, { ...q2, id: 'q1' }], [q1, { ...q2, id: 'q1' }]), noChanges);
    assert.deepEqual(rewrite([q1, { ...q2, id: 'q1' }], [q1, q2]), {
      ...noChanges,
      renumbered: [{ before: { id: 'q1', path: physics }, after: { id: 'q2', path: physics }, reused: true }],
    });
    assert.deepEqual(rewrite([q1], [q1, q1]), { ...noChanges, added: [{ id: 'q1', path: physics }] });
  });

  it('are matched by id if they have the same text', () => {
    const duplicate = { ...q1, id: 'q5' };
    assert.deepEqual(rewrite([q1, duplicate], [duplicate]), {
      ...noChanges,
      removed: [{ id: 'q1', path: physics }],
    });
  });

  it('are matched by their other fields if their ids are new', () => {
    const duplicate = { ...q1, id: 'q5', answer: 'B' };
    const { answers, renumbered } = rewrite(
      [q1, duplicate],
      [
        { ...duplicate, id: 'q7' },
        { ...q1, id: 'q6' },
      ],
    );
    assert.deepEqual(answers, []);
    assert.deepEqual(
      renumbered.map(({ before, after }) => `${before.id} ${after.id}`),
      ['q5 q7', 'q1 q6'],
    );
  });

  it('are matched by small differences among thousands of similar texts', () => {
    const many = (letter: string, end: string) =>
      Array.from({ length: 3000 }, (_, index) =>
        question(`${letter}${index}`, { question: `Is the whole number ${index} even, or is it odd${end}` }),
      );
    const { renumbered, added, removed } = rewrite(many('a', '?'), many('b', ', then?'));
    assert.deepEqual([renumbered.length, added, removed], [3000, [], []]);
    for (const { before, after } of renumbered) assert.equal(after.id.slice(1), before.id.slice(1));
  });
});

describe('The order of questions', () => {
  it('is reported as a change of the paper', () => {
    assert.deepEqual(rewrite([q1, q2, q3], [q3, q1, q2]), { ...noChanges, reordered: [physics] });
  });

  it('does not change when questions are added and removed', () => {
    assert.deepEqual(rewrite([q1, q2, q3], [q4, q1, q3]).reordered, []);
  });
});

describe('The lastUpdated of a paper', () => {
  const file = (lastUpdated: string, ...questions: readonly Question[]) => ({
    [physics]: { lastUpdated, questions },
  });
  const stale = (fault: string, before: string, after: string) => [{ path: physics, before, after, fault }];

  it('is reported if the content changed and it did not', () => {
    const changed = [
      [q1, q2],
      [q2],
      [q2, q1],
      [{ ...q1, topic: 'Lengths' }],
      [{ ...q1, id: 'q9' }],
      [{ ...q1, answer: 'B' }],
    ];
    for (const questions of changed) {
      const changes = compare(file(oldMoment, q1), file(oldMoment, ...questions));
      assert.deepEqual(changes.stale, stale('same', oldMoment, oldMoment), JSON.stringify(questions));
    }
  });

  it('is reported if it is earlier than before, whether the content changed or not', () => {
    assert.deepEqual(
      compare(file(newMoment, q1), file(oldMoment, q1)).stale,
      stale('earlier', newMoment, oldMoment),
    );
    assert.deepEqual(
      compare(file(newMoment, q1), file(oldMoment, q2)).stale,
      stale('earlier', newMoment, oldMoment),
    );
  });

  it('is compared as a time, to the last digit', () => {
    const [whole, written, later] = ['10:00:00Z', '10:00:00.000Z', '10:00:00.000000001Z'].map(
      (time) => `2024-06-01T${time}`,
    );
    assert.ok(whole && written && later);
    assert.deepEqual(compare(file(whole, q1), file(written, q2)).stale, stale('same', whole, written));
    assert.deepEqual(compare(file(whole, q1), file(later, q2)).stale, []);
    assert.deepEqual(compare(file(later, q1), file(written, q1)).stale, stale('earlier', later, written));
  });

  it('can change without the content, and is not compared in a new paper', () => {
    assert.deepEqual(compare(file(oldMoment, q1), file(newMoment, q1)), noChanges);
    assert.deepEqual(compare({}, file(oldMoment, q1)).stale, []);
  });

  it('is reported if a diagram changed and it did not', () => {
    const drawn = { ...q1, diagrams: [{ file: 'q1-fall.svg', alt: 'A stone' }] };
    const path = 'neet/2024/2024-05-05-s1/diagrams/q1-fall.svg';
    const before = snapshot({ [physics]: [drawn], [chemistry]: [q2] }, oldMoment, { [path]: 'one' });
    const after = snapshot({ [physics]: [drawn], [chemistry]: [q2] }, oldMoment, { [path]: 'other' });
    assert.deepEqual(compareContent(before, after), {
      ...noChanges,
      diagrams: [path],
      edits: [{ id: 'q1', path: physics, fields: ['diagrams'] }],
      stale: stale('same', oldMoment, oldMoment),
    });
  });
});

describe('What a paper has beside questions', () => {
  const before = { lastUpdated: oldMoment, questions: [q1], passages: [{ id: 'p1', text: 'A car.' }] };
  const diagrams = [{ file: 'p1.svg', alt: 'A car' }];

  it('is compared by the ids of passages', () => {
    const passages = [
      { id: 'p1', text: 'A car.', diagrams },
      { id: 'p2', text: 'A bus.' },
    ];
    const after = { ...before, lastUpdated: newMoment, passages };
    const changes = [
      { path: physics, id: 'p1', change: 'changed' },
      { path: physics, id: 'p2', change: 'added' },
    ] as const;
    assert.deepEqual(compare({ [physics]: before }, { [physics]: after }), {
      ...noChanges,
      passages: changes,
    });
    const back = compare(
      { [physics]: { ...after, lastUpdated: oldMoment } },
      { [physics]: { ...before, lastUpdated: newMoment } },
    );
    assert.deepEqual(
      back.passages.map(({ change }) => change),
      ['changed', 'removed'],
    );
  });

  it('includes marks, which also need a new lastUpdated', () => {
    const after = { ...before, marking: { correct: 4 } };
    const stale = [{ path: physics, before: oldMoment, after: oldMoment, fault: 'same' }] as const;
    assert.deepEqual(compare({ [physics]: before }, { [physics]: after }), {
      ...noChanges,
      marks: [physics],
      stale,
    });
  });

  it('needs a new lastUpdated if the diagram of a passage or option changed', () => {
    const path = 'neet/2024/2024-05-05-s1/diagrams/p1.svg';
    const options = [{ key: 'A', diagram: diagrams[0] }, ...q1.options.slice(1)];
    for (const paper of [
      { ...before, passages: [{ id: 'p1', text: 'A car.', diagrams }] },
      { ...before, questions: [{ ...q1, options }] },
    ]) {
      const side = (digest: string) => snapshot({ [physics]: paper }, oldMoment, { [path]: digest });
      const { stale, ...rest } = compareContent(side('1'), side('2'));
      assert.deepEqual({ ...rest, stale: [] }, { ...noChanges, diagrams: [path] });
      assert.deepEqual(stale, [{ path: physics, before: oldMoment, after: oldMoment, fault: 'same' }]);
    }
  });
});

describe('A translation', () => {
  const path = 'neet/2024/2024-05-05-s1/physics.hi.json';
  const translation = (lastUpdated: string, ...questions: object[]) => ({ lastUpdated, questions });
  const [one, two] = [
    { id: 'q1', question: 'एक' },
    { id: 'q2', question: 'दो' },
  ];

  it('is listed if it was added or removed, and its questions are not', () => {
    const file = translation(oldMoment, one);
    const none = { added: [], removed: [], questions: [] };
    const added = { ...noChanges, translations: { ...none, added: [path] } };
    assert.deepEqual(compare({}, { [path]: file }), added);
    const removed = { ...noChanges, translations: { ...none, removed: [path] } };
    assert.deepEqual(compare({ [path]: file }, {}), removed);
  });

  it('is compared question by question', () => {
    const found = compare(
      { [path]: translation(oldMoment, one, two) },
      { [path]: translation(newMoment, { ...one, solution: 'हल' }, { id: 'q3', question: 'तीन' }) },
    );
    const questions = [
      { path, id: 'q1', change: 'changed' },
      { path, id: 'q3', change: 'added' },
      { path, id: 'q2', change: 'removed' },
    ] as const;
    assert.deepEqual(found, { ...noChanges, translations: { added: [], removed: [], questions } });
  });

  it('of a renumbered question is the same', () => {
    const found = compare(
      { [physics]: [q1], [path]: translation(oldMoment, one) },
      { [physics]: [{ ...q1, id: 'q9' }], [path]: translation(newMoment, { ...one, id: 'q9' }) },
    );
    assert.equal(found.renumbered.length, 1);
    assert.deepEqual(found.translations, noChanges.translations);
  });

  it('needs a new lastUpdated if it changed', () => {
    const found = compare(
      { [path]: translation(oldMoment, one) },
      { [path]: translation(oldMoment, { ...one, question: 'पहला' }) },
    );
    assert.deepEqual(found.stale, [{ path, before: oldMoment, after: oldMoment, fault: 'same' }]);
  });
});

describe('An exam file', () => {
  const path = 'neet/exam.json';
  const exam = { label: 'NEET', subjects: ['physics', 'chemistry'] };
  it('is listed if it was added, removed or changed in what the API serves', () => {
    assert.deepEqual(compare({}, { [path]: exam }).exams, [{ path, change: 'added' }]);
    assert.deepEqual(compare({ [path]: exam }, {}).exams, [{ path, change: 'removed' }]);
    const other = { ...exam, subjects: ['chemistry', 'physics'] };
    assert.deepEqual(compare({ [path]: exam }, { [path]: other }).exams, [{ path, change: 'changed' }]);
    const labelled = { ...exam, subjects: ['physics', { code: 'chemistry', label: 'Chem' }] };
    assert.deepEqual(compare({ [path]: exam }, { [path]: labelled }).exams, [{ path, change: 'changed' }]);
    const written = { $schema: 'x', subjects: exam.subjects, label: exam.label };
    assert.deepEqual(compare({ [path]: exam }, { [path]: written }), noChanges);
  });
});

describe('Content that cannot be compared', () => {
  const incomparable = (side: 'before' | 'after', reason: string) => [{ path: physics, side, reason }];

  it('is listed with a reason, and its questions neither as removed nor as added', () => {
    const broken = { ...snapshot({}, newMoment), files: new Map([[physics, { fault: 'It is not UTF-8.' }]]) };
    const valid = snapshot({ [physics]: [q1] }, oldMoment);
    assert.deepEqual(compareContent(valid, broken), {
      ...noChanges,
      incomparable: incomparable('after', 'It is not UTF-8.'),
    });
    assert.deepEqual(compareContent(broken, valid), {
      ...noChanges,
      incomparable: incomparable('before', 'It is not UTF-8.'),
    });
  });

  it('includes a file without questions', () => {
    for (const value of [{}, [], { lastUpdated: oldMoment, questions: {} }])
      assert.deepEqual(compare({ [physics]: [q1] }, { [physics]: { ...value } }), {
        ...noChanges,
        incomparable: incomparable('after', 'It has no list of questions.'),
      });
  });

  it('includes a question without an id; the others are compared', () => {
    const questions = [{ ...q1, answer: 'B' }, { ...q2, id: 5 }, null];
    const changes = compare({ [physics]: [q1, q2] }, { [physics]: { lastUpdated: newMoment, questions } });
    assert.equal(changes.answers.length, 1);
    assert.deepEqual(changes.removed, [{ id: 'q2', path: physics }]);
    assert.deepEqual(changes.incomparable, [
      ...incomparable('after', 'Question 2 has no id.'),
      ...incomparable('after', 'Question 3 has no id.'),
    ]);
  });

  it('includes an invalid lastUpdated; the questions are compared', () => {
    const changes = compare(
      { [physics]: [q1] },
      { [physics]: { lastUpdated: 'today', questions: [q1, q2] } },
    );
    assert.equal(changes.added.length, 1);
    assert.deepEqual(changes.stale, []);
    assert.match(changes.incomparable[0]?.reason ?? '', /lastUpdated is not a time/);
  });

  it('does not include questions that are otherwise invalid', () => {
    const { answers, edits, incomparable: none } = edit({ answer: 5, options: 'none', difficulty: 'Hard' });
    assert.deepEqual(
      [answers[0]?.after.answer, edits[0]?.fields, none],
      ['5', ['difficulty', 'options'], []],
    );
  });

  it('does not include deeply nested values in place of a text', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    assert.deepEqual(edit({ topic: deep }).edits, [{ id: 'q1', path: physics, fields: ['topic'] }]);
    const exam = 'neet/exam.json';
    const { exams } = compare(
      { [exam]: { label: 'NEET', subjects: [] } },
      { [exam]: { label: deep, subjects: [deep] } },
    );
    assert.deepEqual(exams, [{ path: exam, change: 'changed' }]);
  });
});
