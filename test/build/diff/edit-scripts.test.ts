import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Question } from '../../../build/content/types.ts';
import { compareContent } from '../../../build/diff/compare.ts';
import { changesAsMarkdown } from '../../../build/diff/markdown.ts';
import type { ContentChanges } from '../../../build/diff/report.ts';
import type { FileValue, Snapshot } from '../../../build/diff/sides.ts';
import { changesAsText } from '../../../build/diff/text.ts';
import { noChanges, question } from './snapshots.ts';

/** An edit of one question. */
type Step =
  | { readonly does: 'nothing' | 'remove' | 'renumber' | 'reword' | 'mark B' | 'accept B' | 'drop' }
  | { readonly does: 'move'; readonly to: number }
  | { readonly does: 'set'; readonly field: 'topic' | 'difficulty' | 'options' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Step>({ does: 'nothing' }) },
  fc.record({ does: fc.constantFrom('remove', 'renumber', 'reword', 'mark B', 'accept B', 'drop') }),
  fc.record({ does: fc.constant('move'), to: fc.nat(2) }),
  fc.record({ does: fc.constant('set'), field: fc.constantFrom('topic', 'difficulty', 'options') }),
) as fc.Arbitrary<Step>;

/** For each paper, the edits of its questions, the number of added questions, and whether its lastUpdated changes. */
const script = fc.array(
  fc.record({ steps: fc.array(step, { maxLength: 6 }), news: fc.nat(2), onTime: fc.boolean() }),
  { minLength: 3, maxLength: 3 },
);

const letters = 'abcdefghijklmnopqrstuvwxyz';
const pathOf = (paper: number) => `neet/2024/2024-05-05-s1/subject${paper}.json`;

/** A text whose words occur only in the text of this number. */
function textOf(number: number): string {
  const words = Array.from(
    { length: 12 },
    (_, word) => `${letters.charAt(word)}${number}${letters.charAt(word)}`,
  );
  return words.join(' ');
}

/** The lists of a report, with a line for each change. */
type Lines = Record<'added' | 'removed' | 'renumbered' | 'moved' | 'answers' | 'edits', string[]>;

interface Effect {
  /** Absent if the question is removed. */
  readonly fields?: Partial<Question>;
  /** The expected line of the report. Absent if nothing changes. */
  readonly line?: readonly [list: keyof Lines, text: string];
  /** The paper of the question after the edit, if it is another. */
  readonly to?: number;
}

function effectOf(step: Step, paper: number, one: Question): Effect {
  const place = `${pathOf(paper)} ${one.id}`;
  switch (step.does) {
    case 'nothing':
      return { fields: {} };
    case 'remove':
      return { line: ['removed', place] };
    case 'renumber':
      return { fields: { id: `new-${one.id}` }, line: ['renumbered', `${place} new-${one.id}`] };
    case 'reword':
      return { fields: { question: one.question.replace(' ', ', ') }, line: ['edits', `${place} question`] };
    case 'mark B':
      return { fields: { answer: 'B' }, line: ['answers', place] };
    case 'accept B':
      return { fields: { accepted: ['A', 'B'] }, line: ['answers', place] };
    case 'drop':
      return { fields: { dropped: true }, line: ['answers', place] };
    case 'set':
      return { fields: otherFields[step.field](one), line: ['edits', `${place} ${step.field}`] };
    case 'move':
      if (step.to === paper) return { fields: {} };
      return {
        fields: {},
        to: step.to,
        line: ['moved', `${one.id} ${pathOf(paper)} ${pathOf(step.to)}`],
      };
  }
}

const otherFields = {
  topic: (): Partial<Question> => ({ topic: 'Other' }),
  difficulty: (): Partial<Question> => ({ difficulty: 'hard' }),
  options: ({ options }: Question): Partial<Question> => ({
    options: [...options, { key: 'C', value: 'mole' }],
  }),
};

/** Applies edits to papers and collects the expected lines of the report. */
class EditedPapers {
  readonly before: Question[][] = [];
  readonly after: Question[][] = [];
  readonly expected: Lines = { added: [], removed: [], renumbered: [], moved: [], answers: [], edits: [] };
  readonly touched = new Set<number>();
  #made = 0;

  newQuestion(): Question {
    this.#made += 1;
    return question(`q${this.#made}`, { question: textOf(this.#made) });
  }

  do(step: Step, paper: number, one: Question): void {
    const { fields, line, to = paper } = effectOf(step, paper, one);
    if (fields) this.after[to]?.push({ ...one, ...fields });
    if (!line) return;
    this.touched.add(paper).add(to);
    this.expected[line[0]].push(line[1]);
  }

  add(paper: number): void {
    this.touched.add(paper);
    const one = this.newQuestion();
    this.after[paper]?.push(one);
    this.expected.added.push(`${pathOf(paper)} ${one.id}`);
  }
}

function snapshotOf(papers: readonly (readonly Question[])[], monthOf: (paper: number) => string): Snapshot {
  const files = papers.map((questions, paper): [string, FileValue] => [
    pathOf(paper),
    { value: { lastUpdated: `2024-${monthOf(paper)}-01T10:00:00Z`, questions } },
  ]);
  return { files: new Map(files), diagrams: new Map() };
}

/** The lists of a report as lines. */
function linesOf({ added, removed, renumbered, moved, answers, edits }: ContentChanges): Lines {
  return {
    added: added.map(({ path, id }) => `${path} ${id}`),
    removed: removed.map(({ path, id }) => `${path} ${id}`),
    renumbered: renumbered.map(({ before, after }) => `${before.path} ${before.id} ${after.id}`),
    moved: moved.map(({ id, from, to }) => `${id} ${from} ${to}`),
    answers: answers.map(({ path, id }) => `${path} ${id}`),
    edits: edits.map(({ path, id, fields }) => `${path} ${id} ${fields.join()}`),
  };
}

function sorted(lists: Lines): object {
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, [...list].sort()]));
}

describe('The diff of random edits', () => {
  it('has exactly the edits', () => {
    fc.assert(
      fc.property(script, (papers) => {
        const edited = new EditedPapers();
        for (const { steps } of papers) {
          edited.before.push(steps.map(() => edited.newQuestion()));
          edited.after.push([]);
        }
        for (const [paper, { steps, news }] of papers.entries()) {
          for (const [index, step] of steps.entries()) {
            const one = edited.before[paper]?.[index];
            if (one) edited.do(step, paper, one);
          }
          for (let count = 0; count < news; count += 1) edited.add(paper);
        }
        const report = compareContent(
          snapshotOf(edited.before, () => '05'),
          snapshotOf(edited.after, (paper) => (papers[paper]?.onTime ? '06' : '05')),
        );
        assert.deepEqual(sorted(linesOf(report)), sorted(edited.expected));
        const stale = [...edited.touched].filter((paper) => !papers[paper]?.onTime);
        assert.deepEqual(
          report.stale.map(({ path }) => path),
          stale.sort().map(pathOf),
        );
        assert.deepEqual([report.reordered, report.incomparable], [[], []]);
      }),
      { numRuns: 500 },
    );
  });

  it('is empty if nothing changed, and never throws, whatever the files contain', () => {
    const names = fc.constantFrom(
      'id',
      'type',
      'question',
      'options',
      'answer',
      'accepted',
      'diagrams',
      'key',
    );
    const value = fc.oneof(fc.jsonValue(), fc.dictionary(names, fc.jsonValue()));
    const questions = fc.array(
      fc.oneof(value, fc.record({ id: fc.constantFrom('a', 'b'), options: fc.array(value) })),
    );
    const file = fc.oneof(value, fc.record({ lastUpdated: fc.jsonValue(), questions }));
    fc.assert(
      fc.property(file, file, (one, other) => {
        const of = (value: unknown): Snapshot => ({
          files: new Map([pathOf(0), 'neet/exam.json'].map((path) => [path, { value }])),
          diagrams: new Map(),
        });
        assert.deepEqual({ ...compareContent(of(one), of(one)), incomparable: [] }, noChanges);
        const report = { ref: 'main', commit: 'abc', ...compareContent(of(one), of(other)) };
        assert.equal(typeof changesAsText(report) + typeof changesAsMarkdown(report), 'stringstring');
      }),
    );
  });
});
