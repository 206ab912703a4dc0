import type { BankFacts } from '../facts.ts';
import type { Rule } from '../rule.ts';

export const uniqueIds: Rule<BankFacts> = {
  name: 'unique-ids',
  description: 'No two questions of the bank have the same id.',
  severity: 'error',
  strict: true,
  example: {
    wrong: 'physics.json: "id": "neet-2024-05-05-s1-physics-01", and once more in chemistry.json',
    right: 'chemistry.json: "id": "neet-2024-05-05-s1-chemistry-01"',
  },
  *check({ repeatedIds }) {
    for (const { text, places } of repeatedIds) {
      const [first, ...others] = places;
      if (!first) continue;
      for (const place of others) {
        yield {
          ...place,
          message: `The id "${text}" is given twice: every question has its own.`,
          related: [{ ...first, message: 'It stands here first.' }],
        };
      }
    }
  },
};
