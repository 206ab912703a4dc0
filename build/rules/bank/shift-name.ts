import type { BankFacts } from '../facts.ts';
import type { Rule } from '../rule.ts';
import { shiftFault } from '../shift-fault.ts';

export const shiftName: Rule<BankFacts> = {
  name: 'shift-name',
  description:
    'A shift is named <YYYY>-<MM>-<DD>-s<n>, with a real date of the year whose folder it stands in.',
  severity: 'error',
  strict: true,
  example: { wrong: 'content/neet/2024/2024-02-30-s1/', right: 'content/neet/2024/2024-02-29-s1/' },
  *check(bank) {
    for (const place of bank.shifts) {
      const message = shiftFault(place);
      if (message) yield { path: place.path, pointer: '', message };
    }
  },
};
