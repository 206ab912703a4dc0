/** Rules on papers as a whole; their ids, and the names of their folders, for the rules on the bank. */
import { mostEffort, nearest } from '../command-line/nearest.js';
import { hasDiagrams } from '../content/question.ts';
import type { PaperPlace, PlacedQuestion, ShiftPlace } from '../content/types.ts';
import { isName, parseShiftName, reservedNames } from '../release/urls.ts';
import {
  type CheckedPaper,
  type CheckedTranslation,
  firstOccurrence,
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

export const paperRules: readonly Rule<CheckedPaper>[] = [
  passageRule,
  unusedPassage,
  printedNumber,
  repeatedQuestion,
  placeholder,
  mentionedDiagram,
];
