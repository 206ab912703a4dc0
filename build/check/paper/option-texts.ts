import type { Rule } from '../rule.ts';
import type { CheckedPaper } from './checked-paper.ts';

export const optionTexts: Rule<CheckedPaper> = {
  name: 'option-texts',
  description: 'No two options of a question say the same.',
  severity: 'error',
  *check(paper) {
    for (const {
      question: { options },
      pointer,
    } of paper.questions) {
      for (const [index, { key, value }] of options.entries()) {
        const twin = options.slice(0, index).find((option) => option.value.trim() === value.trim());
        if (!twin) continue;
        const path = paper.path;
        yield {
          path,
          pointer: `${pointer}/options/${index}/value`,
          message: `The options ${twin.key} and ${key} say the same.`,
        };
      }
    }
  },
};
