import type { CheckedPaper } from '../checked.ts';
import type { Rule } from '../rule.ts';

/** Milliseconds by which clocks may differ. */
const skew = 5 * 60 * 1000;

export const updated: Rule<CheckedPaper> = {
  name: 'updated',
  description: 'A file was last updated before now, not in the future.',
  severity: 'error',
  example: {
    wrong: '"lastUpdated": "2204-06-01T10:00:00Z"',
    right: '"lastUpdated": "2024-06-01T10:00:00Z"',
  },
  *check({ path, lastUpdated, now }) {
    if (lastUpdated === undefined || !(Date.parse(lastUpdated) > now.getTime() + skew)) return;
    yield {
      path,
      pointer: '/lastUpdated',
      message: `This moment is in the future: it is ${now.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length)}Z now.`,
    };
  },
};
