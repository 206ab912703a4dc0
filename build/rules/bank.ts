/** Rules on the whole bank: its folders and files, names, unique ids and questions, and the list of exceptions. */
import { exceptionsPath, type Stray, type UnreadableFolder } from '../content/find.ts';
import type { Exam, PaperPlace } from '../content/types.ts';
import { examProblem, nearest, quote, shiftProblem } from './names.ts';
import type { Rule, RuleDescription } from './rule.ts';

/** What the rules on the whole bank check: the facts that are kept of each file. */
export interface BankFacts {
  readonly exams: readonly Exam[];
  readonly papers: readonly PaperFacts[];
  readonly strays: readonly Stray[];
  readonly unreadable: readonly UnreadableFolder[];
  /** One file of each shift folder, a paper if it has one. */
  readonly shifts: readonly ShiftFacts[];
  readonly repeatedIds: readonly Repetition[];
  readonly repeatedStems: readonly Repetition[];
}

interface PaperFacts extends PaperPlace {
  readonly path: string;
}

interface ShiftFacts {
  readonly exam: string;
  readonly year: string;
  readonly shift: string;
  readonly path: string;
}

/** A text of several questions of the bank, in order. */
export interface Repetition {
  readonly text: string;
  readonly places: readonly TextPlace[];
  /** The number of places, also of those that are not listed. */
  readonly total: number;
}

export interface TextPlace {
  readonly path: string;
  /** JSON pointer (RFC 6901) to the text. */
  readonly pointer: string;
}

const notEmpty: Rule<BankFacts> = {
  name: 'not-empty',
  description: 'A bank has at least one exam, and an exam at least one paper.',
  severity: 'error',
  strict: true,
  example: {
    wrong: 'content/neet/exam.json   (and no paper)',
    right: 'content/neet/2024/2024-05-05-s1/physics.json',
  },
  *check({ exams, papers, strays, unreadable }) {
    // Unreadable folders and links may contain papers, and a paper may be in the wrong place.
    const unknown = [
      ...unreadable,
      ...strays.filter(({ path, kind }) => kind !== 'file' || /\.json$/i.test(path)),
    ];
    if (exams.length === 0 && papers.length === 0 && unknown.length === 0) {
      yield {
        path: '',
        pointer: '',
        message:
          'The content folder has no exam. Write <exam>/exam.json and <exam>/<year>/<shift>/<subject>.json.',
      };
    }
    const withPapers = new Set([
      ...papers.map(({ exam }) => exam),
      ...unknown.map(({ path }) => examOf(path)),
    ]);
    for (const { code, path } of exams) {
      if (withPapers.has(code) || withPapers.has('')) continue;
      yield {
        path,
        pointer: '',
        message: `The exam has no papers. Write ${code}/<year>/<shift>/<subject>.json.`,
      };
    }
  },
};

/** The first folder of a path; '' for the content folder itself. */
function examOf(path: string): string {
  return path.split('/')[0] ?? '';
}

const strayFile: Rule<BankFacts> = {
  name: 'stray-file',
  description:
    'Everything in the content folder is a file at a place that the build knows; anything else would not be published.',
  severity: 'error',
  example: {
    wrong: 'content/neet/2024/physics.json',
    right: 'content/neet/2024/2024-05-05-s1/physics.json',
  },
  *check({ strays }) {
    for (const { path, kind } of strays) yield { path, pointer: '', message: strayMessages[kind] };
  },
};

const strayMessages: Readonly<Record<Stray['kind'], string>> = {
  file: 'This is not published. A bank holds <exam>/exam.json, <exam>/<year>/<shift>/<subject>.json and <exam>/<year>/<shift>/diagrams/<file>.',
  folder: 'This is a folder where a file is expected. Rename the folder, or remove it.',
  link: 'This is a link, and links are not followed. Put the file itself here.',
  special: 'This is not a regular file (a pipe, a socket, a device). Remove it.',
  name: 'The name contains a control character, such as a line break. Rename the file.',
};

const readableFolder: Rule<BankFacts> = {
  name: 'readable-folder',
  description: 'Every folder of the bank can be listed.',
  severity: 'error',
  strict: true,
  example: {
    wrong: 'drwx------ root  2024-05-05-s1/   (and the build runs as another user)',
    right: 'drwxr-xr-x root  2024-05-05-s1/',
  },
  *check({ unreadable }) {
    for (const { path, code } of unreadable)
      yield { path, pointer: '', message: `The folder cannot be listed (${code}). Allow reading it.` };
  },
};

const examCode: Rule<BankFacts> = {
  name: 'exam-code',
  description:
    'An exam code is lower-case letters and digits, a letter first, and no name that the service uses itself.',
  severity: 'error',
  strict: true,
  example: { wrong: 'content/JEE-Main/exam.json', right: 'content/jeemain/exam.json' },
  *check(bank) {
    for (const { code, path } of bank.exams) {
      const message = examProblem(code);
      if (message) yield { path, pointer: '', message };
    }
  },
};

const examFile: Rule<BankFacts> = {
  name: 'exam-file',
  description: 'Every folder with papers has an exam.json that says what exam they are of.',
  severity: 'error',
  strict: true,
  example: {
    wrong: 'content/neet/2024/...   (and no content/neet/exam.json)',
    right: 'content/neet/exam.json: { "label": "NEET", "subjects": ["physics"] }',
  },
  *check(bank) {
    // The rule on stray files reports an exam.json that is not a file.
    const described = new Set([...bank.exams, ...bank.strays].map(({ path }) => path));
    for (const { exam, path } of bank.papers) {
      const file = `${exam}/exam.json`;
      if (described.has(file)) continue;
      described.add(file);
      yield {
        path,
        pointer: '',
        message: `The exam of this paper has no ${file}. Write one with its label and subjects.`,
      };
    }
  },
};

const shiftName: Rule<BankFacts> = {
  name: 'shift-name',
  description:
    'A shift is named <YYYY>-<MM>-<DD>-s<n>, with a real date of the year whose folder it stands in.',
  severity: 'error',
  strict: true,
  example: { wrong: 'content/neet/2024/2024-02-30-s1/', right: 'content/neet/2024/2024-02-29-s1/' },
  *check(bank) {
    for (const place of bank.shifts) {
      const message = shiftProblem(place);
      if (message) yield { path: place.path, pointer: '', message };
    }
  },
};

const subjectAllowed: Rule<BankFacts> = {
  name: 'subject-allowed',
  description: "A paper's subject is one that exam.json lists.",
  severity: 'error',
  strict: true,
  example: {
    wrong: 'content/neet/2024/2024-05-05-s1/history.json',
    right: 'content/neet/2024/2024-05-05-s1/biology.json',
  },
  *check(bank) {
    for (const exam of bank.exams) {
      if (!exam.content) continue;
      const { subjects } = exam.content;
      for (const { path, subject } of bank.papers.filter((paper) => paper.exam === exam.code)) {
        if (subjects.includes(subject)) continue;
        const meant = nearest(subject, subjects);
        yield {
          path,
          pointer: '',
          message: `"${subject}" is not a subject of ${exam.content.label}. Its subjects are ${subjects.join(', ')}.${meant === undefined ? '' : ` Did you mean ${meant}.json?`}`,
          related: [{ path: exam.path, pointer: '/subjects', message: 'The subjects are listed here.' }],
        };
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
          message: `The id "${text}" is used twice. Give every question its own id.`,
          related: [{ ...first, message: 'The first one is here.' }],
        };
      }
    }
  },
};

const repeatedStem: Rule<BankFacts> = {
  name: 'repeated-stem',
  description: 'A question is asked in one paper; the same text in two may be one that was copied.',
  severity: 'warning',
  example: {
    wrong: '"question": "Which of these is a vector?" in physics.json of two shifts',
    right: 'each question once, or an exception that says why it was asked again',
  },
  *check({ repeatedStems, repeatedIds }) {
    // The rule on unique ids reports a question that was copied with its id.
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
          message: 'The same question is here.',
        })),
      };
    }
  },
};

/** The question that a text belongs to. */
function questionOf({ path, pointer }: TextPlace): string {
  return `${path}#${pointer.slice(0, pointer.lastIndexOf('/'))}`;
}

export const bankRules: readonly Rule<BankFacts>[] = [
  notEmpty,
  strayFile,
  readableFolder,
  examCode,
  examFile,
  shiftName,
  subjectAllowed,
  uniqueIds,
  repeatedStem,
];

/** The bank's exceptions, for the rule on them. */
interface CheckedExceptions {
  /** Those that conform to the schema. */
  readonly list: readonly CheckedException[];
  readonly rules: readonly RuleDescription[];
}

interface CheckedException {
  /** In the file, from 0. */
  readonly index: number;
  readonly rule: string;
  readonly file: string;
  readonly pointer: string;
  /** Whether something breaks the rule there, or may do so. */
  readonly isNeeded: boolean;
}

export const exceptionRule: Rule<CheckedExceptions> = {
  name: 'exception',
  description: 'An exception names a rule that may be broken, and a place that breaks it still.',
  severity: 'error',
  strict: true,
  example: {
    wrong: '{ "rule": "repeated-stem", ... }   (and the question was changed since)',
    right: 'the exception removed',
  },
  *check({ list, rules }) {
    const firsts = new Map<string, number>();
    for (const { index, rule: name, file, pointer, isNeeded } of list) {
      const at = { path: exceptionsPath, pointer: `/exceptions/${index}` };
      const rule = rules.find((one) => one.name === name);
      const key = JSON.stringify([name, file, pointer]);
      const first = firsts.get(key);
      if (!rule) {
        const meant = nearest(
          name,
          rules.map((one) => one.name),
        );
        yield {
          ...at,
          pointer: `${at.pointer}/rule`,
          message: `Unknown rule ${quote(name)}.`,
          suggestion: meant,
        };
      } else if (rule.strict) {
        yield {
          ...at,
          pointer: `${at.pointer}/rule`,
          message: `The rule "${name}" allows no exceptions: a release could not be built.`,
        };
      } else if (first !== undefined) {
        yield {
          ...at,
          message: 'This exception is listed twice. Remove it.',
          related: [
            { path: exceptionsPath, pointer: `/exceptions/${first}`, message: 'The first one is here.' },
          ],
        };
      } else if (!isNeeded) {
        yield {
          ...at,
          message: `This exception no longer applies: nothing breaks "${name}" at ${file}${pointer}. Remove it.`,
        };
      }
      if (first === undefined) firsts.set(key, index);
    }
  },
};
