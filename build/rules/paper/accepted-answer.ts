import type { Question } from '../../content/content.ts';
import type { CheckedPaper } from '../checked.ts';
import type { Finding, Rule } from '../rule.ts';
import { sameAnswer } from './same-answer.ts';

export const acceptedAnswer: Rule<CheckedPaper> = {
  name: 'accepted-answer',
  description:
    'Where several answers are accepted, the answer itself is one of them, to the letter, and none is there twice in another spelling.',
  severity: 'error',
  example: {
    wrong: '"answer": "A", "accepted": ["B", "C"]',
    right: '"answer": "A", "accepted": ["A", "C"]',
  },
  *check({ path, questions }) {
    for (const { question, pointer } of questions) {
      const { accepted } = question;
      if (accepted) yield* faults(path, pointer, question, accepted);
    }
  },
};

function* faults(
  path: string,
  pointer: string,
  { answer }: Question,
  accepted: readonly string[],
): Generator<Finding> {
  const related = [{ path, pointer: `${pointer}/answer`, message: 'The answer stands here.' }];
  const isListed = accepted.includes(answer);
  const same = accepted.findIndex((other) => sameAnswer(other, answer));
  if (!isListed && same < 0) {
    const message = `The answer "${answer}" is not among the accepted ones (${accepted.slice(0, 5).join('; ')}).`;
    yield { path, pointer: `${pointer}/accepted`, message, related };
  }
  if (!isListed && same >= 0) {
    const message = `This is the answer, "${answer}", in another spelling: one of them is to be used.`;
    yield { path, pointer: `${pointer}/accepted/${same}`, message, suggestion: answer, related };
  }
  for (const [index, other] of accepted.entries()) {
    const first = accepted.findIndex((earlier) => sameAnswer(earlier, other));
    if (first < 0 || first === index) continue;
    yield {
      path,
      pointer: `${pointer}/accepted/${index}`,
      message: `"${other}" is accepted already, as "${accepted[first]}".`,
      related: [{ path, pointer: `${pointer}/accepted/${first}`, message: 'It stands here first.' }],
    };
  }
}
