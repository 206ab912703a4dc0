import type { CheckedPaper } from '../checked.ts';
import type { Rule } from '../rule.ts';

export const droppedQuestion: Rule<CheckedPaper> = {
  name: 'dropped-question',
  description: 'A question that was dropped has no accepted answers: none of them scores.',
  severity: 'warning',
  example: {
    wrong: '"answer": "A", "accepted": ["A", "C"], "dropped": true',
    right: '"answer": "A", "dropped": true',
  },
  *check({ path, questions }) {
    for (const { question, pointer } of questions) {
      if (!question.dropped || !question.accepted) continue;
      yield {
        path,
        pointer: `${pointer}/accepted`,
        message: 'This question was dropped, and nothing scores: remove one of the two properties.',
        related: [{ path, pointer: `${pointer}/dropped`, message: 'It is said to be dropped here.' }],
      };
    }
  },
};
