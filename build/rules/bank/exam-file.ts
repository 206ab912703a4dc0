import type { BankFacts } from '../facts.ts';
import type { Rule } from '../rule.ts';

export const examFile: Rule<BankFacts> = {
  name: 'exam-file',
  description: 'Every folder with papers has an exam.json that says what exam they are of.',
  severity: 'error',
  strict: true,
  example: {
    wrong: 'content/neet/2024/...   (and no content/neet/exam.json)',
    right: 'content/neet/exam.json: { "label": "NEET", "subjects": ["physics"] }',
  },
  *check(bank) {
    // What stands there and is no file is told as that.
    const described = new Set([...bank.exams, ...bank.strays].map(({ path }) => path));
    for (const { exam, path } of bank.papers) {
      const file = `${exam}/exam.json`;
      if (described.has(file)) continue;
      described.add(file);
      yield {
        path,
        pointer: '',
        message: `The exam of this paper has no ${file}: write one with its label and subjects.`,
      };
    }
  },
};
