import {
  examPath,
  type Files,
  paperOf,
  paperPath,
  sampleExam,
  sampleQuestions,
  shiftPath,
} from '../bank-folder.ts';
import type { Found, RuleCase } from './rule-case.ts';

const { mcq } = sampleQuestions;
const list = 'exceptions.json';
const biology = `${shiftPath}/biology.json`;

interface Exception {
  readonly rule: string;
  readonly question?: string;
  readonly file?: string;
  readonly pointer?: string;
  readonly reason: string;
}

const needed: Exception = {
  rule: 'repeated-stem',
  file: paperPath,
  pointer: '/questions/0/question',
  reason: 'Both papers asked it.',
};

/** A bank with one question in two papers, and these exceptions: the first begins on line 3, each has 6 lines. */
function bankOf(...exceptions: readonly Exception[]): Files {
  return {
    [examPath]: sampleExam,
    [biology]: paperOf(mcq),
    [paperPath]: paperOf({ ...mcq, id: 'q2' }),
    [list]: { exceptions },
  };
}

/** An exception with other names. */
function naming(names: Omit<Exception, 'rule' | 'reason'>, rule = needed.rule): Exception {
  return { rule, ...names, reason: needed.reason };
}

function validCase(title: string, exception: Exception): RuleCase {
  return { rule: 'exception', title, files: bankOf(exception), found: [] };
}

function invalidCase(title: string, exceptions: readonly Exception[], found: Omit<Found, 'file'>): RuleCase {
  return { rule: 'exception', title, files: bankOf(...exceptions), found: [{ file: list, ...found }] };
}

const others: Exception = { ...needed, rule: 'option-texts' };

/** Cases of the rule on the list of exceptions. */
export const exceptionCases: readonly RuleCase[] = [
  {
    rule: 'exception',
    title: 'hides a problem that has an exception',
    files: bankOf(needed),
    found: [],
  },
  validCase('hides a problem in the question with an id', naming({ question: 'q2' })),
  validCase('hides the problems of a file', naming({ file: paperPath })),
  validCase('hides the problems of a folder', naming({ file: shiftPath.slice(0, 'neet/2024'.length) })),
  validCase('hides the problems of a folder with a slash', naming({ file: 'neet/' })),
  validCase(
    'hides the problems of files that match a pattern',
    naming({ file: 'neet/2024/2024-*-s1/phys*.json' }),
  ),
  validCase('hides the problems of files in any folders', naming({ file: '**/physics.json' })),
  validCase('hides all problems of a rule', naming({})),
  invalidCase(
    'rejects a mistyped file, with a suggestion',
    [needed, naming({ file: paperPath.replace('phy', 'pyh') })],
    {
      message: `The content folder has no "${paperPath.replace('phy', 'pyh')}".`,
      pointer: '/exceptions/1/file',
      at: '11:15-11:53',
      suggestion: paperPath,
    },
  ),
  invalidCase('rejects a pattern that no file matches', [needed, naming({ file: 'jeemain/**' })], {
    message: 'The content folder has no "jeemain/**".',
    pointer: '/exceptions/1/file',
    at: '11:15-11:27',
  }),
  invalidCase('rejects a question that does not exist', [needed, naming({ question: 'q3' })], {
    message: 'No question has the id "q3".',
    pointer: '/exceptions/1/question',
    at: '11:19-11:23',
  }),
  invalidCase('rejects a question without the problem', [needed, naming({ question: 'q1' })], {
    message:
      'This exception is no longer needed: nothing breaks "repeated-stem" in the question "q1". Remove it.',
    pointer: '/exceptions/1',
    at: '9:5-13:6',
  }),
  invalidCase('rejects a rule that nothing breaks', [needed, naming({}, 'option-texts')], {
    message: 'This exception is no longer needed: nothing breaks "option-texts". Remove it.',
    pointer: '/exceptions/1',
    at: '9:5-12:6',
  }),
  invalidCase('rejects a question and a file', [naming({ question: 'q2', file: paperPath })], {
    message: 'Give a question or a file, not both. The id of a question is unique.',
    pointer: '/exceptions/0',
    at: '3:5-8:6',
  }),
  invalidCase('rejects a pointer without a file', [needed, naming({ pointer: '/questions/0' })], {
    message: 'A pointer needs a file. Add "file".',
    pointer: '/exceptions/1/pointer',
    at: '11:18-11:32',
  }),
  invalidCase('rejects an exception that no longer applies', [needed, others], {
    message: `This exception is no longer needed: nothing breaks "option-texts" at ${paperPath}/questions/0/question. Remove it.`,
    pointer: '/exceptions/1',
    at: '9:5-14:6',
  }),
  invalidCase(
    'rejects an exception for a place that does not exist',
    [needed, { ...needed, pointer: '/questions/9/question' }],
    {
      message: `This exception is no longer needed: nothing breaks "repeated-stem" at ${paperPath}/questions/9/question. Remove it.`,
      pointer: '/exceptions/1',
      at: '9:5-14:6',
    },
  ),
  invalidCase('rejects a repeated exception', [needed, needed], {
    message: 'This exception is listed twice. Remove it.',
    pointer: '/exceptions/1',
    at: '9:5-14:6',
    related: [{ message: 'First occurrence.', file: list, at: '3:5-8:6' }],
  }),
  invalidCase('rejects a misspelt rule, with a suggestion', [needed, { ...others, rule: 'option-text' }], {
    message: 'Unknown rule "option-text".',
    pointer: '/exceptions/1/rule',
    at: '10:15-10:28',
    suggestion: 'option-texts',
  }),
  invalidCase('rejects an unknown rule', [needed, { ...others, rule: 'good-taste' }], {
    message: 'Unknown rule "good-taste".',
    pointer: '/exceptions/1/rule',
    at: '10:15-10:27',
  }),
  invalidCase('rejects an exception to a rule that allows none', [needed, { ...others, rule: 'schema' }], {
    message:
      'The rule "schema" allows no exceptions, because a release cannot be built from content that breaks it.',
    pointer: '/exceptions/1/rule',
    at: '10:15-10:23',
  }),
];
