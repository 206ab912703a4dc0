import type { Rule } from '../rule.ts';
import type { CheckedPaper } from './checked-paper.ts';

export const acceptedAnswer: Rule<CheckedPaper> = {
  name: 'accepted-answer',
  description: 'Where several answers are accepted, the answer itself is one of them.',
  severity: 'error',
  *check(paper) {
    for (const {
      question: { answer, accepted },
      pointer,
    } of paper.questions) {
      if (!accepted || accepted.includes(answer)) continue;
      yield {
        path: paper.path,
        pointer: `${pointer}/accepted`,
        message: `The answer "${answer}" is not among the accepted ones (${accepted.join('; ')}).`,
        related: [{ path: paper.path, pointer: `${pointer}/answer`, message: 'The answer stands here.' }],
      };
    }
  },
};
