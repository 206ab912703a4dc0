import type { BankFacts } from '../facts.ts';
import type { Rule } from '../rule.ts';

export const readableFolder: Rule<BankFacts> = {
  name: 'readable-folder',
  description: 'Every folder of the bank can be listed.',
  severity: 'error',
  strict: true,
  example: {
    wrong: 'drwx------ root  2024-05-05-s1/   (and the build runs as another user)',
    right: 'drwxr-xr-x root  2024-05-05-s1/',
  },
  *check({ unreadable }) {
    for (const { path, code } of unreadable)
      yield { path, pointer: '', message: `The folder cannot be listed (${code}). Allow reading it.` };
  },
};
