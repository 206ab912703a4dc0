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
  readonly file: string;
  readonly pointer: string;
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
  invalidCase('rejects an exception that no longer applies', [needed, others], {
    message: `This exception no longer applies: nothing breaks "option-texts" at ${paperPath}/questions/0/question. Remove it.`,
    pointer: '/exceptions/1',
    at: '9:5-14:6',
  }),
  invalidCase(
    'rejects an exception for a place that does not exist',
    [needed, { ...needed, pointer: '/questions/9/question' }],
    {
      message: `This exception no longer applies: nothing breaks "repeated-stem" at ${paperPath}/questions/9/question. Remove it.`,
      pointer: '/exceptions/1',
      at: '9:5-14:6',
    },
  ),
  invalidCase('rejects a repeated exception', [needed, needed], {
    message: 'This exception is listed twice. Remove it.',
    pointer: '/exceptions/1',
    at: '9:5-14:6',
    related: [{ message: 'The first one is here.', file: list, at: '3:5-8:6' }],
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
    message: 'The rule "schema" allows no exceptions: a release could not be built.',
    pointer: '/exceptions/1/rule',
    at: '10:15-10:23',
  }),
];
