import type { Bank } from '../../read/bank.ts';
import type { RelatedPlace, Rule } from '../rule.ts';

export const uniqueIds: Rule<Bank> = {
  name: 'unique-ids',
  description: 'No two questions of the bank have the same id.',
  severity: 'error',
  *check(bank) {
    const first = new Map<string, RelatedPlace>();
    for (const { path, questions } of bank.papers) {
      for (const {
        question: { id },
        pointer: at,
      } of questions) {
        const pointer = `${at}/id`;
        const earlier = first.get(id);
        if (earlier) {
          yield {
            path,
            pointer,
            message: `The id "${id}" is given twice: every question has its own.`,
            related: [earlier],
          };
        } else {
          first.set(id, { path, pointer, message: 'It stands here first.' });
        }
      }
    }
  },
};
