/** Rules on papers as a whole; their ids, and the names of their folders, for the rules on the bank. */
import { mostEffort, nearest } from '../command-line/nearest.js';
import { groupBy, repetitions } from '../content/groups.ts';
import type { PaperPlace, PlacedQuestion, ShiftPlace } from '../content/types.ts';
import { isName, parseShiftName, reservedNames } from '../release/urls.ts';
import {
  type CheckedPaper,
  type CheckedTranslation,
  firstOccurrence,
  quote,
  type Rule,
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

/** Ids of a paper that differ only in the number at their end, or in single letters before it. */
export interface IdGroup {
  /** What comes before the number, in the first of them. */
  readonly prefix: string;
  /** Of the first question, from 0. */
  readonly index: number;
  readonly count: number;
}

/** Ids with more prefixes follow no convention. */
const mostGroups = 20;

/** Ids that begin so name their place. */
function fullPrefix({ exam, shift, subject }: PaperPlace): string {
  return `${exam}-${shift}-${subject}-`;
}

/** The ids of a paper in groups; none if they follow no convention, or if all name the place of the paper. */
export function idGroups(place: PaperPlace, questions: readonly PlacedQuestion[]): IdGroup[] {
  const own = { prefix: fullPrefix(place), index: -1, count: 0 };
  const groups = new Map([[own.prefix, own]]);
  let last = own;
  for (const { question, index } of questions) {
    const { id } = question;
    if (id === '') continue;
    // Nearly all ids of a bank are like the one before.
    if (!isNumbered(last.prefix, id)) {
      const prefix = id.replace(/\d+[A-Za-z]?$|(?<=[-_])\d+[-_][A-Za-z]+$/, '');
      const key = prefix.replace(/(?<![A-Za-z0-9])[A-Za-z](?![A-Za-z0-9])/g, '?');
      last = groups.get(key) ?? { prefix, index: -1, count: 0 };
      groups.set(key, last);
      if (groups.size > mostGroups) return [];
    }
    if (last.count === 0) last.index = index;
    last.count += 1;
  }
  const found = [...groups.values()].filter(({ count }) => count > 0);
  return found.length === 1 && found[0] === own ? [] : found;
}

/** Whether an id is a prefix and a number. No regular expression, since nearly all ids of a bank are tested. */
function isNumbered(prefix: string, id: string): boolean {
  if (id.length <= prefix.length || !id.startsWith(prefix)) return false;
  for (let at = prefix.length; at < id.length; at += 1) {
    const unit = id.charCodeAt(at);
    if (unit < 0x30 || unit > 0x39) return false;
  }
  return true;
}

/** Percentage of ids. If more have a prefix of their own, or more than one of a few, the paper has no convention. */
const mostDeviating = 10;

/** The ids that are like no other of their paper and do not name its place, although nearly all of its ids are alike. */
export function deviatingIds(groups: readonly IdGroup[], place: PaperPlace): IdGroup[] {
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  const alone = groups.filter(({ count, prefix }) => count === 1 && prefix !== fullPrefix(place));
  const isConvention =
    alone.length < total - 1 && alone.length <= Math.max(1, (total * mostDeviating) / 100);
  return isConvention ? alone : [];
}

/** The names of the bank that an id may contain. */
export interface KnownNames {
  /** The subjects of each exam, by its code. */
  readonly subjects: ReadonlyMap<string, ReadonlySet<string>>;
  /** `<exam>/<shift>` */
  readonly shifts: ReadonlySet<string>;
}

const date = /(?<![A-Za-z0-9])(\d{4})[-_](\d{2})[-_](\d{2})[-_](s\d{1,4})(?![A-Za-z0-9])/i;

/**
 * The place that the ids of a group name, where it is another one than that of their paper and exists. Parts of an id that
 * are no names of the bank have no meaning here. Without a shift, words that all ids of a paper have are its convention.
 *
 * @param isFew whether most ids of the paper are in other groups
 */
export function otherPlace(
  prefix: string,
  place: PaperPlace,
  known: KnownNames,
  isFew: boolean,
): PaperPlace | undefined {
  const named = namesIn(prefix, place, known);
  if (named.shift === undefined && !isFew) return undefined;
  const { exam = place.exam, shift = place.shift, subject = place.subject } = named;
  const isShift = known.shifts.has(`${exam}/${shift}`);
  const isOther =
    (shift !== place.shift && isShift) ||
    (exam !== place.exam && (isShift || named.shift === undefined)) ||
    subject !== place.subject;
  return isOther ? { exam, year: shift.slice(0, 'YYYY'.length), shift, subject } : undefined;
}

function namesIn(prefix: string, place: PaperPlace, { subjects }: KnownNames) {
  const match = date.exec(prefix);
  const shift = match?.slice(1).join('-').toLowerCase();
  const words = wordsOf(match ? prefix.replace(match[0], '') : prefix);
  const first = words[0] ?? '';
  const exam = subjects.has(first) ? first : undefined;
  const subject = words.slice(exam === undefined ? 0 : 1).join('-');
  const isSubject = subjects.get(exam ?? place.exam)?.has(subject);
  return { exam, shift, subject: isSubject ? subject : undefined };
}

/** The words of an id in lower case, without numbers such as a year, and without a shift's number. */
function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[-_]+/)
    .filter((word) => /[a-z]/.test(word) && !/^s\d+$/.test(word));
}

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
  description: 'Printed numbers are unique in a section.',
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
  },
};

const repeatedQuestion: Rule<CheckedPaper> = {
  name: 'repeated-question',
  description: 'No two questions of a paper have the same text, options, diagrams and passage.',
  severity: 'error',
  example: { wrong: 'q1 and q2 have the same text and options', right: 'one of them removed' },
  *check({ content, questions }) {
    // What distinguishes two questions may break the schema.
    if (!content) return;
    for (const alike of groupBy(questions, ({ question }) => question.question).values()) {
      if (alike.length < 2) continue;
      for (const { first, again } of repetitions(alike, contentsOf)) {
        // The rule on unique ids reports a question that was copied with its id.
        if (first.question.id === again.question.id) continue;
        const message = `This question is already in this paper, with the id "${first.question.id}". Remove one of them.`;
        const related = [firstOccurrence(`${first.pointer}/question`)];
        yield { pointer: `${again.pointer}/question`, message, related };
      }
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

/** What distinguishes questions with the same text. */
function contentsOf({ question: { options, diagrams = [], passage } }: PlacedQuestion): string {
  const shown = options.map(({ value, diagram }) => JSON.stringify([value, diagram?.file])).sort();
  return JSON.stringify([shown, diagrams.map(({ file }) => file), passage]);
}

/** The texts of a question that `pastpaper new` writes. */
export const placeholders = {
  question: (paper: string) => `Write the first question of ${paper} here.`,
  option: (key: string) => `Option ${key}`,
};

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
];
