/** Rules on the whole bank: its folders and files, names, unique ids and questions, and the list of exceptions. */
import { mostEffort, nearest } from '../command-line/nearest.js';
import type { Stray, UnreadableFolder } from '../content/file.ts';
import { groupBy } from '../content/groups.ts';
import { escapePointer } from '../content/positions.ts';
import { type Exam, subjectCodes } from '../content/types.ts';
import type { ExamFile } from '../content/written.ts';
import { type Bank, configFile } from '../release/config.ts';
import { parseShiftName } from '../release/urls.ts';
import { type FormFacts, formRule, formSection } from './forms.ts';
import { examProblem, type MisplacedId, shiftProblem } from './paper.ts';
import {
  type FindingPlace,
  firstOccurrence,
  quote,
  type Rule,
  type RuleDescription,
  repetitions,
} from './rule.ts';

/** What the rules on the whole bank check: the facts that are kept of each file. */
export interface BankFacts extends FormFacts {
  readonly bank: Bank;
  readonly exams: readonly Exam[];
  readonly papers: readonly (FormFacts['papers'][number] & {
    readonly misplaced: readonly MisplacedId[];
  })[];
  readonly strays: readonly Stray[];
  readonly unreadable: readonly UnreadableFolder[];
  readonly emptyShifts: readonly string[];
  /** One file of each shift folder, a paper if it has one, and its `shift.json`. */
  readonly shifts: readonly (FormFacts['shifts'][number] & Placed)[];
  readonly repeatedIds: readonly Repetition[];
  readonly repeatedStems: readonly Repetition[];
  /** Pairs of questions with the same options and answer, and similar texts. */
  readonly similar: readonly SimilarPair[];
  readonly unlistedTopics: readonly UnlistedTopic[];
}

/** Two questions that are nearly the same. */
export interface SimilarPair {
  readonly first: TextPlace;
  readonly again: TextPlace;
  /** Percent of the words that both have. */
  readonly percent: number;
}

interface Placed {
  /** Inside the content folder. */
  readonly path: string;
}

/** A text of several questions of the bank, in order. */
export interface Repetition {
  readonly text: string;
  readonly places: readonly TextPlace[];
  /** The number of places, also of those that are not listed. */
  readonly total: number;
}

export interface TextPlace extends Placed {
  readonly pointer: string;
}

/** A question's topic that exam.json does not list for its subject. */
export interface UnlistedTopic extends TextPlace {
  readonly topic: string;
  readonly subject: string;
  readonly listed: readonly string[];
  readonly exam: Placed & Pick<ExamFile, 'label'>;
}

const notEmpty: Rule<BankFacts> = {
  name: 'not-empty',
  description: 'A bank has at least one exam, and each exam has at least one paper.',
  severity: 'error',
  strict: true,
  example: {
    wrong: 'only content/neet/exam.json',
    right: 'content/neet/2024/2024-05-05-s1/physics.json',
  },
  *check({ exams, papers, strays, unreadable }) {
    // Unreadable folders and links may contain papers, and a paper may be in the wrong place.
    const unknown = strays.filter(({ path, kind }) => kind !== 'file' || /\.json$/i.test(path));
    // The first folder of a path is an exam; '' is the content folder itself.
    const withPapers = new Set(
      [...papers, ...unreadable, ...unknown].map(({ path }) => path.split('/')[0] ?? ''),
    );
    if (exams.length === 0 && withPapers.size === 0) {
      const message =
        'The content folder has no exam. Create <exam>/exam.json and <exam>/<year>/<shift>/<subject>.json.';
      yield { path: '', message };
    }
    for (const { code, path } of exams) {
      if (withPapers.has(code) || withPapers.has('')) continue;
      yield {
        path,
        message: `The exam has no papers. Create ${code}/<year>/<shift>/<subject>.json.`,
      };
    }
  },
};

const strayFile: Rule<BankFacts> = {
  name: 'stray-file',
  description:
    'The content folder contains only files that the build publishes, each in its correct place.',
  severity: 'error',
  example: {
    wrong: 'content/neet/2024/physics.json',
    right: 'content/neet/2024/2024-05-05-s1/physics.json',
  },
  *check({ strays }) {
    for (const { path, kind } of strays) yield { path, message: strayMessages[kind] };
  },
};

const strayMessages: Readonly<Record<Stray['kind'], string>> = {
  file:
    'This is not part of a bank. A bank contains <exam>/exam.json, ' +
    '<exam>/<year>/<shift>/<subject>.json and <exam>/<year>/<shift>/diagrams/<file>.',
  folder: 'This is a folder where a file is expected. Rename the folder, or remove it.',
  link: 'This is a symbolic link. Replace it with the file itself.',
  special: 'This is not a regular file (a pipe, a socket, a device). Remove it.',
  name: 'The name contains a control character, such as a line break. Rename the file.',
};

const readableFolder: Rule<BankFacts> = {
  name: 'readable-folder',
  description: 'Every folder of the bank can be read.',
  severity: 'error',
  strict: true,
  example: { wrong: 'drwx------ root  2024-05-05-s1/', right: 'drwxr-xr-x root  2024-05-05-s1/' },
  *check({ unreadable }) {
    for (const { path, code } of unreadable)
      yield { path, message: `The folder cannot be read (${code}). Check its permissions.` };
  },
};

const examCode: Rule<BankFacts> = {
  name: 'exam-code',
  description:
    'An exam code has lower-case letters and digits, starts with a letter, and is not reserved.',
  severity: 'error',
  strict: true,
  example: { wrong: 'content/JEE-Main/exam.json', right: 'content/jeemain/exam.json' },
  *check({ exams }) {
    for (const { code, path } of exams) {
      const message = examProblem(code);
      if (message) yield { path, message };
    }
  },
};

const examFile: Rule<BankFacts> = {
  name: 'exam-file',
  description: 'Every exam folder with papers has an exam.json.',
  severity: 'error',
  strict: true,
  example: {
    wrong: 'content/neet/2024/... alone',
    right: 'content/neet/2024/... and content/neet/exam.json',
  },
  *check({ exams, strays, papers }) {
    // The rule on stray files reports an exam.json that is not a file.
    const described = new Set([...exams, ...strays].map(({ path }) => path));
    for (const { exam, path } of papers) {
      const file = `${exam}/exam.json`;
      if (described.has(file)) continue;
      described.add(file);
      const message = `The exam of this paper has no ${file}. Create it, with a label and subjects.`;
      yield { path, message };
    }
  },
};

const shiftName: Rule<BankFacts> = {
  name: 'shift-name',
  description:
    'A shift is named <YYYY>-<MM>-<DD>-s<n>, with a valid date in the year of its folder.',
  severity: 'error',
  strict: true,
  example: { wrong: 'content/neet/2024/2024-02-30-s1/', right: 'content/neet/2024/2024-02-29-s1/' },
  *check({ shifts }) {
    for (const shift of shifts) {
      const message = shiftProblem(shift);
      if (message) yield { path: shift.path, message };
    }
  },
};

const shiftDate: Rule<BankFacts> = {
  name: 'shift-date',
  description: 'A shift whose day is not known is named after the first day of its month or year.',
  severity: 'error',
  example: {
    wrong: '2019-06-15-s1/shift.json: { "date": "2019-06" }',
    right: '2019-06-01-s1/shift.json: { "date": "2019-06" }',
  },
  *check({ shifts }) {
    for (const { shift, details } of shifts) {
      const date = details?.content?.date;
      const name = parseShiftName(shift);
      const first = `${date}-01-01`.slice(0, 'YYYY-MM-DD'.length);
      // The rule on names reports a name without a date.
      if (!details || date === undefined || !name || name.date === first) continue;
      const message = `A shift of ${date} is named after the first day: ${first}-s1. Rename the folder, or correct the date.`;
      yield { path: details.path, pointer: '/date', message };
    }
  },
};

const missingSource: Rule<BankFacts> = {
  name: 'missing-source',
  description: 'Every shift has a source, if pastpaper.config.json requires it.',
  severity: 'error',
  example: {
    wrong: '"requireSource": true, and no file has a "source"',
    right:
      'exam.json: "source": { "title": "Question papers of the exam body", "url": "https://example.org" }',
  },
  *check({ bank, exams, shifts }) {
    if (!bank.requireSource || bank.source) return;
    const withSource = new Set(exams.flatMap(({ code, content }) => (content?.source ? code : [])));
    for (const { exam, path, details } of shifts) {
      // A file that breaks its schema may have one.
      if (withSource.has(exam) || (details && !details.content) || details?.content?.source)
        continue;
      const places = `its shift.json, to exam.json or to ${configFile}`;
      yield {
        path,
        message: `This shift has no source, which ${configFile} requires. Add "source" to ${places}.`,
      };
    }
  },
};

const subjectAllowed: Rule<BankFacts> = {
  name: 'subject-allowed',
  description: 'The subject of a paper is listed in exam.json.',
  severity: 'error',
  strict: true,
  example: { wrong: '2024-05-05-s1/history.json', right: '2024-05-05-s1/biology.json' },
  *check({ exams, papers }) {
    for (const { code, path: examPath, content } of exams) {
      if (!content) continue;
      const { label } = content;
      const subjects = subjectCodes(content);
      const effort = { left: mostEffort };
      for (const { exam, path, subject } of papers) {
        if (exam !== code || subjects.includes(subject)) continue;
        const meant = nearest(subject, subjects, effort);
        const question = meant === undefined ? '' : ` Did you mean ${meant}.json?`;
        const message = `"${subject}" is not a subject of ${label}. Its subjects are ${subjects.join(', ')}.${question}`;
        const related = [
          { path: examPath, pointer: '/subjects', message: 'The subjects are listed here.' },
        ];
        yield { path, message, related };
      }
    }
  },
};

const uniqueSubjects: Rule<BankFacts> = {
  name: 'unique-subjects',
  description: 'An exam lists each subject once, with or without a display name.',
  severity: 'error',
  strict: true,
  example: {
    wrong: '"subjects": ["cs", { "code": "cs", "label": "Computer Science" }]',
    right: '"subjects": [{ "code": "cs", "label": "Computer Science" }]',
  },
  *check({ exams }) {
    for (const { path, content } of exams) {
      const codes = content ? subjectCodes(content).entries() : [];
      for (const { first, again } of repetitions(codes, ([, code]) => code)) {
        const [index, code] = again;
        const message = `"${code}" is listed twice. Remove one of them.`;
        const related = [{ path, ...firstOccurrence(`/subjects/${first[0]}`) }];
        yield { path, pointer: `/subjects/${index}`, message, related };
      }
    }
  },
};

const unlistedTopic: Rule<BankFacts> = {
  name: 'unlisted-topic',
  description: 'The topic of a question is listed in exam.json, if its subject has a list.',
  severity: 'error',
  example: { wrong: '"topic": "Cinematics"', right: '"topic": "Kinematics"' },
  *check({ exams, unlistedTopics }) {
    const effort = { left: mostEffort };
    for (const { path, content } of exams) {
      const subjects = content ? subjectCodes(content) : [];
      for (const subject of Object.keys(content?.topics ?? {})) {
        if (subjects.includes(subject)) continue;
        const message = `${quote(subject)} is not a subject of ${content?.label}. Its subjects are ${subjects.join(', ')}.`;
        const pointer = `/topics/${escapePointer(subject)}`;
        yield {
          path,
          pointer,
          part: { of: 'name' },
          message,
          suggestion: nearest(subject, subjects, effort),
        };
      }
    }
    const byLetters = new Map<readonly string[], ReadonlyMap<string, readonly string[]>>();
    for (const { path, pointer, topic, subject, listed, exam } of unlistedTopics) {
      const ofSubject = byLetters.get(listed) ?? groupBy(listed, letters);
      byLetters.set(listed, ofSubject);
      const [same, ...others] = ofSubject.get(letters(topic)) ?? [];
      const certain = same !== undefined && others.length === 0;
      const suggestion = certain ? same : nearest(topic, listed, effort);
      const message = `${quote(topic)} is not a topic of ${subject} in ${exam.label}. Use a listed topic, or add it to exam.json.`;
      const list = `/topics/${escapePointer(subject)}`;
      const related = [{ path: exam.path, pointer: list, message: 'The topics are listed here.' }];
      yield { path, pointer, message, suggestion, certain, related };
    }
  },
};

const missingPaper: Rule<BankFacts> = {
  name: 'missing-paper',
  description: 'Every shift has papers, and all shifts of a day have the same subjects.',
  severity: 'warning',
  example: {
    wrong: '2024-01-27-s1/: physics.json, chemistry.json   2024-01-27-s2/: physics.json',
    right: '2024-01-27-s2/: physics.json, chemistry.json',
  },
  *check({ exams: described, papers, emptyShifts, unreadable, strays }) {
    const subjects = new Map(
      described.map(({ code, content }) => [code, content && subjectCodes(content)]),
    );
    const unknown = [...unreadable, ...strays].map(({ path }) => path);
    const exams = new Set(papers.map(({ exam }) => exam));
    for (const path of emptyShifts) {
      const [exam = '', year = '', shift = ''] = path.split('/');
      const isKnown = exams.has(exam) && !shiftProblem({ year, shift });
      if (isKnown && !unknown.some((one) => one === path || one.startsWith(`${path}/`)))
        yield { path, message: 'This shift has no papers. Add them, or remove the folder.' };
    }
    const days = groupBy(
      papers,
      (paper) => `${paper.exam}/${paper.shift.slice(0, 'YYYY-MM-DD'.length)}`,
    );
    for (const ofDay of days.values()) {
      const day = [...groupBy(ofDay, ({ shift }) => shift).values()];
      if (day.length === 1 || day.length > mostShifts) continue;
      for (const [first, ...more] of day) {
        const others = day.filter(([other]) => other !== first);
        const own = new Set([first, ...more].map((paper) => paper?.subject));
        const common = (others[0] ?? []).map(({ subject }) => subject);
        const isSame = others.every(
          (other) => String(other.map(({ subject }) => subject)) === String(common),
        );
        const known = subjects.get(first?.exam ?? '') ?? common;
        const missing = common.filter((subject) => !own.has(subject) && known.includes(subject));
        // Shifts with other subjects are other papers of the exam, which are complete without these.
        if (!first || !isSame || missing.length === 0 || own.size + missing.length > common.length)
          continue;
        const files = missing.map((subject) => `${subject}.json`).join(' and ');
        const have =
          others.length === 1
            ? 'other shift of the day has'
            : `${others.length} other shifts of the day have`;
        yield { path: first.path, message: `This shift has no ${files}, but the ${have}.` };
      }
    }
  },
};

const uniqueIds: Rule<BankFacts> = {
  name: 'unique-ids',
  description: 'No two questions of the bank have the same id.',
  severity: 'error',
  strict: true,
  example: {
    wrong: '"id": "physics-01" in two files',
    right: '"id": "physics-01" and "id": "chemistry-01"',
  },
  *check({ repeatedIds }) {
    for (const { text, places } of repeatedIds) {
      const [first, ...others] = places;
      if (!first) continue;
      const message = `The id "${text}" is used twice. Give every question its own id.`;
      const related = [{ ...first, ...firstOccurrence(first.pointer) }];
      for (const place of others) yield { ...place, message, related };
    }
  },
};

const idPlace: Rule<BankFacts> = {
  name: 'id-place',
  description: 'An id does not name another exam, shift or subject of the bank.',
  severity: 'error',
  example: {
    wrong: 'physics.json: "id": "neet-2024-05-05-s1-biology-07"',
    right: 'the question in biology.json, or "id": "neet-2024-05-05-s1-physics-07"',
  },
  *check({ exams, papers, shifts }) {
    const subjects = new Map(
      exams.map(({ code, content }) => [code, new Set(content && subjectCodes(content))]),
    );
    for (const { exam, subject } of papers) subjects.get(exam)?.add(subject);
    const known = new Set(shifts.map(({ exam, shift }) => `${exam}/${shift}`));
    for (const { path, misplaced } of papers) {
      for (const { index, exam, year, shift, subject } of misplaced) {
        if (!known.has(`${exam}/${shift}`) || !subjects.get(exam)?.has(subject)) continue;
        const file = `${exam}/${year}/${shift}/${subject}.json`;
        const message =
          `This id names another paper: ${file}. Move the question there if it belongs there. ` +
          'Correct the id only if the question has not been published yet: clients store ids.';
        yield { path, pointer: `/questions/${index}/id`, message };
      }
    }
  },
};

const repeatedStem: Rule<BankFacts> = {
  name: 'repeated-stem',
  description: 'No two papers contain a question with the same text and options.',
  severity: 'warning',
  example: {
    wrong: '"question": "Which of these is a vector?" in physics.json of two shifts',
    right: 'each question once, or an exception with the reason for the repetition',
  },
  *check({ repeatedStems, repeatedIds }) {
    // The rule on unique ids reports a question that was copied with its id.
    const copied = new Set(repeatedIds.flatMap(({ places }) => places.slice(1).map(questionOf)));
    for (const { places, total } of repeatedStems) {
      const own = places.filter((place) => !copied.has(questionOf(place)));
      const [first, again, ...others] = own;
      if (!first || !again) continue;
      const more = total - (places.length - own.length) - 1;
      const papers = more === 1 ? 'another paper' : `${more} other papers`;
      const related = [first, ...others].map((place) => ({
        ...place,
        message: 'The same question is here.',
      }));
      yield { ...again, message: `This question is also in ${papers}.`, related };
    }
  },
};

const similarQuestion: Rule<BankFacts> = {
  name: 'similar-question',
  description:
    'No two questions of the bank have the same options, the same answer and at least 40 % of their words in common.',
  severity: 'warning',
  example: {
    wrong:
      '"Which metal is liquid at 20 °C?" and "Which metal is liquid at room temperature?", with the same options',
    right: 'one of them, or an exception with the reason for both',
  },
  *check({ similar }) {
    for (const { first, again, percent } of similar) {
      const message = `This question has the options, the answer and ${percent} % of the words of another one.`;
      yield {
        ...again,
        message,
        related: [{ ...first, message: 'The similar question is here.' }],
      };
    }
  },
};

function letters(name: string): string {
  return name.replace(/\s+/g, '').toLowerCase();
}

/** No exam has more shifts on a day. */
const mostShifts = 20;

function questionOf({ path, pointer }: TextPlace): string {
  return `${path}#${pointer.slice(0, pointer.lastIndexOf('/'))}`;
}

interface CheckedExceptions {
  /** The exceptions that conform to the schema. */
  readonly list: readonly CheckedException[];
  readonly rules: readonly RuleDescription[];
  /** Every path of the content folder. */
  readonly files: readonly string[];
}

/** Where the bank may break a rule: in a question, in files, at a place of a file, or everywhere. */
export interface Exception {
  readonly rule: string;
  readonly question?: string;
  /** A file or folder inside the content folder, or a pattern with `*`. */
  readonly file?: string;
  readonly pointer?: string;
  /** Problems at most; without it, all of that place. */
  readonly count?: number;
}

interface CheckedException extends Exception {
  /** The path of the list that has it. */
  readonly path: string;
  /** The number of problems that it covers. */
  readonly left: number;
  readonly index: number;
  /** What does not exist, if the exception covers nothing: a problem, or the file or question that it names. */
  readonly missing: 'problem' | 'file' | 'question' | undefined;
}

export const exceptionRule: Rule<CheckedExceptions> = {
  name: 'exception',
  description:
    'An exception names a rule that allows exceptions, and a place where the rule is broken.',
  severity: 'error',
  strict: true,
  example: {
    wrong: '{ "rule": "repeated-stem", ... }   (the question has changed since)',
    right: 'the exception removed',
  },
  *check({ list, rules, files }) {
    const firsts = new Map<string, FindingPlace>();
    const effort = { left: mostEffort };
    for (const exception of list) {
      const {
        path,
        index,
        rule: name,
        question,
        file,
        pointer: place,
        count = 1,
        left,
        missing,
      } = exception;
      const pointer = `/exceptions/${index}`;
      const key = JSON.stringify([name, question, file, place]);
      const first = firsts.get(key);
      if (first === undefined) firsts.set(key, { path, ...firstOccurrence(pointer) });
      const rule = rules.find((one) => one.name === name);
      if (!rule) {
        const names = rules.map((one) => one.name);
        const suggestion = nearest(name, names, effort);
        yield {
          path,
          pointer: `${pointer}/rule`,
          message: `Unknown rule ${quote(name)}.`,
          suggestion,
        };
      } else if (rule.strict) {
        const message = `The rule "${name}" allows no exceptions, because a release cannot be built from content that breaks it.`;
        yield { path, pointer: `${pointer}/rule`, message };
      } else if (first !== undefined) {
        const related = [first];
        yield { path, pointer, message: 'This exception is listed twice. Remove it.', related };
      } else if (question !== undefined && (file ?? place) !== undefined) {
        const message = 'Give a question or a file, not both. The id of a question is unique.';
        yield { path, pointer, message };
      } else if (place !== undefined && file === undefined) {
        yield {
          path,
          pointer: `${pointer}/pointer`,
          message: 'A pointer needs a file. Add "file".',
        };
      } else if (missing === 'file') {
        const message = `The content folder has no ${quote(file)}.`;
        yield {
          path,
          pointer: `${pointer}/file`,
          message,
          suggestion: nearest(file ?? '', files, effort),
        };
      } else if (missing === 'question') {
        yield {
          path,
          pointer: `${pointer}/question`,
          message: `No question has the id ${quote(question)}.`,
        };
      } else if (missing === 'problem') {
        const message = `This exception is no longer needed: nothing breaks "${name}"${whereOf(exception)}. Remove it.`;
        yield { path, pointer, message };
      } else if (left > 0 && left < count) {
        const message = `This exception is for ${count} problems, and ${left} ${left === 1 ? 'is' : 'are'} left. Lower the count.`;
        yield { path, pointer: `${pointer}/count`, message, suggestion: String(left) };
      }
    }
  },
};

function whereOf({ question, file, pointer = '' }: CheckedException): string {
  if (question !== undefined) return ` in the question ${quote(question)}`;
  return file === undefined ? '' : ` at ${file}${pointer}`;
}

export const bankRules: readonly Rule<BankFacts>[] = [
  notEmpty,
  strayFile,
  readableFolder,
  examCode,
  examFile,
  shiftName,
  shiftDate,
  missingSource,
  formRule,
  formSection,
  subjectAllowed,
  uniqueSubjects,
  unlistedTopic,
  missingPaper,
  uniqueIds,
  idPlace,
  repeatedStem,
  similarQuestion,
];
