import type { Option } from '../../content/content.ts';
import type { CheckedPaper } from '../checked.ts';
import type { Finding, Rule } from '../rule.ts';

export const answerAmongOptions: Rule<CheckedPaper> = {
  name: 'answer-among-options',
  description:
    'Every key that an answer names is the key of an option; several are named once each, in order.',
  severity: 'error',
  strict: true,
  example: {
    wrong: '"options": [{ "key": "A", ... }, { "key": "B", ... }], "answer": "C"',
    right: '"options": [{ "key": "A", ... }, { "key": "B", ... }], "answer": "B"',
  },
  *check({ path, questions }) {
    for (const { question, pointer } of questions) {
      const { type, options, answer, accepted } = question;
      if (type === 'numerical') continue;
      const related = [{ path, pointer: `${pointer}/options`, message: 'The options stand here.' }];
      const found = fault(answer, options);
      if (found) yield { path, pointer: `${pointer}/answer`, ...found, related };
      for (const [index, other] of accepted?.entries() ?? []) {
        const wrong = fault(other, options);
        if (wrong) yield { path, pointer: `${pointer}/accepted/${index}`, ...wrong, related };
      }
    }
  },
};

/** Most answers are one key. */
function fault(
  answer: string,
  options: readonly Option[],
): Pick<Finding, 'message' | 'part' | 'suggestion'> | undefined {
  if (answer.length === 1 && isKey(answer, options)) return undefined;
  const named = answer.split(',');
  const missing = named.findIndex((key) => !isKey(key, options));
  if (missing >= 0) {
    const start = missing * 'A,'.length;
    return {
      message: `"${named[missing]}" is the key of no option: the options are ${options.map(({ key }) => key).join(', ')}.`,
      ...(named.length > 1 && { part: { of: 'value', start, end: start + 1 } }),
    };
  }
  const ordered = [...new Set(named)].sort().join(',');
  if (answer === ordered) return undefined;
  return { message: `The keys are named once each, in order: write "${ordered}".`, suggestion: ordered };
}

function isKey(key: string, options: readonly Option[]): boolean {
  for (const option of options) if (option.key === key) return true;
  return false;
}
