import type { Option } from '../../content/content.ts';
import type { CheckedPaper } from '../checked.ts';
import type { Finding, Rule } from '../rule.ts';

export const optionKeys: Rule<CheckedPaper> = {
  name: 'option-keys',
  description: "A question's options have keys of their own, in alphabetical order.",
  severity: 'error',
  example: {
    wrong: '"options": [{ "key": "B", ... }, { "key": "A", ... }]',
    right: '"options": [{ "key": "A", ... }, { "key": "B", ... }]',
  },
  *check({ path, questions }) {
    for (const { question, pointer } of questions) {
      const { options } = question;
      let before = '';
      let isSorted = true;
      for (let index = 0; index < options.length; index += 1) {
        const key = options[index]?.key ?? '';
        if (before >= key) {
          const found = fault(path, `${pointer}/options`, options, index);
          // Of options that want sorting, one is enough.
          if (found.related || isSorted) yield found;
          if (!found.related) isSorted = false;
        }
        before = key;
      }
    }
  },
};

function fault(path: string, pointer: string, options: readonly Option[], index: number): Finding {
  const key = options[index]?.key ?? '';
  const at = { path, pointer: `${pointer}/${index}/key` };
  const first = options.findIndex((option) => option.key === key);
  if (first === index)
    return { ...at, message: `The option "${key}" stands after "${options[index - 1]?.key}": sort them.` };
  const inTurn = String.fromCharCode('A'.charCodeAt(0) + index);
  const isFree = inTurn <= 'Z' && options.every((option) => option.key !== inTurn);
  return {
    ...at,
    message: `Two options have the key "${key}".`,
    ...(isFree && { suggestion: inTurn }),
    related: [{ path, pointer: `${pointer}/${first}/key`, message: 'It is given here first.' }],
  };
}
