/** Rules on the options and answers of questions. */
import type { Question } from '../content/types.ts';
import type { Option } from '../release/resources.ts';
import type { CheckedPaper, Finding, Rule } from './rule.ts';

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
          const found = optionKeyFinding(path, `${pointer}/options`, options, index);
          // One finding is enough for all options in the wrong order.
          if (found.related || isSorted) yield found;
          if (!found.related) isSorted = false;
        }
        before = key;
      }
    }
  },
};

function optionKeyFinding(path: string, pointer: string, options: readonly Option[], index: number): Finding {
  const key = options[index]?.key ?? '';
  const at = { path, pointer: `${pointer}/${index}/key` };
  const first = options.findIndex((option) => option.key === key);
  if (first === index)
    return {
      ...at,
      message: `The option "${key}" comes after "${options[index - 1]?.key}". Sort the options by key.`,
    };
  const next = String.fromCharCode('A'.charCodeAt(0) + index);
  const isFree = next <= 'Z' && options.every((option) => option.key !== next);
  return {
    ...at,
    message: `Two options have the key "${key}".`,
    suggestion: isFree ? next : undefined,
    related: [{ path, pointer: `${pointer}/${first}/key`, message: 'The first one is here.' }],
  };
}

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
          if (!option || !twin || !areEqualWithoutSpace(option.value, twin.value)) continue;
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
 * Whether two texts are equal when runs of space count as one space. They are compared character by character, since most
 * differ in the first ones.
 */
function areEqualWithoutSpace(one: string, other: string): boolean {
  let [left, right] = [pastSpace(one, 0), pastSpace(other, 0)];
  while (left < one.length && right < other.length) {
    const [space, otherSpace] = [isSpace(one.charCodeAt(left)), isSpace(other.charCodeAt(right))];
    if (space || otherSpace) {
      const [next, otherNext] = [pastSpace(one, left), pastSpace(other, right)];
      // Space at an end does not count.
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

export const answerAmongOptions: Rule<CheckedPaper> = {
  name: 'answer-among-options',
  description:
    'Every key that an answer names is the key of an option; several are named once each, in order.',
  severity: 'error',
  strict: true,
  example: {
    wrong: '"options": [{ "key": "A", ... }, { "key": "B", ... }], "answer": "C"',
    right: '"options": [{ "key": "A", ... }, { "key": "B", ... }], "answer": "B"',
  },
  *check({ path, questions }) {
    for (const { question, pointer } of questions) {
      const { type, options, answer, accepted } = question;
      if (type === 'numerical') continue;
      const related = [{ path, pointer: `${pointer}/options`, message: 'The options are here.' }];
      for (const [place, one] of placesOf(answer, accepted)) {
        const problem = keyProblem(one, options);
        if (problem) yield { path, pointer: `${pointer}/${place}`, ...problem, related };
      }
    }
  },
};

/** Each answer of a question with the pointer to it from the question. */
function placesOf(answer: string, accepted: readonly string[] = []): [place: string, answer: string][] {
  return [['answer', answer], ...accepted.map((one, index): [string, string] => [`accepted/${index}`, one])];
}

function keyProblem(
  answer: string,
  options: readonly Option[],
): Pick<Finding, 'message' | 'part' | 'suggestion'> | undefined {
  // Most answers are one key.
  if (answer.length === 1 && isKey(answer, options)) return undefined;
  const named = answer.split(',');
  const missing = named.findIndex((key) => !isKey(key, options));
  if (missing >= 0) {
    const start = missing * 'A,'.length;
    return {
      message: `"${named[missing]}" is not the key of an option. The options are ${options.map(({ key }) => key).join(', ')}.`,
      part: named.length > 1 ? { of: 'value', start, end: start + 1 } : undefined,
    };
  }
  const ordered = [...new Set(named)].sort().join(',');
  if (answer === ordered) return undefined;
  return { message: `Name each key once, in order: "${ordered}".`, suggestion: ordered };
}

function isKey(key: string, options: readonly Option[]): boolean {
  return options.some((option) => option.key === key);
}

export const acceptedAnswer: Rule<CheckedPaper> = {
  name: 'accepted-answer',
  description:
    'Where several answers are accepted, the answer itself is one of them, to the letter, and none is there twice in another spelling.',
  severity: 'error',
  example: {
    wrong: '"answer": "A", "accepted": ["B", "C"]',
    right: '"answer": "A", "accepted": ["A", "C"]',
  },
  *check({ path, questions }) {
    for (const { question, pointer } of questions) {
      const { accepted } = question;
      if (accepted) yield* acceptedFindings(path, pointer, question, accepted);
    }
  },
};

function* acceptedFindings(
  path: string,
  pointer: string,
  { answer }: Question,
  accepted: readonly string[],
): Generator<Finding> {
  const related = [{ path, pointer: `${pointer}/answer`, message: 'The answer is here.' }];
  const isListed = accepted.includes(answer);
  const same = accepted.findIndex((other) => sameAnswer(other, answer));
  if (!isListed && same < 0) {
    const message = `The answer "${answer}" is not among the accepted ones (${accepted.slice(0, 5).join('; ')}).`;
    yield { path, pointer: `${pointer}/accepted`, message, related };
  }
  if (!isListed && same >= 0) {
    const message = `This is the answer "${answer}" in another spelling. Use the same spelling.`;
    yield { path, pointer: `${pointer}/accepted/${same}`, message, suggestion: answer, related };
  }
  for (const [index, other] of accepted.entries()) {
    const first = accepted.findIndex((earlier) => sameAnswer(earlier, other));
    if (first < 0 || first === index) continue;
    yield {
      path,
      pointer: `${pointer}/accepted/${index}`,
      message: `"${other}" is already accepted as "${accepted[first]}".`,
      related: [{ path, pointer: `${pointer}/accepted/${first}`, message: 'The first one is here.' }],
    };
  }
}

/** Whether two answers differ only in spelling: `2.50` and `2.5`, `C,A` and `A,C`. */
function sameAnswer(one: string, other: string): boolean {
  return one === other || normalized(one) === normalized(other);
}

function normalized(answer: string): string {
  if (answer.includes(',')) return [...new Set(answer.split(','))].sort().join(',');
  const number = /\./.test(answer) ? answer.replace(/\.?0+$/, '') : answer;
  return number === '-0' ? '0' : number;
}

export const droppedQuestion: Rule<CheckedPaper> = {
  name: 'dropped-question',
  description: 'A question that was dropped has no accepted answers: none of them scores.',
  severity: 'warning',
  example: {
    wrong: '"answer": "A", "accepted": ["A", "C"], "dropped": true',
    right: '"answer": "A", "dropped": true',
  },
  *check({ path, questions }) {
    for (const { question, pointer } of questions) {
      if (!question.dropped || !question.accepted) continue;
      yield {
        path,
        pointer: `${pointer}/accepted`,
        message: 'A dropped question has no accepted answers. Remove one of the two properties.',
        related: [{ path, pointer: `${pointer}/dropped`, message: 'The question is dropped here.' }],
      };
    }
  },
};

export const numericalAnswer: Rule<CheckedPaper> = {
  name: 'numerical-answer',
  description:
    'A numerical answer is a number that programs can hold (IEEE 754 binary64), and zero has no sign.',
  severity: 'error',
  example: { wrong: '"type": "numerical", "answer": "-0"', right: '"type": "numerical", "answer": "0"' },
  *check({ path, questions }) {
    for (const { question, pointer } of questions) {
      if (question.type !== 'numerical') continue;
      for (const [place, answer] of placesOf(question.answer, question.accepted)) {
        const problem = numberProblem(answer);
        if (problem) yield { path, pointer: `${pointer}/${place}`, ...problem };
      }
    }
  },
};

/** Decimal digits that a binary64 number always preserves. */
const safeDigits = 15;

function numberProblem(answer: string): Pick<Finding, 'message' | 'suggestion'> | undefined {
  if (answer.startsWith('-') && Number(answer) === 0)
    return { message: 'Write zero without a sign.', suggestion: answer.slice(1) };
  if (answer.length <= safeDigits) return undefined;
  const digits = answer.replace(/^-?0*\.?0*|\.|\.?0+$/g, '');
  return digits.length > safeDigits || !Number.isFinite(Number(answer))
    ? { message: `This number has too many digits. Use at most ${safeDigits}.` }
    : undefined;
}
