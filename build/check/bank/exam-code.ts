import type { Bank } from '../../read/bank.ts';
import { reservedNames } from '../../release/reserved.ts';
import type { Rule } from '../rule.ts';

export const examCode: Rule<Bank> = {
  name: 'exam-code',
  description:
    'An exam code is lower-case letters and digits, a letter first, and no name that the service uses itself.',
  severity: 'error',
  *check(bank) {
    for (const { code, path } of bank.exams) {
      if (reservedNames.has(code)) {
        yield {
          path,
          pointer: '',
          message: `"${code}" is a name that the service uses itself. Name the exam's folder otherwise.`,
        };
      } else if (!/^[a-z][a-z0-9]*$/.test(code)) {
        yield {
          path,
          pointer: '',
          message: `"${code}" is no exam code: lower-case letters and digits, a letter first, like jeemain.`,
        };
      }
    }
  },
};
