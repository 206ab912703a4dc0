import type { Bank } from '../../read/bank.ts';
import type { Rule } from '../rule.ts';

export const subjectAllowed: Rule<Bank> = {
  name: 'subject-allowed',
  description: "A paper's subject is one that exam.json lists.",
  severity: 'error',
  *check(bank) {
    for (const exam of bank.exams) {
      if (!exam.content) continue;
      const { subjects } = exam.content;
      for (const { path, subject } of bank.papers.filter((paper) => paper.exam === exam.code)) {
        if (subjects.includes(subject)) continue;
        yield {
          path,
          pointer: '',
          message: `"${subject}" is no subject of ${exam.content.label}, which has ${subjects.join(', ')}.`,
          related: [{ path: exam.path, pointer: '/subjects', message: 'The subjects are listed here.' }],
        };
      }
    }
  },
};
