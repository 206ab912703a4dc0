import type { ChangeReport, Scoring } from '../../../build/diff/report.ts';
import { chemistry, noChanges, physics } from './snapshots.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';

/** A report with these changes since `main`. */
export function reportOf(changes: Partial<ChangeReport>): ChangeReport {
  return { ref: 'main', commit, ...noChanges, ...changes };
}

const scoring: Scoring = { answer: 'A', texts: ['metre'], accepted: [], dropped: false };

/** A report with a change of every kind. */
export const everyChange = reportOf({
  papers: { added: [chemistry], removed: ['neet/2023/2023-05-07-s1/physics.json'] },
  translations: {
    added: ['neet/2024/2024-05-05-s1/physics.hi.json'],
    removed: ['neet/2024/2024-05-05-s1/physics.ta.json'],
    questions: [{ id: 'q2', path: 'neet/2024/2024-05-05-s1/physics.bn.json', change: 'changed' }],
  },
  marks: [chemistry],
  passages: [{ id: 'p1', path: physics, change: 'removed' }],
  added: [{ id: 'q3', path: chemistry }],
  removed: [{ id: 'q1', path: 'neet/2023/2023-05-07-s1/physics.json' }],
  renumbered: [
    { before: { id: 'q4', path: physics }, after: { id: 'q5', path: physics }, reused: false },
    { before: { id: 'q6', path: physics }, after: { id: 'q7', path: chemistry }, reused: true },
  ],
  moved: [{ id: 'q8', from: physics, to: chemistry }],
  answers: [
    {
      id: 'q5',
      path: physics,
      before: scoring,
      after: { answer: 'B', texts: ['second'], accepted: ['A', 'B'], dropped: true },
    },
    {
      id: 'q9',
      path: physics,
      before: { ...scoring, texts: [] },
      after: { ...scoring, answer: '', texts: [] },
    },
  ],
  edits: [
    { id: 'q2', path: physics, fields: ['question', 'topic'] },
    { id: 'q5', path: physics, fields: ['topic', 'accepted'] },
  ],
  reordered: [physics],
  stale: [
    { path: physics, before: '2024-06-01T10:00:00Z', after: '2024-06-01T10:00:00Z', fault: 'same' },
    { path: chemistry, before: '2024-06-01T10:00:00Z', after: '2024-05-01T10:00:00Z', fault: 'earlier' },
  ],
  diagrams: ['neet/2024/2024-05-05-s1/diagrams/q2-lens.svg'],
  exams: [{ path: 'neet/exam.json', change: 'changed' }],
  incomparable: [{ path: physics, side: 'before', reason: 'It is not UTF-8.' }],
});
