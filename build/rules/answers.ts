/** Rules on the options and answers of questions. */
import type { Option } from '../release/resources.ts';
import type { CheckedPaper, Finding, Rule } from './rule.ts';

const optionKeys: Rule<CheckedPaper> = {
  name: 'option-keys',
  description: 'The options of a question have different keys, in alphabetical order without a gap.',
  severity: 'error',
  example: { wrong: '"options": [{ "key": "B", ... }, { "key": "A", ... }]', right: '... "A" ... "B" ...' },
  *check({ questions }) {
    for (const { question, pointer } of questions) {
      const { options } = question;
      let isSorted = true;
      let isRepeated = false;
      for (let index = 1; index < options.length; index += 1) {
        const previous = options[index - 1]?.key ?? '';
        const key = options[index]?.key ?? '';
        if (previous < key) continue;
        const at = `${pointer}/options/${index}/key`;
        const first = options.findIndex((option) => option.key === key);
        if (first < index) {
          isRepeated = true;
          const related = [{ pointer: `${pointer}/options/${first}/key`, message: 'The first one is here.' }];
          const suggestion = freeKey(index, options);
          yield { pointer: at, message: `Two options have the key "${key}".`, suggestion, related };
        } else if (isSorted) {
          // One finding is enough for all options in the wrong order.
          isSorted = false;
          const message = `The option "${key}" comes after "${previous}". Sort the options by key.`;
          yield { pointer: at, message };
        }
      }
      if (isSorted && !isRepeated) yield* gapFindings(options, pointer);
    }
  },
};

const firstKey = 'A'.charCodeAt(0);

/** Papers also number options P, Q, R, S. Those from B, C or D on have lost the first ones. */
const lastLostKey = 'D'.charCodeAt(0);

/**
 * Finds keys that are missing between others, or at the beginning, which means that an option was lost.
 *
 * @param options with different keys in order
 */
function* gapFindings(options: readonly Option[], pointer: string): Generator<Finding> {
  const first = options[0]?.key.charCodeAt(0) ?? firstKey;
  let expected = first <= lastLostKey ? firstKey : first;
  for (const [index, { key }] of options.entries()) {
    const [missing, last] = [expected, key.charCodeAt(0) - 1].map((code) => `"${String.fromCharCode(code)}"`);
    const isGap = expected < key.charCodeAt(0);
    expected = key.charCodeAt(0) + 1;
    if (!isGap) continue;
    const lost =
      missing === last ? `The option ${missing} is missing` : `The options ${missing} to ${last} are missing`;
    const message = `${lost} before "${key}". Add what was lost, or correct the keys.`;
    yield { pointer: `${pointer}/options/${index}/key`, message };
  }
}

/** The key that an option has by its position; undefined when another option has it. */
function freeKey(index: number, options: readonly Option[]): string | undefined {
  const key = String.fromCharCode('A'.charCodeAt(0) + index);
  return key <= 'Z' && !isKey(key, options) ? key : undefined;
}

function isKey(key: string, options: readonly Option[]): boolean {
  return options.some((option) => option.key === key);
}

const optionTexts: Rule<CheckedPaper> = {
  name: 'option-texts',
  description: 'The options of a question have different texts, apart from the space in them.',
  severity: 'error',
  example: { wrong: '"A" and "C" have the value "2 m"', right: '"A" has the value "2 m", "C" has "4 m"' },
  *check({ questions }) {
    for (const { question, pointer } of questions) {
      const { options } = question;
      for (const [index, { key, value }] of options.entries()) {
        const first = options.findIndex((other, at) => at === index || isSameText(other.value, value));
        if (first === index) continue;
        const twin = options[first]?.key;
        yield {
          pointer: `${pointer}/options/${index}/value`,
          message: `The options ${twin} and ${key} say the same.`,
          related: [{ pointer: `${pointer}/options/${first}/value`, message: `This is option ${twin}.` }],
        };
      }
    }
  },
};

/** Whether two texts differ only in space. Fast where they differ in one of their first characters, as most do. */
function isSameText(one: string, other: string): boolean {
  let at = 0;
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  if (!isSpaceOrEnd(one.charCodeAt(at)) && !isSpaceOrEnd(other.charCodeAt(at))) return false;
  return withSingleSpaces(one) === withSingleSpaces(other);
}

function isSpaceOrEnd(unit: number): boolean {
  return Number.isNaN(unit) || unit <= 0x20 || unit === 0xa0;
}

function withSingleSpaces(text: string): string {
  return text.replace(/[\t-\r \xa0]+/g, ' ').trim();
}

const answerAmongOptions: Rule<CheckedPaper> = {
  name: 'answer-among-options',
  description: 'An answer names keys of options. Several keys are in order, each once.',
  severity: 'error',
  strict: true,
  example: { wrong: '"answer": "C" of the options A and B', right: '"answer": "B" of the options A and B' },
  *check({ questions }) {
    for (const { question, pointer } of questions) {
      const { type, options, answer, accepted } = question;
      // Without options or an answer, the schema rule has reported it.
      if (type === 'numerical' || options.length === 0 || answer === '') continue;
      const related = [{ pointer: `${pointer}/options`, message: 'The options are here.' }];
      for (const [place, one] of placesOf(answer, accepted)) {
        const problem = keyProblem(one, options);
        if (!problem) continue;
        // Two accepted answers that are the same are one too many.
        const certain = problem.certain && !accepted?.includes(problem.suggestion ?? '');
        yield { pointer: `${pointer}/${place}`, ...problem, certain, related };
      }
    }
  },
};

/** Each answer of a question with the pointer to it from the question. */
function placesOf(answer: string, accepted: readonly string[] = []): [place: string, answer: string][] {
  return [['answer', answer], ...accepted.map((one, index): [string, string] => [`accepted/${index}`, one])];
}

function keyProblem(answer: string, options: readonly Option[]): Finding | undefined {
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
  const ordered = sortedKeys(answer);
  if (answer === ordered) return undefined;
  // A repeated key may stand for another one.
  const certain = ordered.length === answer.length;
  return { message: `Name each key once, in order: "${ordered}".`, suggestion: ordered, certain };
}

function sortedKeys(answer: string): string {
  return [...new Set(answer.split(','))].sort().join(',');
}

const acceptedAnswer: Rule<CheckedPaper> = {
  name: 'accepted-answer',
  description: 'The accepted answers are all different and include the answer itself, in the same spelling.',
  severity: 'error',
  example: { wrong: '"answer": "A", "accepted": ["B", "C"]', right: '"answer": "A", "accepted": ["A", "C"]' },
  *check({ questions }) {
    for (const { question, pointer } of questions) {
      const { answer, accepted } = question;
      if (!accepted || answer === '') continue;
      const related = [{ pointer: `${pointer}/answer`, message: 'The answer is here.' }];
      const same = accepted.findIndex((other) => isSameAnswer(other, answer));
      if (same < 0) {
        const message = `The answer "${answer}" is not among the accepted ones (${accepted.slice(0, 5).join('; ')}).`;
        yield { pointer: `${pointer}/accepted`, message, related };
      } else if (!accepted.includes(answer)) {
        const message = `This is the answer "${answer}" in another spelling. Use the same spelling.`;
        yield { pointer: `${pointer}/accepted/${same}`, message, suggestion: answer, related };
      }
      for (const [index, other] of accepted.entries()) {
        const first = accepted.findIndex((earlier) => isSameAnswer(earlier, other));
        if (first === index) continue;
        yield {
          pointer: `${pointer}/accepted/${index}`,
          message: `"${other}" is already accepted as "${accepted[first]}".`,
          related: [{ pointer: `${pointer}/accepted/${first}`, message: 'The first one is here.' }],
        };
      }
    }
  },
};

/** Whether two answers differ only in spelling: `2.50` and `2.5`, `C,A` and `A,C`. */
function isSameAnswer(one: string, other: string): boolean {
  return one === other || normalized(one) === normalized(other);
}

function normalized(answer: string): string {
  if (answer.includes(',')) return sortedKeys(answer);
  const number = answer.includes('.') ? answer.replace(/\.?0+$/, '') : answer;
  return number === '-0' ? '0' : number;
}

const droppedQuestion: Rule<CheckedPaper> = {
  name: 'dropped-question',
  description: 'A dropped question has no accepted answers, because none of them scores.',
  severity: 'warning',
  example: { wrong: '"accepted": ["A", "C"], "dropped": true', right: '"dropped": true' },
  *check({ questions }) {
    for (const { question, pointer } of questions) {
      if (!question.dropped || !question.accepted) continue;
      yield {
        pointer: `${pointer}/accepted`,
        message: 'A dropped question has no accepted answers. Remove one of the two properties.',
        related: [{ pointer: `${pointer}/dropped`, message: 'The question is dropped here.' }],
      };
    }
  },
};

const numericalAnswer: Rule<CheckedPaper> = {
  name: 'numerical-answer',
  description: 'A numerical answer is exact as a number of a program (IEEE 754 binary64). Zero has no sign.',
  severity: 'error',
  example: { wrong: '"type": "numerical", "answer": "-0"', right: '"type": "numerical", "answer": "0"' },
  *check({ questions }) {
    for (const { question, pointer } of questions) {
      if (question.type !== 'numerical') continue;
      for (const [place, answer] of placesOf(question.answer, question.accepted)) {
        const problem = numberProblem(answer);
        if (problem) yield { pointer: `${pointer}/${place}`, ...problem };
      }
    }
  },
};

/** Decimal digits that a binary64 number always preserves. */
const safeDigits = 15;

function numberProblem(answer: string): Finding | undefined {
  if (answer.startsWith('-') && Number(answer) === 0)
    return { message: 'Write zero without a sign.', suggestion: answer.slice(1), certain: true };
  if (answer.length <= safeDigits) return undefined;
  const digits = answer.replace(/^-?0*\.?0*|\.|\.?0+$/g, '');
  return digits.length > safeDigits || !Number.isFinite(Number(answer))
    ? { message: `This number has too many digits. Use at most ${safeDigits}.` }
    : undefined;
}

export const answerRules: readonly Rule<CheckedPaper>[] = [
  optionKeys,
  optionTexts,
  answerAmongOptions,
  acceptedAnswer,
  droppedQuestion,
  numericalAnswer,
];
