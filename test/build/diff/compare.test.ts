import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Question } from '../../../build/content/written.ts';
import { compareContent } from '../../../build/diff/compare.ts';
import { changesAsMarkdown, changesAsText } from '../../../build/diff/report.ts';
import { readSide } from '../../../build/diff/sides.ts';
import { examPath, shiftPath } from '../bank-folder.ts';
import { svg } from '../image-bytes.ts';
import {
  chemistry,
  compare,
  compareSnapshots,
  newMoment,
  oldMoment,
  type Papers,
  physics,
  question,
  snapshot,
  stale,
} from './snapshots.ts';

const q1 = question('q1');
const q2 = question('q2');
const q3 = question('q3');
const q4 = question('q4');
const diagram = { file: 'q1-fall.svg', alt: 'A stone' };
const drawn = { ...q1, diagrams: [diagram] };
const drawing = `${shiftPath}/diagrams/q1-fall.svg`;

function options(...values: readonly string[]): Question['options'] {
  return values.map((value, index) => ({ key: 'ABCDEF'.charAt(index), value }));
}

/** A paper before and after a change, or all files, and the lines of the report. */
type Row = readonly [
  name: string,
  before: readonly Question[] | Papers,
  after: readonly Question[] | Papers,
  ...lines: string[],
];

const papersOf = (side: Row[1]): Papers =>
  Array.isArray(side) ? { [physics]: side } : (side as Papers);

function testRows(rows: readonly Row[]): void {
  for (const [name, before, after, ...lines] of rows)
    it(name, async () => assert.deepEqual(await compare(papersOf(before), papersOf(after)), lines));
}

const reused = '(another question now has the old id)';

describe('Of questions, the diff reports', () => {
  const reversed = Object.fromEntries(Object.entries(q1).reverse());
  const unserved = { diagrams: [], dropped: undefined };
  testRows([
    [
      'no change of the order of properties, or of what the API does not serve',
      [q1],
      {
        [physics]: {
          questions: [{ ...reversed, ...unserved }],
          $schema: '../x.json',
          lastUpdated: oldMoment,
        },
      },
    ],
    [
      'those of an added or removed paper',
      [q1],
      { [chemistry]: [q2] },
      'Papers removed: physics',
      'Questions removed: physics q1',
      'Papers added: chemistry',
      'Questions added: chemistry q2',
    ],
    [
      'a moved one, even if its text is different',
      { [physics]: [q1, q2], [chemistry]: [q3] },
      { [physics]: [q2], [chemistry]: [q3, { ...q1, question: 'Something else' }] },
      'Questions moved to another paper: chemistry q1 (from physics)',
      'Questions edited: chemistry q1 (text)',
    ],
    ['no other order', [q1, q2, q3], [q3, q1, q2]],
    [
      'those that were added and removed',
      [q1, q2, q3],
      [q4, q1, q3],
      'Questions removed: physics q2',
      'Questions added: physics q4',
    ],
    [
      'a renumbered one with its options in another order',
      [q1],
      [{ ...q1, id: 'q9', options: options('second', 'metre'), answer: 'B' }],
      'Questions renumbered: physics q1 -> q9',
      'Answers changed: physics q9 A (metre) -> B (metre)',
      'Questions edited: physics q9 (options)',
    ],
    [
      'swapped ids',
      [q1, q2],
      [q1, q2].map((one, index) => ({ ...one, id: index === 0 ? 'q2' : 'q1' })),
      `Questions renumbered: physics q1 -> q2 ${reused}`,
      `Questions renumbered: physics q2 -> q1 ${reused}`,
    ],
    [
      'one inserted before others, whose ids move on',
      [q1, q2],
      [q3, q1, q2].map((one, index) => ({ ...one, id: `q${index + 1}` })),
      `Questions renumbered: physics q1 -> q2 ${reused}`,
      `Questions renumbered: physics q2 -> q3 ${reused}`,
      'Questions added: physics q1',
    ],
    [
      'an edited one under its id, not a similar new one',
      [q1],
      [
        { ...q1, question: `${q1.question} Neglect the air.` },
        { ...q1, id: 'q9', question: `${q1.question} Hint.` },
      ],
      'Questions added: physics q9',
      'Questions edited: physics q1 (text)',
    ],
  ]);
});

describe('Of answers, the diff reports', () => {
  testRows([
    [
      'swapped options with the same key',
      [q1],
      [{ ...q1, options: options('second', 'metre') }],
      'Answers changed: physics q1 A (metre) -> A (second)',
      'Questions edited: physics q1 (options)',
    ],
    [
      'no other wording of an option',
      [q1],
      [{ ...q1, options: options('meter', 'second') }],
      'Questions edited: physics q1 (options)',
    ],
    [
      'no other order of accepted answers',
      [{ ...q1, accepted: ['A', 'B'] }],
      [{ ...q1, accepted: ['B', 'A'] }],
      'Questions edited: physics q1 (order of accepted answers)',
    ],
  ]);
});

describe('Of the lastUpdated of a paper, the diff reports', () => {
  const file = (lastUpdated: string, ...questions: readonly Question[]) => ({
    [physics]: { lastUpdated, questions },
  });
  const timesOf = async (before: Papers, after: Papers) => {
    const lines = await compare(before, after);
    return lines.filter((line) => line.startsWith('Files with a wrong lastUpdated'));
  };
  const earlier = (before: string, after: string) => [
    `Files with a wrong lastUpdated: physics ${before} -> ${after} (the time went backwards)`,
  ];

  it('that it did not change with the content', async () => {
    const edited = [{ topic: 'Lengths' }, { id: 'q9' }, { answer: 'B' }].map((fields) => [
      { ...q1, ...fields },
    ]);
    for (const questions of [[q1, q2], [q2], [q2, q1], ...edited])
      assert.deepEqual(await timesOf(file(oldMoment, q1), file(oldMoment, ...questions)), [
        stale('physics'),
      ]);
  });

  it('that it is earlier than before, whether the content changed or not', async () => {
    for (const after of [q1, q2])
      assert.deepEqual(
        await timesOf(file(newMoment, q1), file(oldMoment, after)),
        earlier(newMoment, oldMoment),
      );
  });

  it('nothing if it changed without the content, or in a new paper', async () => {
    assert.deepEqual(await compare(file(oldMoment, q1), file(newMoment, q1)), []);
    assert.deepEqual(await timesOf({}, file(oldMoment, q1)), []);
  });
});

describe('Of a changed diagram, the diff reports', () => {
  const narrow = { [drawing]: svg(30, 20) };
  const wide = { [drawing]: svg(40, 20) };
  const changes = (before: Papers, after: Papers) =>
    compareSnapshots(snapshot(before, oldMoment), snapshot(after, oldMoment));
  const changed = 'Diagrams changed: diagrams/q1-fall.svg';

  it('its question, and the lastUpdated of its paper alone', async () => {
    const papers = { [physics]: [drawn], [chemistry]: [q2] };
    const expected = [stale('physics'), 'Questions edited: physics q1 (diagrams)', changed];
    assert.deepEqual(await changes({ ...papers, ...narrow }, { ...papers, ...wide }), expected);
  });

  it('the passage or option that has it', async () => {
    const drawnOptions = [{ key: 'A', diagram }, ...q1.options.slice(1)];
    const passages = [{ id: 'p1', text: 'A car.', diagrams: [diagram] }];
    for (const [part, row] of [
      [{ questions: [{ ...q1, passage: 'p1' }], passages }, 'Passages: physics (p1 changed)'],
      [{ questions: [{ ...q1, options: drawnOptions }] }, 'Questions edited: physics q1 (options)'],
    ] as const) {
      const papers = { [physics]: { lastUpdated: oldMoment, ...part } };
      const expected = [stale('physics'), row, changed];
      assert.deepEqual(await changes({ ...papers, ...narrow }, { ...papers, ...wide }), expected);
    }
  });

  it('nothing if only the id in its name changed with that of the question', async () => {
    const before = { [physics]: [drawn], ...narrow };
    const renamed = drawing.replace('q1', 'q9');
    const after = {
      [physics]: [{ ...drawn, id: 'q9', diagrams: [{ ...diagram, file: 'q9-fall.svg' }] }],
    };
    const renumbered = ['Questions renumbered: physics q1 -> q9', stale('physics')];
    assert.deepEqual(await changes(before, { ...after, [renamed]: svg(30, 20) }), renumbered);
    const edited = [...renumbered, 'Questions edited: physics q9 (diagrams)'];
    assert.deepEqual(await changes(before, { ...after, [renamed]: svg(40, 20) }), edited);
  });
});

describe('Of other content, the diff reports', () => {
  const asked = { ...q1, passage: 'p1' };
  const paper = {
    lastUpdated: oldMoment,
    questions: [asked],
    passages: [{ id: 'p1', text: 'A car.' }],
  };
  const changed = { id: 'p1', text: 'A van.' };
  const more = {
    ...paper,
    questions: [asked, { ...q2, passage: 'p2' }],
    passages: [changed, { id: 'p2', text: 'A bus.' }],
  };
  const hindi = `${shiftPath}/physics.hi.json`;
  const translation = (lastUpdated: string, ...questions: object[]) => ({ lastUpdated, questions });
  const inHindi = (id: string, text: string) => ({
    ...{ id, question: text },
    options: options('मीटर', 'सेकंड'),
  });
  const one = inHindi('q1', 'एक');
  const two = inHindi('q2', 'दो');
  const three = inHindi('q3', 'तीन');
  const exam = { label: 'NEET', subjects: ['physics', 'chemistry'] };
  const examChange = (change: string) => `Exam and shift files: ${examPath} (${change})`;
  testRows([
    [
      'passages, by their ids',
      { [physics]: paper },
      { [physics]: { ...more, lastUpdated: newMoment } },
      'Questions added: physics q2',
      'Passages: physics (p1 changed)',
      'Passages: physics (p2 added)',
    ],
    [
      'removed passages, for which a paper needs a new lastUpdated',
      { [physics]: more },
      { [physics]: { ...more, questions: [asked, q2], passages: [changed] } },
      stale('physics'),
      'Questions edited: physics q2 (passage)',
      'Passages: physics (p2 removed)',
    ],
    [
      'marks of papers, which need a new lastUpdated',
      { [physics]: paper },
      { [physics]: { ...paper, marking: { correct: 4 } } },
      'Marks of papers changed: physics',
      stale('physics'),
    ],
    [
      'added translations without their questions',
      { [physics]: [q1] },
      { [physics]: [q1], [hindi]: translation(oldMoment, one) },
      'Translations added: physics.hi',
    ],
    [
      'the questions of translations',
      { [physics]: [q1, q2], [hindi]: translation(oldMoment, one, two) },
      {
        [physics]: [q1, q3],
        [hindi]: translation(newMoment, { ...one, question: 'पहला' }, three),
      },
      'Questions removed: physics q2',
      'Questions added: physics q3',
      'Translations of questions: physics.hi q1 (changed)',
      'Translations of questions: physics.hi q3 (added)',
      'Translations of questions: physics.hi q2 (removed)',
    ],
    [
      'the translation of a renumbered question as another one',
      { [physics]: [q1], [hindi]: translation(oldMoment, one) },
      { [physics]: [{ ...q1, id: 'q9' }], [hindi]: translation(newMoment, { ...one, id: 'q9' }) },
      'Questions renumbered: physics q1 -> q9',
      'Translations of questions: physics.hi q9 (added)',
      'Translations of questions: physics.hi q1 (removed)',
    ],
    [
      'changed translations, which need a new lastUpdated',
      { [physics]: [q1], [hindi]: translation(oldMoment, one) },
      { [physics]: [q1], [hindi]: translation(oldMoment, { ...one, question: 'पहला' }) },
      stale('physics.hi'),
      'Translations of questions: physics.hi q1 (changed)',
    ],
    ['an added exam', {}, { [examPath]: exam }, examChange('added')],
    [
      'no change of the topics that an exam allows, which are not served',
      { [examPath]: exam },
      { [examPath]: { ...exam, topics: { physics: ['Optics'] } } },
    ],
  ]);
});

describe('Of content that cannot be compared, the diff reports', () => {
  const fault = (message: string, line = 1, side = 'now') =>
    `Files that cannot be compared: physics (${side}, line ${line}: ${message})`;
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const paper = (questions: unknown) => ({ lastUpdated: newMoment, questions });
  testRows([
    [
      'a file that breaks its rules, with the first of its problems, and the others',
      { [physics]: [q1], [chemistry]: [q2] },
      {
        [physics]: paper([q4, { ...q1, answer: 5 }, { ...q3, topic: '' }]),
        [chemistry]: [{ ...q2, answer: 'B' }],
      },
      'Answers changed: chemistry q2 A (metre) -> B (second)',
      fault('Put the number in quotation marks: "5".', 36),
    ],
    [
      'a file that cannot be decoded, at the ref',
      { [physics]: Buffer.from([0x7b, 0xff]) },
      [q1],
      fault('The file is not UTF-8: it has the bytes FF here. Save it as UTF-8.', 1, 'at the ref'),
    ],
    [
      'nothing of a file that breaks its rules and did not change',
      { [physics]: paper([{ ...q1, answer: 'E' }]), [chemistry]: [q2] },
      { [physics]: paper([{ ...q1, answer: 'E' }]), [chemistry]: [q2] },
    ],
    [
      'a paper that a release has no name for',
      {},
      { [`${shiftPath}/Physics.json`]: [q1] },
      'Files that cannot be compared: Physics (now, line 1: A release cannot have an exam, shift or subject of this name.)',
      'Papers added: Physics',
    ],
    [
      'deeply nested values in place of a text',
      { [physics]: [q1], [examPath]: { label: 'NEET', subjects: ['physics'] } },
      { [physics]: deep, [examPath]: `{ "label": ${deep} }` },
      fault('Write this in braces, with a name before each value: { "...": ... }.'),
      `Files that cannot be compared: ${examPath} (now, line 1: The property "subjects" is missing.)`,
    ],
  ]);
});

/** What each edit of a question changes, and the title of its line in the report with the words after the place. */
const edits: Readonly<
  Record<
    string,
    (one: Question) => readonly [fields: Partial<Question>, title: string, words: string]
  >
> = {
  renumber: ({ id }) => [{ id: `new-${id}` }, 'Questions renumbered', ` -> new-${id}`],
  reword: (one) => [{ question: one.question.replace(' ', ', ') }, 'Questions edited', ' (text)'],
  'mark B': () => [{ answer: 'B' }, 'Answers changed', ' A (metre) -> B (second)'],
  'accept B': () => [
    { accepted: ['A', 'B'] },
    'Answers changed',
    ' A (metre) -> A (metre), accepted: A and B',
  ],
  drop: () => [{ dropped: true }, 'Answers changed', ' A (metre) -> A (metre), dropped'],
  topic: () => [{ topic: 'Other' }, 'Questions edited', ' (topic)'],
  difficulty: () => [{ difficulty: 'hard' }, 'Questions edited', ' (difficulty)'],
  options: (one) => [
    { options: [...one.options, { key: 'C', value: 'mole' }] },
    'Questions edited',
    ' (options)',
  ],
};

describe('The diff of random edits', () => {
  const pathOf = (paper: number) => `${shiftPath}/subject${paper}.json`;
  /** The last question of a paper, so that no paper is empty. */
  const kept = (paper: number) => questionOf(100 + paper);
  /** A question whose words occur in no other. */
  const questionOf = (number: number) =>
    question(`q${number}`, {
      question: Array.from('abcdefghijkl', (letter) => `${letter}${number}${letter}`).join(' '),
    });

  it('has exactly the edits', () => {
    const names = fc.constantFrom(
      'nothing',
      'nothing',
      'nothing',
      'remove',
      'move',
      ...Object.keys(edits),
    );
    const steps = fc.array(fc.record({ edit: names, to: fc.nat(2) }), { maxLength: 6 });
    const paper = fc.record({ steps, news: fc.nat(2), onTime: fc.boolean() });
    return fc.assert(
      fc.asyncProperty(fc.array(paper, { minLength: 3, maxLength: 3 }), async (papers) => {
        const before: Question[][] = papers.map(() => []);
        const after: Question[][] = papers.map(() => []);
        const touched = new Set<number>();
        const expected: string[] = [];
        const expect = (title: string, place: number, words: string) => {
          expected.push(`${title}: subject${place} ${words}`);
          touched.add(place);
        };
        let count = 0;
        for (const [from, { steps, news }] of papers.entries()) {
          for (const { edit, to } of steps) {
            count += 1;
            const one = questionOf(count);
            before[from]?.push(one);
            const [fields, title, words] = edits[edit]?.(one) ?? [{}];
            if (title) expect(title, from, `${one.id}${words}`);
            if (edit === 'remove') expect('Questions removed', from, one.id);
            else if (edit !== 'move') after[from]?.push({ ...one, ...fields });
            else after[to]?.push(one);
            if (edit !== 'move' || to === from) continue;
            expect('Questions moved to another paper', to, `${one.id} (from subject${from})`);
            touched.add(from);
          }
          for (let made = 0; made < news; made += 1) {
            count += 1;
            after[from]?.push(questionOf(count));
            expect('Questions added', from, `q${count}`);
          }
        }
        const oldTime = '2024-05-01T10:00:00Z';
        const side = (questions: Question[][], timeOf: (onTime: boolean) => string) =>
          Object.fromEntries(
            papers.map(({ onTime }, index) => [
              pathOf(index),
              {
                lastUpdated: timeOf(onTime),
                questions: [...(questions[index] ?? []), kept(index)],
              },
            ]),
          );
        for (const index of touched)
          if (!papers[index]?.onTime) expected.push(stale(`subject${index}`, oldTime));
        const lines = await compare(
          side(before, () => oldTime),
          side(after, (onTime) => (onTime ? '2024-06-01T10:00:00Z' : oldTime)),
        );
        assert.deepEqual(lines.sort(), expected.sort());
      }),
      { numRuns: 100 },
    );
  });

  it('is empty if nothing changed, and never throws, whatever the files contain', () => {
    const names = 'id type question options answer accepted diagrams key'.split(' ');
    const value = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom(...names), fc.jsonValue()),
    );
    const questions = fc.array(
      fc.oneof(value, fc.record({ id: fc.constantFrom('a', 'b'), options: fc.array(value) })),
    );
    const file = fc.oneof(value, fc.record({ lastUpdated: fc.jsonValue(), questions }));
    const of = (value: unknown) =>
      readSide(snapshot({ [pathOf(0)]: JSON.stringify(value), [examPath]: '{}' }, oldMoment));
    return fc.assert(
      fc.asyncProperty(file, file, async (one, other) => {
        assert.deepEqual(compareContent(await of(one), await of(one)), []);
        const sections = compareContent(await of(one), await of(other));
        const report = { ref: 'main', commit: 'abc', sections };
        assert.equal(
          typeof changesAsText(report) + typeof changesAsMarkdown(report),
          'stringstring',
        );
      }),
    );
  });
});
