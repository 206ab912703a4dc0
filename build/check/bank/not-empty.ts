import type { Bank } from '../../read/bank.ts';
import type { Rule } from '../rule.ts';

export const notEmpty: Rule<Bank> = {
  name: 'not-empty',
  description: 'A bank has at least one exam, and an exam at least one paper.',
  severity: 'error',
  *check(bank) {
    if (bank.exams.length === 0 && bank.papers.length === 0) {
      yield {
        path: '',
        pointer: '',
        message:
          'The content folder holds no exam: write <exam>/exam.json and <exam>/<year>/<shift>/<subject>.json.',
      };
    }
    for (const { code, path } of bank.exams) {
      if (!bank.papers.some(({ exam }) => exam === code)) {
        yield {
          path,
          pointer: '',
          message: `The exam has no papers: write ${code}/<year>/<shift>/<subject>.json.`,
        };
      }
    }
  },
};
