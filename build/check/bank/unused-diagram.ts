import type { Bank } from '../../read/bank.ts';
import type { Rule } from '../rule.ts';

export const unusedDiagram: Rule<Bank> = {
  name: 'unused-diagram',
  description: 'Every diagram is named by a question of its shift; one that is not would not be published.',
  severity: 'warning',
  *check(bank) {
    const used = new Set<string>();
    const unread = new Set<string>();
    for (const { exam, year, shift, content, questions } of bank.papers) {
      if (!content) unread.add(`${exam}/${year}/${shift}`);
      for (const {
        question: { diagrams = [] },
      } of questions) {
        for (const { file } of diagrams) used.add(`${exam}/${year}/${shift}/diagrams/${file}`);
      }
    }
    for (const { path, exam, year, shift } of bank.diagrams) {
      // A paper that broke its schema may well name it.
      if (used.has(path) || unread.has(`${exam}/${year}/${shift}`)) continue;
      yield { path, pointer: '', message: 'No question of this shift names this diagram.' };
    }
  },
};
