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

function wrong(shows: string, exceptions: readonly Exception[], found: Omit<Found, 'file'>): RuleCase {
  return { rule: 'exception', shows, files: bankOf(...exceptions), found: [{ file: list, ...found }] };
}

const others: Exception = { ...needed, rule: 'option-texts' };

/** Cases of the rule on the list of exceptions. */
export const exceptionCases: readonly RuleCase[] = [
  {
    rule: 'exception',
    shows: 'what a bank makes an exception of is not told',
    files: bankOf(needed),
    found: [],
  },
  wrong('an exception that no longer applies is itself a mistake', [needed, others], {
    message: `This exception no longer applies: nothing breaks "option-texts" at ${paperPath}/questions/0/question. Remove it.`,
    pointer: '/exceptions/1',
    at: '9:5-14:6',
  }),
  wrong(
    'one for a place that is not there neither',
    [needed, { ...needed, pointer: '/questions/9/question' }],
    {
      message: `This exception no longer applies: nothing breaks "repeated-stem" at ${paperPath}/questions/9/question. Remove it.`,
      pointer: '/exceptions/1',
      at: '9:5-14:6',
    },
  ),
  wrong('one that is listed twice is one too many', [needed, needed], {
    message: 'This exception is listed twice. Remove it.',
    pointer: '/exceptions/1',
    at: '9:5-14:6',
    related: [{ message: 'The first one is here.', file: list, at: '3:5-8:6' }],
  }),
  wrong('a rule that is misspelt is none', [needed, { ...others, rule: 'option-text' }], {
    message: 'Unknown rule "option-text".',
    pointer: '/exceptions/1/rule',
    at: '10:15-10:28',
    suggestion: 'option-texts',
  }),
  wrong('nor is one that never was', [needed, { ...others, rule: 'good-taste' }], {
    message: 'Unknown rule "good-taste".',
    pointer: '/exceptions/1/rule',
    at: '10:15-10:27',
  }),
  wrong(
    'no exception is made of what a release could not be built of',
    [needed, { ...others, rule: 'schema' }],
    {
      message: 'The rule "schema" allows no exceptions: a release could not be built.',
      pointer: '/exceptions/1/rule',
      at: '10:15-10:23',
    },
  ),
];
