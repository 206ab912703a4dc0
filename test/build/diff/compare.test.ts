import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Question } from '../../../build/content/types.ts';
import { compareContent } from '../../../build/diff/compare.ts';
import { changesAsMarkdown } from '../../../build/diff/markdown.ts';
import type { ContentChanges, Field, Scoring } from '../../../build/diff/report.ts';
import type { Snapshot } from '../../../build/diff/sides.ts';
import { changesAsText } from '../../../build/diff/text.ts';
import { sampleQuestions } from '../bank-folder.ts';
import {
  chemistry,
  compare,
  newMoment,
  noChanges,
  oldMoment,
  type Papers,
  physics,
  question,
  snapshot,
} from './snapshots.ts';

const [q1, q2, q3, q4] = [question('q1'), question('q2'), question('q3'), question('q4')];
const similar = { ...q1, question: q1.question.replace('freely', 'freely,') };
const drawn = { ...q1, diagrams: [{ file: 'q1-fall.svg', alt: 'A stone' }] };
const diagramPath = (id: string) => `neet/2024/2024-05-05-s1/diagrams/${id}-fall.svg`;

/** The scoring of the sample question. */
const scoring: Scoring = { answer: 'A', texts: ['metre'], accepted: [], dropped: false };

function options(...values: readonly string[]): Question['options'] {
  return values.map((value, index) => ({ key: 'ABCDEF'.charAt(index), value }));
}

const at = (id: string, path = physics) => ({ id, path });
const stale = (path: string, fault: 'same' | 'earlier', before = oldMoment, after = oldMoment) => [
  { path, before, after, fault },
];
const renumbered = (before: string, after: string, reused = false) => ({
  before: at(before),
  after: at(after),
  reused,
});
const answered = (after: Partial<Scoring>, before: Partial<Scoring> = {}, id = 'q1') => [
  { ...at(id), before: { ...scoring, ...before }, after: { ...scoring, ...after } },
];
const edited = (...fields: readonly Field[]) => [{ ...at('q1'), fields }];

/** A paper before and after a change, or all files, and what is reported. */
type Row = readonly [
  name: string,
  before: readonly Question[] | Papers,
  after: readonly Question[] | Papers,
  changes: Partial<ContentChanges>,
];

const papersOf = (side: Row[1]): Papers => (Array.isArray(side) ? { [physics]: side } : (side as Papers));

function assertReported([name, before, after, changes]: Row): void {
  it(name, () => assert.deepEqual(compare(papersOf(before), papersOf(after)), { ...noChanges, ...changes }));
}

describe('Of questions, the diff reports', () => {
  const rows: readonly Row[] = [
    [
      'no change of the order of properties, or of properties that the API does not serve',
      [q1],
      {
        [physics]: {
          questions: [
            {
              ...Object.fromEntries(Object.entries(q1).reverse()),
              ...{ diagrams: [], comment: 'checked', dropped: undefined },
            },
          ],
          ...{ $schema: '../x.json', lastUpdated: oldMoment },
        },
      },
      {},
    ],
    [
      'those of an added or removed paper',
      [q1],
      { [chemistry]: [q2] },
      { papers: { added: [chemistry], removed: [physics] }, added: [at('q2', chemistry)], removed: [at('q1')] },
    ],
    [
      'a moved one, even if its text is different',
      { [physics]: [q1, q2], [chemistry]: [q3] },
      { [physics]: [q2], [chemistry]: [q3, { ...q1, question: 'Something else' }] },
      {
        moved: [{ id: 'q1', from: physics, to: chemistry }],
        edits: [{ ...at('q1', chemistry), fields: ['question'] }],
      },
    ],
    ['another order', [q1, q2, q3], [q3, q1, q2], { reordered: [physics] }],
    [
      'no other order if questions were added and removed',
      [q1, q2, q3],
      [q4, q1, q3],
      { added: [at('q4')], removed: [at('q2')] },
    ],
    [
      'a renumbered one with its options in another order',
      [q1],
      [{ ...q1, id: 'q9', options: options('second', 'metre'), answer: 'B' }],
      {
        renumbered: [renumbered('q1', 'q9')],
        answers: answered({ answer: 'B' }, {}, 'q9'),
        edits: [{ ...at('q9'), fields: ['options'] }],
      },
    ],
    [
      'a renumbered, moved and edited one with another answer',
      { [physics]: [q1, q2], [chemistry]: [q3] },
      { [physics]: [q2], [chemistry]: [q3, { ...similar, id: 'q9', answer: 'B', topic: 'Lengths' }] },
      {
        renumbered: [{ before: at('q1'), after: at('q9', chemistry), reused: false }],
        answers: [
          { ...at('q9', chemistry), ...{ before: scoring, after: { ...scoring, answer: 'B', texts: ['second'] } } },
        ],
        edits: [{ ...at('q9', chemistry), fields: ['question', 'topic'] }],
      },
    ],
    [
      'swapped ids',
      [q1, q2],
      [
        { ...q1, id: 'q2' },
        { ...q2, id: 'q1' },
      ],
      { renumbered: [renumbered('q1', 'q2', true), renumbered('q2', 'q1', true)] },
    ],
    [
      'one inserted before others, whose ids move on',
      [q1, q2],
      [
        { ...q3, id: 'q1' },
        { ...q1, id: 'q2' },
        { ...q2, id: 'q3' },
      ],
      { added: [at('q1')], renumbered: [renumbered('q1', 'q2', true), renumbered('q2', 'q3', true)] },
    ],
    [
      'a renumbered one with the id of a removed one',
      [q1, q2, q3],
      [q1, { ...q3, id: 'q2' }],
      { removed: [at('q2')], renumbered: [renumbered('q3', 'q2')] },
    ],
    [
      'an edited one under its id, not a similar new one',
      [q1],
      [
        { ...q1, question: `${q1.question} Neglect the air.` },
        { ...q1, id: 'q9', question: `${q1.question} Hint.` },
      ],
      { edits: edited('question'), added: [at('q9')] },
    ],
    [
      'one of two with the same id, matched one by one',
      [q1, { ...q2, id: 'q1' }],
      [q1, q2],
      { renumbered: [renumbered('q1', 'q2', true)] },
    ],
    ['a second one with the same id', [q1], [q1, q1], { added: [at('q1')] }],
    [
      'one of two with the same text, matched by id',
      [q1, { ...q1, id: 'q5' }],
      [{ ...q1, id: 'q5' }],
      { removed: [at('q1')] },
    ],
    [
      'two with the same text and new ids, matched by their other fields',
      [q1, { ...q1, id: 'q5', answer: 'B' }],
      [
        { ...q1, id: 'q7', answer: 'B' },
        { ...q1, id: 'q6' },
      ],
      { renumbered: [renumbered('q5', 'q7'), renumbered('q1', 'q6')], reordered: [physics] },
    ],
  ];
  for (const row of rows) assertReported(row);

  it('renumbered ones among thousands of similar texts', () => {
    const many = (letter: string, end: string) =>
      Array.from({ length: 3000 }, (_, index) =>
        question(`${letter}${index}`, { question: `Is the whole number ${index} even, or is it odd${end}` }),
      );
    const changes = compare({ [physics]: many('a', '?') }, { [physics]: many('b', ', then?') });
    assert.deepEqual([changes.renumbered.length, changes.added, changes.removed], [3000, [], []]);
    for (const { before, after } of changes.renumbered) assert.equal(after.id.slice(1), before.id.slice(1));
  });
});

describe('Of answers, the diff reports', () => {
  const { msq, numerical } = sampleQuestions;
  const rows: readonly Row[] = [
    [
      'a question that is no longer dropped',
      [{ ...q1, dropped: true }],
      [q1],
      { answers: answered({}, { dropped: true }) },
    ],
    [
      'swapped options with the same key',
      [q1],
      [{ ...q1, options: options('second', 'metre') }],
      { answers: answered({ texts: ['second'] }), edits: edited('options') },
    ],
    [
      'another key even if the option moved with it, because clients may have stored the key',
      [q1],
      [{ ...q1, options: options('second', 'metre'), answer: 'B' }],
      { answers: answered({ answer: 'B' }), edits: edited('options') },
    ],
    [
      'reordered options of a question with several right ones',
      [msq],
      [{ ...msq, options: options('velocity', 'force', 'speed') }],
      {
        answers: answered(
          { answer: 'A,C', texts: ['velocity', 'speed'] },
          { answer: 'A,C', texts: ['velocity', 'force'] },
        ),
        edits: edited('options'),
      },
    ],
    [
      'another number',
      [numerical],
      [{ ...numerical, answer: '2.5' }],
      { answers: answered({ answer: '2.5', texts: [] }, { answer: '2.25', texts: [] }) },
    ],
    [
      'no other wording of an option',
      [q1],
      [{ ...q1, options: options('meter', 'second') }],
      { edits: edited('options') },
    ],
    [
      'no other order of accepted answers',
      [{ ...q1, accepted: ['A', 'B'] }],
      [{ ...q1, accepted: ['B', 'A'] }],
      { edits: edited('accepted') },
    ],
  ];
  for (const row of rows) assertReported(row);
});

describe('Of edited questions, the diff reports', () => {
  const [one] = drawn.diagrams;
  const cases: readonly (readonly [after: Question, before: Question, ...fields: Field[]])[] = [
    [{ ...q1, question: `${q1.question} Neglect the air.` }, q1, 'question'],
    [{ ...q1, question: 'Something else altogether' }, q1, 'question'],
    [{ ...q1, options: options('metre', 'second', 'kelvin') }, q1, 'options'],
    [drawn, q1, 'diagrams'],
    [{ ...drawn, diagrams: [{ file: 'q1-fall.svg', alt: 'A falling stone' }] }, drawn, 'diagrams'],
    [{ ...drawn, diagrams: [{ file: 'q1-stone.svg', alt: one?.alt ?? '' }] }, drawn, 'diagrams'],
    [{ ...q1, topic: 'Lengths', difficulty: 'hard', type: 'msq' }, q1, 'type', 'topic', 'difficulty'],
  ];
  for (const [after, before, ...fields] of cases)
    assertReported([fields.join(), [before], [after], { edits: edited(...fields) }]);
});

describe('Of the lastUpdated of a paper, the diff reports', () => {
  const file = (lastUpdated: string, ...questions: readonly Question[]) => ({ [physics]: { lastUpdated, questions } });
  const staleOf = (before: Papers, after: Papers) => compare(before, after).stale;

  it('that it did not change with the content', () => {
    const changed = [[q1, q2], [q2], [q2, q1], [{ ...q1, topic: 'Lengths' }], [{ ...q1, id: 'q9' }]];
    for (const questions of [...changed, [{ ...q1, answer: 'B' }]])
      assert.deepEqual(
        staleOf(file(oldMoment, q1), file(oldMoment, ...questions)),
        stale(physics, 'same'),
        JSON.stringify(questions),
      );
  });

  it('that it is earlier than before, whether the content changed or not', () => {
    for (const after of [q1, q2])
      assert.deepEqual(
        staleOf(file(newMoment, q1), file(oldMoment, after)),
        stale(physics, 'earlier', newMoment, oldMoment),
      );
  });

  it('no more than its time says, to the last digit', () => {
    const [whole = '', written = '', later = ''] = ['00Z', '00.000Z', '00.000000001Z'].map(
      (seconds) => `2024-06-01T10:00:${seconds}`,
    );
    assert.deepEqual(staleOf(file(whole, q1), file(written, q2)), stale(physics, 'same', whole, written));
    assert.deepEqual(staleOf(file(whole, q1), file(later, q2)), []);
    assert.deepEqual(staleOf(file(later, q1), file(written, q1)), stale(physics, 'earlier', later, written));
  });

  it('nothing if it changed without the content, or in a new paper', () => {
    assert.deepEqual(compare(file(oldMoment, q1), file(newMoment, q1)), noChanges);
    assert.deepEqual(staleOf({}, file(oldMoment, q1)), []);
  });
});

describe('Of a changed diagram, the diff reports', () => {
  const changes = (before: Papers, after: Papers, name: string, digest: string) =>
    compareContent(
      snapshot(before, oldMoment, { [diagramPath('q1')]: 'one' }),
      snapshot(after, oldMoment, { [diagramPath(name)]: digest }),
    );
  const all = { diagrams: [diagramPath('q1')], stale: stale(physics, 'same') };

  it('its question, and the lastUpdated of its paper alone', () => {
    const papers = { [physics]: [drawn], [chemistry]: [q2] };
    const expected = { ...noChanges, ...all, edits: edited('diagrams') };
    assert.deepEqual(changes(papers, papers, 'q1', 'other'), expected);
  });

  it('the lastUpdated of the paper whose passage or option has it', () => {
    const [diagram] = drawn.diagrams;
    const options = [{ key: 'A', diagram }, ...q1.options.slice(1)];
    for (const part of [
      { questions: [q1], passages: [{ id: 'p1', text: 'A car.', diagrams: [diagram] }] },
      { questions: [{ ...q1, options }] },
    ]) {
      const papers = { [physics]: { lastUpdated: oldMoment, ...part } };
      assert.deepEqual(changes(papers, papers, 'q1', 'other'), { ...noChanges, ...all });
    }
  });

  it('nothing if only the id in its name changed with that of the question', () => {
    const after = { [physics]: [{ ...drawn, id: 'q9', diagrams: [{ file: 'q9-fall.svg', alt: 'A stone' }] }] };
    const same = changes({ [physics]: [drawn] }, after, 'q9', 'one');
    assert.deepEqual([same.renumbered, same.edits], [[renumbered('q1', 'q9')], []]);
    const other = changes({ [physics]: [drawn] }, after, 'q9', 'other');
    assert.deepEqual(other.edits, [{ ...at('q9'), fields: ['diagrams'] }]);
  });
});

describe('Of other content, the diff reports', () => {
  const paper = { lastUpdated: oldMoment, questions: [q1], passages: [{ id: 'p1', text: 'A car.' }] };
  const changed = { id: 'p1', text: 'A car.', diagrams: [{ file: 'p1.svg', alt: 'A car' }] };
  const more = { ...paper, passages: [changed, { id: 'p2', text: 'A bus.' }] };
  const hindi = 'neet/2024/2024-05-05-s1/physics.hi.json';
  const translation = (lastUpdated: string, ...questions: object[]) => ({ lastUpdated, questions });
  const [one, two] = [
    { id: 'q1', question: 'एक' },
    { id: 'q2', question: 'दो' },
  ];
  const { translations: none } = noChanges;
  const exam = { label: 'NEET', subjects: ['physics', 'chemistry'] };
  const path = 'neet/exam.json';
  const rows: readonly Row[] = [
    [
      'passages, by their ids',
      { [physics]: paper },
      { [physics]: { ...more, lastUpdated: newMoment } },
      {
        passages: [
          { path: physics, id: 'p1', change: 'changed' },
          { path: physics, id: 'p2', change: 'added' },
        ],
      },
    ],
    [
      'removed passages, for which a paper needs a new lastUpdated',
      { [physics]: more },
      { [physics]: { ...more, passages: [changed] } },
      { passages: [{ path: physics, id: 'p2', change: 'removed' }], stale: stale(physics, 'same') },
    ],
    [
      'marks of papers, which need a new lastUpdated',
      { [physics]: paper },
      { [physics]: { ...paper, marking: { correct: 4 } } },
      { marks: [physics], stale: stale(physics, 'same') },
    ],
    [
      'added translations without their questions',
      {},
      { [hindi]: translation(oldMoment, one) },
      { translations: { ...none, added: [hindi] } },
    ],
    [
      'removed translations without their questions',
      { [hindi]: translation(oldMoment, one) },
      {},
      { translations: { ...none, removed: [hindi] } },
    ],
    [
      'the questions of translations',
      { [hindi]: translation(oldMoment, one, two) },
      { [hindi]: translation(newMoment, { ...one, solution: 'हल' }, { id: 'q3', question: 'तीन' }) },
      {
        translations: {
          ...none,
          questions: [
            { path: hindi, id: 'q1', change: 'changed' },
            { path: hindi, id: 'q3', change: 'added' },
            { path: hindi, id: 'q2', change: 'removed' },
          ],
        },
      },
    ],
    [
      'no translation of a renumbered question',
      { [physics]: [q1], [hindi]: translation(oldMoment, one) },
      { [physics]: [{ ...q1, id: 'q9' }], [hindi]: translation(newMoment, { ...one, id: 'q9' }) },
      { renumbered: [renumbered('q1', 'q9')] },
    ],
    [
      'changed translations, which need a new lastUpdated',
      { [hindi]: translation(oldMoment, one) },
      { [hindi]: translation(oldMoment, { ...one, question: 'पहला' }) },
      {
        translations: { ...none, questions: [{ path: hindi, id: 'q1', change: 'changed' }] },
        stale: stale(hindi, 'same'),
      },
    ],
    ['an added exam', {}, { [path]: exam }, { exams: [{ path, change: 'added' }] }],
    ['a removed exam', { [path]: exam }, {}, { exams: [{ path, change: 'removed' }] }],
    [
      'another order of subjects',
      { [path]: exam },
      { [path]: { ...exam, subjects: ['chemistry', 'physics'] } },
      { exams: [{ path, change: 'changed' }] },
    ],
    [
      'the label of a subject',
      { [path]: exam },
      { [path]: { ...exam, subjects: ['physics', { code: 'chemistry', label: 'Chem' }] } },
      { exams: [{ path, change: 'changed' }] },
    ],
    [
      'no change of the order of properties of an exam',
      { [path]: exam },
      { [path]: { $schema: 'x', subjects: exam.subjects, label: exam.label } },
      {},
    ],
  ];
  for (const row of rows) assertReported(row);
});

describe('Of content that cannot be compared, the diff reports', () => {
  const incomparable = (side: 'before' | 'after', ...reasons: readonly string[]) =>
    reasons.map((reason) => ({ path: physics, side, reason }));
  const noList = { incomparable: incomparable('after', 'It has no list of questions.') };
  const deep: object = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
  const rows: readonly Row[] = [
    ['a file without a list of questions', [q1], { [physics]: { lastUpdated: oldMoment, questions: {} } }, noList],
    [
      'questions without an id, and the others',
      [q1, q2],
      { [physics]: { lastUpdated: newMoment, questions: [{ ...q1, answer: 'B' }, { ...q2, id: 5 }, null] } },
      {
        answers: answered({ answer: 'B', texts: ['second'] }),
        removed: [at('q2')],
        incomparable: incomparable('after', 'Question 2 has no id.', 'Question 3 has no id.'),
      },
    ],
    [
      'an invalid lastUpdated, and the questions',
      [q1],
      { [physics]: { lastUpdated: 'today', questions: [q1, q2] } },
      {
        added: [at('q2')],
        incomparable: incomparable('after', 'Its lastUpdated is not a time like 2024-06-01T10:00:00Z.'),
      },
    ],
    [
      'otherwise invalid questions like others',
      [q1],
      { [physics]: { lastUpdated: newMoment, questions: [{ ...q1, answer: 5, options: 'none', difficulty: 'Hard' }] } },
      { answers: answered({ answer: '5', texts: [] }), edits: edited('difficulty', 'options') },
    ],
    [
      'deeply nested values in place of a text',
      { [physics]: [q1], 'neet/exam.json': { label: 'NEET', subjects: [] } },
      {
        [physics]: { lastUpdated: newMoment, questions: [{ ...q1, topic: deep }] },
        'neet/exam.json': { label: deep, subjects: [deep] },
      },
      { edits: edited('topic'), exams: [{ path: 'neet/exam.json', change: 'changed' }] },
    ],
  ];
  for (const row of rows) assertReported(row);

  it('an unreadable file with the reason, and its questions neither as removed nor as added', () => {
    const broken = { ...snapshot({}, newMoment), files: new Map([[physics, { fault: 'It is not UTF-8.' }]]) };
    const valid = snapshot({ [physics]: [q1] }, oldMoment);
    for (const [changes, side] of [
      [compareContent(valid, broken), 'after'],
      [compareContent(broken, valid), 'before'],
    ] as const)
      assert.deepEqual(changes, { ...noChanges, incomparable: incomparable(side, 'It is not UTF-8.') });
  });
});

/** The lists of a report, with a line for each change. */
type Lines = Record<'added' | 'removed' | 'renumbered' | 'moved' | 'answers' | 'edits', string[]>;

function linesOf({ added, removed, renumbered, moved, answers, edits }: ContentChanges): Lines {
  const place = ({ path, id }: { readonly path: string; readonly id: string }) => `${path} ${id}`;
  return {
    added: added.map(place),
    removed: removed.map(place),
    renumbered: renumbered.map(({ before, after }) => `${place(before)} ${after.id}`),
    moved: moved.map(({ id, from, to }) => `${from} ${id} ${to}`),
    answers: answers.map(place),
    edits: edits.map((edit) => `${place(edit)} ${edit.fields.join()}`),
  };
}

/** What each edit of a question changes, and in which list of the report, with the words after its place. */
const edits: Readonly<
  Record<string, (one: Question) => readonly [fields: Partial<Question>, list: keyof Lines, words?: string]>
> = {
  renumber: ({ id }) => [{ id: `new-${id}` }, 'renumbered', ` new-${id}`],
  reword: (one) => [{ question: one.question.replace(' ', ', ') }, 'edits', ' question'],
  'mark B': () => [{ answer: 'B' }, 'answers'],
  'accept B': () => [{ accepted: ['A', 'B'] }, 'answers'],
  drop: () => [{ dropped: true }, 'answers'],
  topic: () => [{ topic: 'Other' }, 'edits', ' topic'],
  difficulty: () => [{ difficulty: 'hard' }, 'edits', ' difficulty'],
  options: (one) => [{ options: [...one.options, { key: 'C', value: 'mole' }] }, 'edits', ' options'],
};

describe('The diff of random edits', () => {
  const pathOf = (paper: number) => `neet/2024/2024-05-05-s1/subject${paper}.json`;
  /** A question whose words occur in no other. */
  const questionOf = (number: number) =>
    question(`q${number}`, {
      question: Array.from('abcdefghijkl', (letter) => `${letter}${number}${letter}`).join(' '),
    });

  it('has exactly the edits', () => {
    const names = fc.constantFrom('nothing', 'nothing', 'nothing', 'remove', 'move', ...Object.keys(edits));
    const steps = fc.array(fc.record({ edit: names, to: fc.nat(2) }), { maxLength: 6 });
    const paper = fc.record({ steps, news: fc.nat(2), onTime: fc.boolean() });
    fc.assert(
      fc.property(fc.array(paper, { minLength: 3, maxLength: 3 }), (papers) => {
        const [before, after]: Question[][][] = [papers.map(() => []), papers.map(() => [])];
        const expected: Lines = { added: [], removed: [], renumbered: [], moved: [], answers: [], edits: [] };
        const touched = new Set<number>();
        const report = (list: keyof Lines, line: string, ...places: number[]) => {
          expected[list].push(line);
          for (const place of places) touched.add(place);
        };
        let count = 0;
        for (const [from, { steps, news }] of papers.entries()) {
          for (const { edit, to } of steps) {
            count += 1;
            const one = questionOf(count);
            before?.[from]?.push(one);
            const [fields, list, words = ''] = edits[edit]?.(one) ?? [{}];
            if (list) report(list, `${pathOf(from)} ${one.id}${words}`, from);
            if (edit === 'remove') report('removed', `${pathOf(from)} ${one.id}`, from);
            else if (edit !== 'move') after?.[from]?.push({ ...one, ...fields });
            else after?.[to]?.push(one);
            if (edit === 'move' && to !== from) report('moved', `${pathOf(from)} ${one.id} ${pathOf(to)}`, from, to);
          }
          for (let made = 0; made < news; made += 1) {
            count += 1;
            after?.[from]?.push(questionOf(count));
            report('added', `${pathOf(from)} q${count}`, from);
          }
        }
        const side = (questions: Question[][] | undefined, monthOf: (onTime: boolean) => string) =>
          Object.fromEntries(
            papers.map(({ onTime }, index) => [
              pathOf(index),
              { lastUpdated: `2024-${monthOf(onTime)}-01T10:00:00Z`, questions: questions?.[index] ?? [] },
            ]),
          );
        const changes = compare(
          side(before, () => '05'),
          side(after, (onTime) => (onTime ? '06' : '05')),
        );
        assert.deepEqual(sorted(linesOf(changes)), sorted(expected));
        const late = [...touched].filter((index) => !papers[index]?.onTime);
        assert.deepEqual(
          changes.stale.map(({ path }) => path),
          late.sort().map(pathOf),
        );
        assert.deepEqual([changes.reordered, changes.incomparable], [[], []]);
      }),
      { numRuns: 300 },
    );
  });

  function sorted(lists: Lines): object {
    return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, [...list].sort()]));
  }

  it('is empty if nothing changed, and never throws, whatever the files contain', () => {
    const names = 'id type question options answer accepted diagrams key'.split(' ');
    const value = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...names), fc.jsonValue()));
    const questions = fc.array(fc.oneof(value, fc.record({ id: fc.constantFrom('a', 'b'), options: fc.array(value) })));
    const file = fc.oneof(value, fc.record({ lastUpdated: fc.jsonValue(), questions }));
    const of = (value: unknown): Snapshot => ({
      files: new Map([pathOf(0), 'neet/exam.json'].map((path) => [path, { value }])),
      diagrams: new Map(),
    });
    fc.assert(
      fc.property(file, file, (one, other) => {
        assert.deepEqual({ ...compareContent(of(one), of(one)), incomparable: [] }, noChanges);
        const report = { ref: 'main', commit: 'abc', ...compareContent(of(one), of(other)) };
        assert.equal(typeof changesAsText(report) + typeof changesAsMarkdown(report), 'stringstring');
      }),
    );
  });
});
