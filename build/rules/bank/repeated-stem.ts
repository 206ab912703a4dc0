import type { BankFacts, TextPlace } from '../facts.ts';
import type { Rule } from '../rule.ts';

export const repeatedStem: Rule<BankFacts> = {
  name: 'repeated-stem',
  description: 'A question is asked in one paper; the same text in two may be one that was copied.',
  severity: 'warning',
  example: {
    wrong: '"question": "Which of these is a vector?" in physics.json of two shifts',
    right: 'each question once, or an exception that says why it was asked again',
  },
  *check({ repeatedStems, repeatedIds }) {
    // A question that was copied with its id is told by that.
    const copied = new Set(repeatedIds.flatMap(({ places }) => places.slice(1).map(questionOf)));
    for (const { places, total } of repeatedStems) {
      const own = places.filter((place) => !copied.has(questionOf(place)));
      const [first, again, ...others] = own;
      if (!first || !again) continue;
      const more = total - (places.length - own.length) - 1;
      yield {
        ...again,
        message: `The same question is asked in ${more === 1 ? 'another paper' : `${more} other papers`}.`,
        related: [first, ...others].map((place) => ({
          ...place,
          message: 'It stands here too.',
        })),
      };
    }
  },
};

/** The question that a text belongs to. */
function questionOf({ path, pointer }: TextPlace): string {
  return `${path}#${pointer.slice(0, pointer.lastIndexOf('/'))}`;
}
