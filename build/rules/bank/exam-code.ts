import { examFault } from '../exam-fault.ts';
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
      const message = examFault(code);
      if (message) yield { path, pointer: '', message };
    }
  },
};
