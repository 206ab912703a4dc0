import type { Rule } from '../rule.ts';
import type { CheckedPaper } from './checked-paper.ts';

export const optionKeys: Rule<CheckedPaper> = {
  name: 'option-keys',
  description: "A question's options have keys of their own, in alphabetical order.",
  severity: 'error',
  *check(paper) {
    for (const {
      question: { options },
      pointer,
    } of paper.questions) {
      for (const [index, { key }] of options.entries()) {
        const before = options[index - 1]?.key;
        if (before === undefined || before < key) continue;
        yield {
          path: paper.path,
          pointer: `${pointer}/options/${index}/key`,
          message:
            before === key
              ? `Two options have the key "${key}".`
              : `The option "${key}" stands after "${before}".`,
        };
      }
    }
  },
};
