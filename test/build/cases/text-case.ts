import type { Question } from '../../../build/content/types.ts';
import { examPath, paperOf, paperPath, sampleExam, sampleQuestions } from '../bank-folder.ts';
import { unmarked } from './marked.ts';
import type { Found, RuleCase } from './rule-case.ts';

const { mcq } = sampleQuestions;

/** The text of a question begins here, behind its quote. */
const questionAt = { line: 7, column: 20 };

export function bankOf(question: Question): RuleCase['files'] {
  return { [examPath]: sampleExam, [paperPath]: paperOf(question) };
}

/** Texts that keep a rule. */
export function keeping(rule: string, ...texts: readonly string[]): RuleCase[] {
  return texts.map((text) => ({
    rule,
    shows: `${shown(text)} is right`,
    files: bankOf({ ...mcq, question: text }),
    found: [],
  }));
}

/** A text that breaks a rule where it is marked. */
export function breaking(rule: string, text: string, message: string, suggestion?: string): RuleCase {
  const { text: question, start, end } = unmarked(text) ?? { text, start: 0, end: text.length };
  const columnOf = (offset: number) =>
    questionAt.column + JSON.stringify(question.slice(0, offset)).length - '""'.length;
  const found: Found = {
    message,
    file: paperPath,
    pointer: '/questions/0/question',
    at: `${questionAt.line}:${columnOf(start)}-${questionAt.line}:${columnOf(end)}`,
    ...(suggestion !== undefined && { suggestion }),
  };
  return { rule, shows: `${shown(text)} is wrong`, files: bankOf({ ...mcq, question }), found: [found] };
}

function shown(text: string): string {
  const json = JSON.stringify(text);
  return json.length > 70 ? `${json.slice(0, 70)}...` : json;
}
