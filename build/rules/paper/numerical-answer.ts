import type { CheckedPaper } from '../checked.ts';
import type { Finding, Rule } from '../rule.ts';

export const numericalAnswer: Rule<CheckedPaper> = {
  name: 'numerical-answer',
  description:
    'A numerical answer is a number that programs can hold (IEEE 754 binary64), and zero has no sign.',
  severity: 'error',
  example: { wrong: '"type": "numerical", "answer": "-0"', right: '"type": "numerical", "answer": "0"' },
  *check({ path, questions }) {
    for (const { question, pointer } of questions) {
      if (question.type !== 'numerical') continue;
      const found = fault(question.answer);
      if (found) yield { path, pointer: `${pointer}/answer`, ...found };
      for (const [index, answer] of question.accepted?.entries() ?? []) {
        const wrong = fault(answer);
        if (wrong) yield { path, pointer: `${pointer}/accepted/${index}`, ...wrong };
      }
    }
  },
};

const minus = 0x2d;
/** Digits that no number loses. */
const always = 15;

function fault(answer: string): Pick<Finding, 'message' | 'suggestion'> | undefined {
  if (answer.charCodeAt(0) === minus && Number(answer) === 0)
    return { message: 'Zero has no sign.', suggestion: answer.slice(1) };
  if (answer.length <= always) return undefined;
  const digits = answer.replace(/^-?0*\.?0*|\.|\.?0+$/g, '');
  return digits.length > always || !Number.isFinite(Number(answer))
    ? { message: `No program holds so many digits: ${always} are the most that are safe.` }
    : undefined;
}
