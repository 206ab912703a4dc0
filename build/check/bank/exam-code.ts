import { reservedNames } from '../../release/reserved.ts';
import type { BankFacts } from '../facts.ts';
import type { Rule } from '../rule.ts';

export const examCode: Rule<BankFacts> = {
  name: 'exam-code',
  description:
    'An exam code is lower-case letters and digits, a letter first, and no name that the service uses itself.',
  severity: 'error',
  strict: true,
  example: { wrong: 'content/JEE-Main/exam.json', right: 'content/jeemain/exam.json' },
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
