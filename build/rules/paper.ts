/**
 * Rules on papers: on the whole, and on the options, answers and marks of questions; their ids and the names of their folders,
 * for the rules on the bank.
 */
import { mostEffort, nearest } from '../command-line/nearest.js';
import { hasDiagrams } from '../content/question.ts';
import type { PaperPlace, PlacedQuestion, ShiftPlace } from '../content/types.ts';
import type { Option, Question } from '../content/written.ts';
import type { Marking } from '../release/resources.ts';
import { isName, parseShiftName, reservedNames } from '../release/urls.ts';
import {
  type CheckedPaper,
  type CheckedTranslation,
  type Finding,
  firstOccurrence,
  mostFindings,
  type Part,
  quote,
  type Rule,
  repetitions,
  spanOf,
} from './rule.ts';

/** Milliseconds by which clocks may differ. */
const clockSkew = 5 * 60 * 1000;

export const updated: Rule<Pick<CheckedPaper | CheckedTranslation, 'lastUpdated' | 'now'>> = {
  name: 'updated',
  description: 'The time of the last update is not in the future.',
  severity: 'error',
  example: {
    wrong: '"lastUpdated": "2204-06-01T10:00:00Z"',
    right: '"lastUpdated": "2024-06-01T10:00:00Z"',
  },
  *check({ lastUpdated, now }) {
    if (lastUpdated === undefined || !(Date.parse(lastUpdated) > now.getTime() + clockSkew)) return;
    const message = `This time is in the future. It is now ${now.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length)}Z.`;
    yield { pointer: '/lastUpdated', message };
  },
};

const passageRule: Rule<CheckedPaper> = {
  name: 'passage',
  description:
    'The passage of a question is in the same file, or in the named one of the same shift. Passages of a file have unique ids.',
  severity: 'error',
  strict: true,
  example: { wrong: '"passage": "p2"   (the file has only p1)', right: '"passage": "p1"' },
  *check({ content, subject, questions, passages, papers }) {
    for (const { first, again } of repetitions(passages, ({ passage }) => passage.id)) {
      const message = `Two passages have the id "${again.passage.id}". Give every passage its own id.`;
      yield {
        pointer: `${again.pointer}/id`,
        message,
        related: [firstOccurrence(`${first.pointer}/id`)],
      };
    }
    // If the file breaks its schema, the passage may be one of those that could not be read.
    if (!content) return;
    const ids = new Set(passages.map(({ passage }) => passage.id));
    const known =
      ids.size === 0
        ? 'It has no passages.'
        : `Its passages are ${[...ids].slice(0, 20).join(', ')}.`;
    for (const other of papers.filter((paper) => paper.subject !== subject))
      for (const { passage } of other.passages) ids.add(`${other.subject}/${passage.id}`);
    const effort = { left: mostEffort };
    for (const { question, pointer } of questions) {
      if (question.passage === undefined || ids.has(question.passage)) continue;
      const suggestion = nearest(question.passage, ids, effort);
      const [other, idThere] = question.passage.split('/');
      // So may one of another file.
      if (papers.some((paper) => paper.subject === other && !paper.content)) continue;
      const message =
        idThere === undefined
          ? `This file has no passage ${quote(question.passage)}. ${known}`
          : `No other paper of this shift has the passage ${quote(question.passage)}, which names a subject and an id.`;
      yield { pointer: `${pointer}/passage`, message, suggestion };
    }
  },
};

const unusedPassage: Rule<CheckedPaper> = {
  name: 'unused-passage',
  description:
    'Every passage is used by a question of its shift. Other passages are not published.',
  severity: 'warning',
  example: {
    wrong: '"passages": [{ "id": "p1", ... }]   (no question uses it)',
    right: '"passage": "p1" in a question',
  },
  *check({ content, subject, questions, papers }) {
    // A question that uses one may be in a file that breaks its schema.
    if (!content?.passages || papers.some((paper) => !paper.content)) return;
    const ids = content.passages.map(({ id }) => id);
    const known = new Set(ids);
    const effort = { left: mostEffort };
    // A passage whose id a question misspells is used: the rule passage reports that mistake.
    const meant = (id: string) => (known.has(id) ? id : nearest(id, known, effort));
    const used = new Set(
      questions.flatMap(({ question: { passage } }) =>
        passage === undefined ? [] : meant(passage),
      ),
    );
    for (const { question } of papers.flatMap((paper) => paper.questions)) {
      if (question.passage?.startsWith(`${subject}/`))
        used.add(question.passage.slice(subject.length + 1));
    }
    const message = 'No question uses this passage. Add it to a question, or remove it.';
    for (const [index, id] of ids.entries())
      if (!used.has(id) && known.delete(id)) yield { pointer: `/passages/${index}`, message };
  },
};

const printedNumber: Rule<CheckedPaper> = {
  name: 'printed-number',
  description: 'Printed numbers are unique in a section, and none is missing between others.',
  severity: 'warning',
  example: { wrong: '"number": "12" in two questions', right: '"number": "12" and "number": "13"' },
  *check({ questions }) {
    const placeOf = ({ question: { section = '', number } }: PlacedQuestion) =>
      number && `${section}\n${number}`;
    for (const { first, again } of repetitions(questions, placeOf)) {
      const { number, section } = again.question;
      const where = section ? `the section ${quote(section)}` : 'this paper';
      const message = `Two questions of ${where} have the number ${number}. Correct one of them.`;
      yield {
        pointer: `${again.pointer}/number`,
        message,
        related: [firstOccurrence(`${first.pointer}/number`)],
      };
    }
    yield* numberGaps(questions);
  },
};

/** More missing numbers at one place are those of other papers, which share their numbers with this one. */
const mostMissing = 5;

/** Numbers that are missing where all questions of a paper have ascending whole numbers. */
function* numberGaps(questions: readonly PlacedQuestion[]) {
  const numbers = questions.map(({ question: { number = '' } }) =>
    /^\d{1,4}$/.test(number) ? Number(number) : Number.NaN,
  );
  for (const [index, number] of numbers.entries()) {
    const before = numbers[index - 1] ?? Number.NaN;
    const missing = number - before - 1;
    const at = questions[index];
    const isSection = at?.question.section !== questions[index - 1]?.question.section;
    if (!at || isSection || !(missing >= 1 && missing <= mostMissing)) continue;
    const list = Array.from({ length: missing }, (_, one) => before + 1 + one);
    // A question elsewhere in the paper may have it.
    const absent = list.filter((one) => !numbers.includes(one));
    if (absent.length === 0) continue;
    const message = `No question has the number ${absent.join(', ')} before this one. Add it, or correct the numbers.`;
    yield { pointer: `${at.pointer}/number`, message };
  }
}

const repeatedQuestion: Rule<CheckedPaper> = {
  name: 'repeated-question',
  description: 'No two questions of a paper have the same text, options, diagrams and passage.',
  severity: 'error',
  example: { wrong: 'q1 and q2 have the same text and options', right: 'one of them removed' },
  *check({ content, questions }) {
    // What distinguishes two questions may break the schema.
    if (!content) return;
    const alike = repetitions(questions, ({ question }) => question.question).flatMap(
      ({ first, again }) => [first, again],
    );
    for (const { first, again } of repetitions(new Set(alike), contentsOf)) {
      // The rule on unique ids reports a question that was copied with its id.
      if (first.question.id === again.question.id) continue;
      const message = `This question is already in this paper, with the id "${first.question.id}". Remove one of them.`;
      const related = [firstOccurrence(`${first.pointer}/question`)];
      yield { pointer: `${again.pointer}/question`, message, related };
    }
  },
};

const placeholder: Rule<CheckedPaper> = {
  name: 'placeholder',
  description: 'The texts that `pastpaper new` writes have been replaced.',
  severity: 'error',
  strict: true,
  example: {
    wrong: '"question": "Write the first question of ... here."',
    right: '"question": "What is ...?"',
  },
  *check({ questions }) {
    const [start = '', end = ''] = placeholders.question('\n').split('\n');
    for (const { question: written, pointer } of questions) {
      const { question, options } = written;
      if (question.startsWith(start) && question.endsWith(end))
        yield {
          pointer: `${pointer}/question`,
          message: 'Write the question: this is the text of a new paper.',
        };
      else if (
        options.length > 0 &&
        options.every(({ key, value }) => value === placeholders.option(key))
      )
        yield {
          pointer: `${pointer}/options`,
          message: 'Write the options: these are the texts of a new paper.',
        };
    }
  },
};

const mentionedDiagram: Rule<CheckedPaper> = {
  name: 'mentioned-diagram',
  description: 'A question that mentions a figure or diagram has one.',
  severity: 'warning',
  example: {
    wrong: '"question": "In the circuit shown in the figure, ..."   (no diagrams)',
    right: '"diagrams": [{ "file": "physics-07-circuit.svg", ... }]',
  },
  *check({ questions }) {
    for (const { question, pointer } of questions) {
      // The picture may be beside the passage, or in the options.
      if (question.passage !== undefined || hasDiagrams(question)) continue;
      // Nearly all questions have none of these words.
      const found = pictureWord.test(question.question) && mention.exec(question.question);
      if (!found) continue;
      const message = `The question mentions a picture ("${found[0]}") but has no diagram. Add it to "diagrams".`;
      yield { pointer: `${pointer}/question`, part: { of: 'value', ...spanOf(found) }, message };
    }
  },
};

const pictureWord = /fig|diagram|graph|circuit|picture/i;

const figure = '(?:figures?|figs?\\.?|diagrams?)';
const picture = '(?:figures?|figs?\\.?|diagrams?|graphs?|pictures?|images?|circuits?|sketch)';
const beside = '(?:adjoining|adjacent|accompanying|attached)';
const shown =
  'shown|given|drawn|depicted|illustrated|represented|displayed|indicated|labelled|labeled|marked|plotted|' +
  'arranged|connected|seen|pictured';

/**
 * English phrases that point to a picture. Others with the same words do not: significant figures, figures of speech, to
 * figure out, the area of a figure, a phase diagram of water, the graph of a function.
 */
const mention = new RegExp(
  [
    // shown in the following figure, represented in the given graph
    `\\b(?:${shown}|in|from|see|refer to|consider|observe|study)\\s+(?:(?:in|by|on|from)\\s+)?(?:the\\s+|this\\s+)?` +
      `(?:${beside}|given|following|above|below)\\s+(?:[a-z-]+\\s+){0,2}(?:${picture})\\b`,
    // shown in the figure
    `\\b(?:${shown})\\s+(?:[a-z]+\\s+)?(?:in|by|on)\\s+(?:the\\s+|this\\s+)?` +
      `(?:${figure}|graph|picture|image|sketch)(?![a-z])(?!\\s+of\\b|\\s*\\$)`,
    // in Fig. 3, see figure (2)
    `\\b(?:in|see|refer(?:ring)?\\s+to)\\s+(?:the\\s+)?${figure}\\s*(?:\\(?\\d|[,:;)]|$)`,
    `\\b(?:in|from|see)\\s+the\\s+${figure}\\s+(?:shown|given|above|below|alongside)\\b`,
    // the adjoining figure
    `\\b${beside}\\s+(?:[a-z-]+\\s+)?${picture}\\b`,
    // the figure shows
    '\\b(?:the|this|given|following|above)\\s+(?:figure|diagram|graph|picture)\\s+' +
      '(?:below\\s+|above\\s+)?(?:shows|depicts|illustrates)\\b',
    // the diagram below
    `\\b${figure}\\s+(?:below|above|alongside)\\b(?!\\s+the\\b)`,
    // the circuit shown, the graph is given below
    '\\b(?:the|a)\\s+(?:[a-z-]+\\s+)?circuit\\s+shown\\b',
    `\\b${picture}\\s+(?:(?:is|are|as)\\s+)?(?:shown|given|drawn)\\s+(?:below|above|alongside|here)\\b`,
  ].join('|'),
  'iu',
);

function contentsOf({ question: written }: PlacedQuestion): string {
  const { question, options, diagrams = [], passage } = written;
  const shown = options.map(({ value, diagram }) => JSON.stringify([value, diagram?.file])).sort();
  return JSON.stringify([question, shown, diagrams.map(({ file }) => file), passage]);
}

/** The texts of a question that `pastpaper new` writes. */
export const placeholders = {
  question: (paper: string) => `Write the first question of ${paper} here.`,
  option: (key: string) => `Option ${key}`,
};

/** An id that names another place than that of its paper, which the bank may not have. */
export interface MisplacedId extends PaperPlace {
  /** The index of the question. */
  readonly index: number;
}

/** Finds the ids of a paper that name another place, written as `pastpaper new` writes ids. */
export function misplacedIds(
  { exam, shift, subject }: PaperPlace,
  questions: readonly PlacedQuestion[],
): MisplacedId[] {
  const prefix = `${exam}-${shift}-${subject}-`;
  return questions.flatMap(({ question: { id }, index }) => {
    // Nearly all ids of a bank name their place, or none.
    const match = id.startsWith(prefix) ? null : placedId.exec(id);
    if (!match) return [];
    const [, exam = '', shift = '', year = '', subject = ''] = match;
    return [{ index, exam, year, shift, subject }];
  });
}

const placedId = /^([a-z][a-z0-9]*)-((\d{4})-\d{2}-\d{2}-s\d{1,4})-([a-z][a-z0-9-]*)-[^-]+$/;

/** What is wrong with an exam code, which is the name of its folder, as a sentence; undefined for a valid one. */
export function examProblem(code: string): string | undefined {
  if (reservedNames.has(code)) return `"${code}" is reserved. Rename the folder of the exam.`;
  if (!isName('exam', code))
    return `"${code}" is not an exam code. Use lower-case letters and digits, starting with a letter, such as jeemain.`;
  return undefined;
}

/** A larger number is a mistake. */
const maxShiftNumber = 9999;

/** What is wrong with the names of a shift's folders, as a sentence; undefined for valid ones. */
export function shiftProblem({
  year,
  shift,
}: Pick<ShiftPlace, 'year' | 'shift'>): string | undefined {
  if (!/^[1-9]\d{3}$/.test(year))
    return `"${year}" is not a year. Name the folder with four digits, such as 2024.`;
  const name = parseShiftName(shift);
  if (!name || name.number > maxShiftNumber)
    return `"${shift}" is not a shift name. Use the date and the number of the shift, such as ${year}-05-05-s1.`;
  if (!isRealDate(name.date)) return `"${shift}" names a date that does not exist.`;
  if (name.year !== year)
    return `The shift "${shift}" is in the folder of the year ${year}. Move it to ${name.year}.`;
  return undefined;
}

function isRealDate(date: string): boolean {
  const moment = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(date);
}

/**
 * A check of each question by itself. Most questions have no mistake, and a plain call is faster than a generator.
 *
 * @param check calls `report` with each finding
 */
function onQuestions(
  check: (question: Question, pointer: string, report: (finding: Finding) => void) => void,
) {
  return ({ questions }: CheckedPaper): Finding[] => {
    const found: Finding[] = [];
    const report = (finding: Finding): void => void found.push(finding);
    for (const { question, pointer } of questions) {
      // No more are listed.
      if (found.length > mostFindings) break;
      check(question, pointer, report);
    }
    return found;
  };
}

const optionKeys: Rule<CheckedPaper> = {
  name: 'option-keys',
  description: 'Option keys are unique, in alphabetical order and without gaps.',
  severity: 'error',
  example: {
    wrong: '"options": [{ "key": "B", ... }, { "key": "A", ... }]',
    right: '... "A" ... "B" ...',
  },
  check: onQuestions(({ options }, pointer, report) => {
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
        const message = `Two options have the key "${key}". Give each option its own key.`;
        const related = [firstOccurrence(`${pointer}/options/${first}/key`)];
        report({ pointer: at, message, related });
      } else if (isSorted) {
        // One finding is enough for all options in the wrong order.
        isSorted = false;
        report({
          pointer: at,
          message: `Option "${key}" comes after "${previous}". Sort the options by key.`,
        });
      }
    }
    if (isSorted && !isRepeated)
      for (const finding of gapFindings(options, pointer)) report(finding);
  }),
};

const optionLabels: Rule<CheckedPaper> = {
  name: 'option-labels',
  description:
    'Printed option labels are unique. Either all options of a question have a label, or none do.',
  severity: 'warning',
  example: {
    wrong: '"label": "(1)" of the options A and B',
    right: '"(1)" of the option A, "(2)" of B',
  },
  check: onQuestions(({ options }, pointer, report) => {
    // Most papers have no labels.
    const labelled = options.findIndex(({ label }) => label !== undefined);
    if (labelled < 0) return;
    for (const [index, { key, label }] of options.entries()) {
      const at = `${pointer}/options/${index}`;
      const first = options.findIndex((option) => option.label === label);
      if (label === undefined) {
        const message = `Option ${key} has no label, but other options have one. Label all options, or none.`;
        const related = [
          { pointer: `${pointer}/options/${labelled}/label`, message: 'This option has a label.' },
        ];
        report({ pointer: at, message, related });
      } else if (first < index) {
        const message = `Options ${options[first]?.key} and ${key} have the same label. Correct one of them.`;
        report({
          pointer: `${at}/label`,
          message,
          related: [firstOccurrence(`${pointer}/options/${first}/label`)],
        });
      }
    }
  }),
};

const optionTexts: Rule<CheckedPaper> = {
  name: 'option-texts',
  description:
    'No two options of a question have the same text (ignoring spaces) and the same diagram.',
  severity: 'error',
  example: {
    wrong: '"A" and "C" have the value "2 m"',
    right: '"A" has the value "2 m", "C" has "4 m"',
  },
  check: onQuestions(({ options }, pointer, report) => {
    for (const [index, option] of options.entries()) {
      const { key, value, diagram } = option;
      // The schema rule reports an option with neither.
      if (value === undefined && !diagram) continue;
      const first = options.findIndex((other, at) => at === index || isSameOption(other, option));
      if (first === index) continue;
      const twin = options[first]?.key;
      const [field, what] = value === undefined ? ['diagram', 'diagram'] : ['value', 'text'];
      const message = `Options ${twin} and ${key} have the same ${what}. Correct one of them.`;
      const related = [
        { pointer: `${pointer}/options/${first}/${field}`, message: `This is option ${twin}.` },
      ];
      report({ pointer: `${pointer}/options/${index}/${field}`, message, related });
    }
  }),
};

const answerAmongOptions: Rule<CheckedPaper> = {
  name: 'answer-among-options',
  description: 'An answer consists of option keys, in order and without repetition.',
  severity: 'error',
  strict: true,
  example: {
    wrong: '"answer": "C" of the options A and B',
    right: '"answer": "B" of the options A and B',
  },
  check: onQuestions((question, pointer, report) => {
    const { options, answer, accepted } = question;
    // Without options or an answer, the schema rule has reported it.
    if (options.length === 0 || answer === '') return;
    const related = [{ pointer: `${pointer}/options`, message: 'The options are here.' }];
    for (const [place, one] of placesOf(question)) {
      const problem = keyProblem(one, options);
      if (!problem) continue;
      // If the suggestion is accepted already, this answer should perhaps be removed instead.
      const certain = problem.certain && !accepted?.includes(problem.suggestion ?? '');
      report({ pointer: `${pointer}/${place}`, ...problem, certain, related });
    }
  }),
};

const acceptedAnswer: Rule<CheckedPaper> = {
  name: 'accepted-answer',
  description:
    'Accepted answers are unique and include the answer itself, written in the same way.',
  severity: 'error',
  example: {
    wrong: '"answer": "A", "accepted": ["B", "C"]',
    right: '"answer": "A", "accepted": ["A", "C"]',
  },
  check: onQuestions(({ type, answer, accepted }, pointer, report) => {
    if (!accepted || !answer) return;
    const normalized = (one: string) =>
      type === 'text' ? one.toLowerCase().replace(/\s+/g, '') : spelling(one);
    const related = [{ pointer: `${pointer}/answer`, message: 'The answer is here.' }];
    const same = accepted.findIndex((other) => normalized(other) === normalized(answer));
    if (same < 0) {
      const listed = accepted.slice(0, 5).join('; ');
      const message = `The answer "${answer}" is not one of the accepted answers (${listed}). Add it to them.`;
      report({ pointer: `${pointer}/accepted`, message, related });
    } else if (!accepted.includes(answer)) {
      const message = `This is the answer "${answer}", written differently. Write it in the same way.`;
      report({ pointer: `${pointer}/accepted/${same}`, message, suggestion: answer, related });
    }
    for (const { first, again } of repetitions(accepted.entries(), ([, other]) =>
      normalized(other),
    )) {
      const message = `"${again[1]}" is already accepted as "${first[1]}". Remove one of them.`;
      const related = [firstOccurrence(`${pointer}/accepted/${first[0]}`)];
      report({ pointer: `${pointer}/accepted/${again[0]}`, message, related });
    }
  }),
};

const droppedQuestion: Rule<CheckedPaper> = {
  name: 'dropped-question',
  description: 'A dropped question has no accepted answers, because it is not scored.',
  severity: 'warning',
  example: { wrong: '"accepted": ["A", "C"], "dropped": true', right: '"dropped": true' },
  check: onQuestions((question, pointer, report) => {
    if (!question.dropped || !question.accepted) return;
    const message =
      'A dropped question has no accepted answers. Remove "accepted", or "dropped" if the question is scored.';
    const related = [{ pointer: `${pointer}/dropped`, message: 'The question is dropped here.' }];
    report({ pointer: `${pointer}/accepted`, message, related });
  }),
};

const numericalAnswer: Rule<CheckedPaper> = {
  name: 'numerical-answer',
  description:
    'A numerical answer has at most 15 digits and is within the range that programs can calculate with. Zero has no sign.',
  severity: 'error',
  example: {
    wrong: '"type": "numerical", "answer": "-0"',
    right: '"type": "numerical", "answer": "0"',
  },
  check: onQuestions((question, pointer, report) => {
    if (question.type !== 'numerical') return;
    const { min, max } = question.answerRange ?? {};
    const places = placesOf(question);
    if (min !== undefined) places.push(['answerRange/min', min]);
    if (max !== undefined) places.push(['answerRange/max', max]);
    for (const [place, answer] of places) {
      const problem = numberProblem(answer);
      if (problem) report({ pointer: `${pointer}/${place}`, ...problem });
    }
  }),
};

const answerRange: Rule<CheckedPaper> = {
  name: 'answer-range',
  description:
    'Only numerical questions have an answer range or a tolerance. ' +
    'The minimum of a range is not above its maximum, and it includes the answer.',
  severity: 'error',
  example: {
    wrong: '"answer": "2.5", "answerRange": { "min": "2.6", "max": "2.4" }',
    right: '"answer": "2.5", "answerRange": { "min": "2.4", "max": "2.6" }',
  },
  check: onQuestions(({ type, answer, answerRange: range, tolerance }, pointer, report) => {
    if (tolerance !== undefined && (range || type !== 'numerical')) {
      const message = range
        ? 'Use "answerRange" or "tolerance", not both.'
        : 'Only numerical questions can have a tolerance. Remove it.';
      report({ pointer: `${pointer}/tolerance`, message });
    }
    if (!range) return;
    const at = `${pointer}/answerRange`;
    const { min, max } = range;
    if (type !== 'numerical')
      report({
        pointer: at,
        message: 'Only numerical questions can have an answer range. Remove it.',
      });
    else if (Number(min) > Number(max))
      report({
        pointer: at,
        message: `The maximum of the range (${max}) is less than its minimum (${min}).`,
      });
    else if (answer !== '' && (Number(answer) < Number(min) || Number(answer) > Number(max))) {
      const message = `The answer ${answer} is outside its range, ${min} to ${max}.`;
      report({
        pointer: `${pointer}/answer`,
        message,
        related: [{ pointer: at, message: 'The range is here.' }],
      });
    }
  }),
};

const markingRule: Rule<CheckedPaper> = {
  name: 'marking',
  description:
    'A correct response scores more than any other, a wrong one scores 0 or less, and only msq questions have partial marks.',
  severity: 'error',
  example: {
    wrong: '"marking": { "correct": 4, "incorrect": 1 }',
    right: '"marking": { "correct": 4, "incorrect": -1 }',
  },
  *check({ content, questions }) {
    const ofPaper = content?.marking;
    if (ofPaper) yield* markingProblems(ofPaper, '/marking');
    if (
      ofPaper?.partial !== undefined &&
      !questions.some(({ question }) => question.type === 'msq')
    )
      yield {
        pointer: '/marking/partial',
        message: 'This paper has no msq questions. Remove "partial".',
      };
    for (const { question, pointer } of questions) {
      const own = question.marking;
      if (own) yield* markingProblems(own, `${pointer}/marking`);
      if (question.type === 'msq') yield* partialProblem(question, own ?? ofPaper, pointer);
      else if (own?.partial !== undefined) {
        const message = 'Only msq questions can have partial marks. Remove "partial".';
        yield { pointer: `${pointer}/marking/partial`, message };
      }
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
  const start = options[0]?.key.charCodeAt(0) ?? firstKey;
  let expected = start <= lastLostKey ? firstKey : start;
  for (let index = 0; index < options.length; index += 1) {
    const { key = '' } = options[index] ?? {};
    const found = key.charCodeAt(0);
    if (expected < found) {
      const missing = String.fromCharCode(expected);
      const last = String.fromCharCode(found - 1);
      const lost =
        missing === last ? `Option "${missing}" is` : `Options "${missing}" to "${last}" are`;
      const message = `${lost} missing before "${key}". Add the missing options, or correct the keys.`;
      yield { pointer: `${pointer}/options/${index}/key`, message };
    }
    expected = found + 1;
  }
}

function isKey(key: string, options: readonly Option[]): boolean {
  return options.some((option) => option.key === key);
}

function isSameOption(one: Option, other: Option): boolean {
  if (one.diagram?.file !== other.diagram?.file) return false;
  if (one.value === undefined || other.value === undefined) return one.value === other.value;
  return isSameText(one.value, other.value);
}

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

function placesOf({ answer, accepted = [] }: Question): [place: string, answer: string][] {
  const others = accepted.map((one, index): [string, string] => [`accepted/${index}`, one]);
  // A dropped question may have no answer.
  return answer === undefined ? others : [['answer', answer], ...others];
}

function keyProblem(answer: string, options: readonly Option[]): Finding | undefined {
  // Most answers are one key.
  if (answer.length === 1 && isKey(answer, options)) return undefined;
  const named = answer.split(',');
  const missing = named.findIndex((key) => !isKey(key, options));
  if (missing >= 0) {
    const start = missing * 'A,'.length;
    const part: Part | undefined =
      named.length > 1 ? { of: 'value', start, end: start + 1 } : undefined;
    const keys = options.map(({ key }) => key).join(', ');
    return {
      message: `"${named[missing]}" is not the key of an option. The options are ${keys}.`,
      part,
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

/** An answer in one spelling: `2.5` for `2.50`, `A,C` for `C,A`. */
function spelling(answer: string): string {
  if (answer.includes(',')) return sortedKeys(answer);
  const number = answer.includes('.') ? answer.replace(/\.?0+$/, '') : answer;
  return number === '-0' ? '0' : number;
}

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

export function* markingProblems(
  { correct, incorrect = 0, unanswered = 0, partial }: Marking,
  at: string,
): Generator<Finding> {
  if (correct <= 0)
    yield { pointer: `${at}/correct`, message: 'A correct response must score more than 0.' };
  if (incorrect > 0) {
    const message = 'A wrong response must score 0 or less. Write the minus sign.';
    yield { pointer: `${at}/incorrect`, message, suggestion: String(-incorrect) };
  }
  if (unanswered > 0 && unanswered >= correct)
    yield {
      pointer: `${at}/unanswered`,
      message: 'An unanswered question must score less than a correct response.',
    };
  if (partial !== undefined && partial <= 0) {
    const message = 'Partial marks must be more than 0. If there are none, remove "partial".';
    yield { pointer: `${at}/partial`, message };
  }
}

/** Whether one right option less than all would get more marks than all of them. */
function* partialProblem(
  { answer = '' }: Question,
  marks: Marking | undefined,
  pointer: string,
): Generator<Finding> {
  if (marks?.partial === undefined) return;
  const right = answer.split(',').length;
  const score = marks.partial * (right - 1);
  if (score <= marks.correct) return;
  const message =
    `Choosing ${right - 1} of ${right} correct options scores ${score}, but choosing all scores ${marks.correct}. ` +
    'Give the question its own "marking".';
  yield { pointer: `${pointer}/answer`, message };
}

export const paperRules: readonly Rule<CheckedPaper>[] = [
  passageRule,
  unusedPassage,
  printedNumber,
  repeatedQuestion,
  placeholder,
  mentionedDiagram,
  optionKeys,
  optionLabels,
  optionTexts,
  answerAmongOptions,
  acceptedAnswer,
  droppedQuestion,
  numericalAnswer,
  answerRange,
  markingRule,
];
