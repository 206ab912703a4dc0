import type { Bank } from '../../read/bank.ts';
import type { Rule } from '../rule.ts';

export const examFile: Rule<Bank> = {
  name: 'exam-file',
  description: 'Every folder with papers has an exam.json that says what exam they are of.',
  severity: 'error',
  *check(bank) {
    const described = new Set(bank.exams.map(({ code }) => code));
    for (const { exam, path } of bank.papers) {
      if (described.has(exam)) continue;
      described.add(exam);
      yield {
        path,
        pointer: '',
        message: `The exam of this paper has no ${exam}/exam.json: write one with its label and subjects.`,
      };
    }
  },
};
