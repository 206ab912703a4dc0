import type { BankFacts } from '../facts.ts';
import { nearest } from '../nearest.ts';
import type { Rule } from '../rule.ts';

export const subjectAllowed: Rule<BankFacts> = {
  name: 'subject-allowed',
  description: "A paper's subject is one that exam.json lists.",
  severity: 'error',
  strict: true,
  example: {
    wrong: 'content/neet/2024/2024-05-05-s1/history.json',
    right: 'content/neet/2024/2024-05-05-s1/biology.json',
  },
  *check(bank) {
    for (const exam of bank.exams) {
      if (!exam.content) continue;
      const { subjects } = exam.content;
      for (const { path, subject } of bank.papers.filter((paper) => paper.exam === exam.code)) {
        if (subjects.includes(subject)) continue;
        const meant = nearest(subject, subjects);
        yield {
          path,
          pointer: '',
          message: `"${subject}" is no subject of ${exam.content.label}, which has ${subjects.join(', ')}.${meant === undefined ? '' : ` Is it ${meant}.json?`}`,
          related: [{ path: exam.path, pointer: '/subjects', message: 'The subjects are listed here.' }],
        };
      }
    }
  },
};
