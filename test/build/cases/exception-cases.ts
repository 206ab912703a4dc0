import { type Files, paperOf, paperPath, sampleQuestions, shiftPath } from '../bank-folder.ts';
import { accepts, bankOf, type Cases, type Found, rejects } from './rule-case.ts';

const { mcq } = sampleQuestions;
const list = 'exceptions.json';

interface Exception {
  readonly rule?: string;
  readonly question?: string;
  readonly file?: string;
  readonly pointer?: string;
  readonly count?: number;
}

const needed: Exception = {
  rule: 'repeated-stem',
  file: paperPath,
  pointer: '/questions/0/question',
};
const other: Exception = { ...needed, rule: 'option-texts' };
const misspelt = paperPath.replace('phy', 'pyh');

/** A bank with one question in two papers, and these exceptions. */
function excepting(...exceptions: readonly Exception[]): Files {
  const all = exceptions.map((one) => ({
    rule: needed.rule,
    ...one,
    reason: 'Both papers asked it.',
  }));
  const papers = { [`${shiftPath}/biology.json`]: paperOf(mcq) };
  return bankOf(paperOf({ ...mcq, id: 'q2' }), { ...papers, [list]: { exceptions: all } });
}

const at = (pointer: string, message: string, more: Partial<Found> = {}): Found => ({
  ...{ file: list, pointer: `/exceptions/${pointer}`, message },
  ...more,
});
const notNeeded = (rule: string, where: string) =>
  at('1', `This exception is no longer needed: nothing breaks "${rule}"${where}. Remove it.`);

const manyFolders = `${'**/*e*'.repeat(12)}.png`;

/** The list of exceptions. */
export const exceptionCases: Cases = {
  exception: [
    accepts('an exception for a place', excepting(needed)),
    accepts('an exception for a question', excepting({ question: 'q2' })),
    accepts('an exception for a rule', excepting({})),
    accepts('an exception for one problem', excepting({ ...needed, count: 1 })),
    rejects(
      'an exception for two problems, of which one is left',
      excepting({ ...needed, count: 2 }),
      at('0/count', 'This exception is for 2 problems, and 1 is left. Lower the count.', {
        suggestion: '1',
      }),
    ),
    ...[paperPath, 'neet/2024', 'neet/2024/2024-*-s1/phys*.json', '**/physics.json'].map((file) =>
      accepts(`an exception for ${file}`, excepting({ file })),
    ),
    rejects(
      'a pattern with many wildcards that no file matches',
      excepting(needed, { file: manyFolders }),
      at('1/file', `The content folder has no "${manyFolders}".`),
    ),
    rejects(
      'a mistyped file',
      excepting(needed, { file: misspelt }),
      at('1/file', `The content folder has no "${misspelt}".`, { suggestion: paperPath }),
    ),
    rejects(
      'a question that does not exist',
      excepting(needed, { question: 'q3' }),
      at('1/question', 'No question has the id "q3".'),
    ),
    rejects(
      'a question without the problem',
      excepting(needed, { question: 'q1' }),
      notNeeded('repeated-stem', ' in the question "q1"'),
    ),
    rejects(
      'a place where the rule is not broken',
      excepting(needed, other),
      notNeeded('option-texts', ` at ${paperPath}/questions/0/question`),
    ),
    rejects(
      'a question and a file',
      excepting({ question: 'q2', file: paperPath }),
      at('0', 'Give a question or a file, not both. The id of a question is unique.'),
    ),
    rejects(
      'a pointer without a file',
      excepting(needed, { pointer: '/questions/0' }),
      at('1/pointer', 'A pointer needs a file. Add "file".'),
    ),
    rejects(
      'a repeated exception',
      excepting(needed, needed),
      at('1', 'This exception is listed twice. Remove it.', {
        related: [{ message: 'First occurrence.', file: list, pointer: '/exceptions/0' }],
      }),
    ),
    rejects(
      'a misspelt rule',
      excepting(needed, { ...other, rule: 'option-text' }),
      at('1/rule', 'Unknown rule "option-text".', { suggestion: 'option-texts' }),
    ),
    rejects(
      'an exception to a rule that allows none',
      excepting(needed, { ...other, rule: 'schema' }),
      at(
        '1/rule',
        'The rule "schema" allows no exceptions, because a release cannot be built from content that breaks it.',
      ),
    ),
  ],
};
