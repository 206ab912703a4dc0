import type { Question } from '../../read/content.ts';
import type { Rule } from '../rule.ts';
import type { CheckedPaper } from './checked-paper.ts';

export const answerAmongOptions: Rule<CheckedPaper> = {
  name: 'answer-among-options',
  description:
    'Every key that an answer names is the key of an option; several are named once each, in order.',
  severity: 'error',
  *check(paper) {
    for (const { question, pointer } of paper.questions) {
      if (question.type === 'numerical') continue;
      const answers: [string, string][] = [[question.answer, `${pointer}/answer`]];
      for (const [index, answer] of (question.accepted ?? []).entries())
        answers.push([answer, `${pointer}/accepted/${index}`]);
      for (const [answer, at] of answers) {
        const message = fault(answer, question);
        if (message) yield { path: paper.path, pointer: at, message };
      }
    }
  },
};

function fault(answer: string, { options }: Question): string | undefined {
  const named = answer.split(',');
  const keys = options.map(({ key }) => key);
  const missing = named.find((key) => !keys.includes(key));
  if (missing !== undefined)
    return `"${missing}" is the key of no option: the options are ${keys.join(', ')}.`;
  const ordered = [...new Set(named)].sort().join(',');
  return answer === ordered ? undefined : `The keys are named once each, in order: write "${ordered}".`;
}
