import type { CheckedPaper } from '../checked.ts';
import type { Rule } from '../rule.ts';

export const optionTexts: Rule<CheckedPaper> = {
  name: 'option-texts',
  description: 'No two options of a question say the same; more or less space makes no difference.',
  severity: 'error',
  example: {
    wrong: '{ "key": "A", "value": "2 m" }, { "key": "C", "value": "2 m" }',
    right: '{ "key": "A", "value": "2 m" }, { "key": "C", "value": "4 m" }',
  },
  *check({ path, questions }) {
    for (const { question, pointer } of questions) {
      const { options } = question;
      for (let index = 1; index < options.length; index += 1) {
        const option = options[index];
        for (let earlier = 0; earlier < index; earlier += 1) {
          const twin = options[earlier];
          if (!option || !twin || !saySame(option.value, twin.value)) continue;
          yield {
            path,
            pointer: `${pointer}/options/${index}/value`,
            message: `The options ${twin.key} and ${option.key} say the same.`,
            related: [
              {
                path,
                pointer: `${pointer}/options/${earlier}/value`,
                message: `This is option ${twin.key}.`,
              },
            ],
          };
          break;
        }
      }
    }
  },
};

/**
 * Whether two texts are the same but for how much space is in them. They are compared as they stand, since most
 * differ in their first characters.
 */
function saySame(one: string, other: string): boolean {
  let [left, right] = [pastSpace(one, 0), pastSpace(other, 0)];
  while (left < one.length && right < other.length) {
    const [space, otherSpace] = [isSpace(one.charCodeAt(left)), isSpace(other.charCodeAt(right))];
    if (space || otherSpace) {
      const [next, otherNext] = [pastSpace(one, left), pastSpace(other, right)];
      // Space at an end is none, whatever the other text has there.
      if (space !== otherSpace && next < one.length && otherNext < other.length) return false;
      [left, right] = [next, otherNext];
    } else if (one.charCodeAt(left) === other.charCodeAt(right)) {
      left += 1;
      right += 1;
    } else return false;
  }
  return pastSpace(one, left) >= one.length && pastSpace(other, right) >= other.length;
}

function pastSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) || unit === 0xa0;
}
