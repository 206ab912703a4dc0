import type { Question } from '../../../build/content/types.ts';
import { examPath, paperOf, paperPath, sampleExam, sampleQuestions } from '../bank-folder.ts';
import { parseMarkedText } from './marked-text.ts';
import type { Found, RuleCase } from './rule-case.ts';

const { mcq } = sampleQuestions;

/** Where the text of the question starts, after its quote. */
const questionAt = { line: 7, column: 20 };

export function bankOf(question: Question): RuleCase['files'] {
  return { [examPath]: sampleExam, [paperPath]: paperOf(question) };
}

/** Cases of texts that a rule accepts. */
export function validTexts(rule: string, ...texts: readonly string[]): RuleCase[] {
  return texts.map((text) => ({
    rule,
    title: `accepts ${shortJson(text)}`,
    files: bankOf({ ...mcq, question: text }),
    found: [],
  }));
}

/** Case of a text with one problem, whose place is marked with ⟦ and ⟧. */
export function invalidText(rule: string, text: string, message: string, suggestion?: string): RuleCase {
  const { text: question, start, end } = parseMarkedText(text) ?? { text, start: 0, end: text.length };
  const columnOf = (offset: number) =>
    questionAt.column + JSON.stringify(question.slice(0, offset)).length - '""'.length;
  const found: Found = {
    message,
    file: paperPath,
    pointer: '/questions/0/question',
    at: `${questionAt.line}:${columnOf(start)}-${questionAt.line}:${columnOf(end)}`,
    ...(suggestion !== undefined && { suggestion }),
  };
  return { rule, title: `rejects ${shortJson(text)}`, files: bankOf({ ...mcq, question }), found: [found] };
}

function shortJson(text: string): string {
  const json = JSON.stringify(text);
  return json.length > 70 ? `${json.slice(0, 70)}...` : json;
}
