import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Bank, isPaper, isTranslation } from '../bank.ts';
import { imageError, nameError, textError } from './text.ts';

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
const schemas = ['exam', 'subject-file', 'translation'].map((name) =>
  JSON.parse(
    readFileSync(
      new URL(`../../../../../content/schema/${name}.schema.json`, import.meta.url),
      'utf8',
    ),
  ),
);
// They refer to each other.
ajv.addSchema(schemas);
const [isExam, isSubjectFile, isTranslated] = schemas.map(({ $id }) => ajv.getSchema($id));

/**
 * A second implementation of the rules of the design (Content): the reasons why content must not be published.
 *
 * @returns a message for each violation
 */
export function contentErrors(bank: Bank): string[] {
  const errors: string[] = [];
  const ids = new Map<string, string>();
  for (const path of [...bank.keys()].filter((each) => isPaper(each) || isTranslation(each))) {
    const report = (failure: string) => errors.push(`${path}: ${failure}`);
    const paper = objectOf(bank.get(path));
    if (!(isPaper(path) ? isSubjectFile : isTranslated)?.(paper))
      report('a file that its schema rejects');
    else if (paper && isPaper(path)) checkPaper(paper as unknown as Paper, path, bank, ids, report);
  }
  return errors;
}

export type Json = Readonly<Record<string, unknown>>;
type ReportError = (failure: string) => void;

/** A paper that its schema accepts. */
interface Paper {
  readonly marking?: Json;
  readonly passages?: readonly Json[];
  readonly questions: readonly Json[];
}

const ownNames = [
  'docs',
  'dashboard',
  'auth',
  'changes.json',
  'exams.json',
  'favicon.ico',
  'llms.txt',
  'robots.txt',
];

function checkPaper(
  paper: Paper,
  path: string,
  bank: Bank,
  ids: Map<string, string>,
  report: ReportError,
): void {
  const { passages = [], questions, marking } = paper;
  checkPlace(path, bank, report);
  checkMarking(marking, report);
  for (const { id, text, diagrams = [] } of passages) {
    checkTexts([text], report);
    checkDiagrams(diagrams as Json[], String(id), path, bank, report);
  }
  const passageIds = [undefined, ...passages.map((passage) => passage['id'])];
  if (new Set(passageIds).size < passageIds.length) report(`the passages ${passageIds}`);
  for (const question of questions) {
    const id = String(question['id']);
    if (!passageIds.includes(question['passage'])) report(`the passage ${question['passage']}`);
    const other = ids.get(id);
    if (other !== undefined) report(`the id ${id} is also in ${other}`);
    ids.set(id, path);
    checkQuestion(question, (failure) => report(`${id}: ${failure}`));
    checkDiagrams(diagramsOf(question), id, path, bank, (failure) => report(`${id}: ${failure}`));
  }
}

function checkPlace(path: string, bank: Bank, report: ReportError): void {
  const [exam = '', year = '', shift = '', file = ''] = path.split('/');
  if (!/^[a-z][a-z0-9]*$/.test(exam) || ownNames.includes(exam)) report('the code of its exam');
  const [, ofYear, month = '', day = ''] =
    /^([0-9]{4})-([0-9]{2})-([0-9]{2})-s[1-9][0-9]*$/.exec(shift) ?? [];
  const date = new Date(`${ofYear}-${month}-${day}T00:00:00Z`);
  if (ofYear === undefined || Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day))
    report('the name of its shift');
  if (ofYear !== year) report('the year of its folder');
  const about = objectOf(bank.get(`${exam}/exam.json`));
  if (!isExam?.(about)) report('an exam that its schema rejects');
  const subjects = about?.['subjects'];
  const codes = Array.isArray(subjects) ? subjects.map(codeOf) : [];
  if (!codes.includes(file.slice(0, -'.json'.length)))
    report('a subject that its exam does not have');
  if (new Set(codes).size < codes.length) report(`the subjects ${codes}`);
}

/** A subject of an exam, with or without a display name. */
export function codeOf(subject: string | Json): string {
  return typeof subject === 'string' ? subject : String(subject['code']);
}

function checkMarking(marking: unknown, report: ReportError): void {
  if (marking === undefined) return;
  const {
    correct,
    incorrect = 0,
    unanswered = 0,
    partial = 1,
  } = marking as Record<string, number | undefined>;
  const isRight =
    [correct, incorrect, unanswered, partial].every(
      (marks = Number.NaN) => Math.abs(marks) <= 1000,
    ) &&
    Number(correct) > 0 &&
    incorrect <= 0 &&
    partial > 0 &&
    (unanswered <= 0 || unanswered < Number(correct));
  if (!isRight) report(`the marking ${JSON.stringify(marking)}`);
}

/** The fields of a question. */
// biome-ignore format: a list
export const questionFields = [
  'id', 'type', 'question', 'options', 'answer', 'topic', 'difficulty', 'diagrams', 'accepted', 'dropped', 'number',
  'section', 'passage', 'solution', 'answerRange', 'tolerance', 'marking', 'lang',
];

function checkQuestion(question: Json, report: ReportError): void {
  const { type, answer, accepted, dropped, answerRange, marking } = question;
  const options = question['options'] as readonly Json[];
  const keys = options.map((option) => option['key']);
  if (keys.some((key) => !/^[A-Z]$/.test(String(key))) || new Set(keys).size < keys.length)
    report(`the keys ${keys}`);
  if (options.some(({ value, diagram }) => value === undefined && diagram === undefined))
    report('an empty option');
  checkMarking(marking, report);
  if (answerRange !== undefined && !(type === 'numerical' && isRange(answerRange as Json, answer)))
    report(`the range ${JSON.stringify(answerRange)} of ${answer}`);
  const isUnanswered = answer === undefined && dropped === true;
  const others = (accepted ?? []) as readonly unknown[];
  if (accepted !== undefined && !(others.length > 1 && (isUnanswered || others.includes(answer))))
    report(`the accepted ${JSON.stringify(accepted)}`);
  for (const one of isUnanswered ? others : [answer, ...others])
    if (!isAnswer(type, one, keys)) report(`the answer ${JSON.stringify(one)} of a ${type}`);
  const texts = [
    question['question'],
    question['topic'],
    question['solution'],
    ...options.map(({ value }) => value),
  ];
  checkTexts(texts, report);
  for (const name of [
    question['number'],
    question['section'],
    ...options.map(({ label }) => label),
  ]) {
    const failure = name === undefined ? undefined : nameError(name);
    if (failure !== undefined) report(`${failure}: ${JSON.stringify(name)}`);
  }
}

function checkTexts(texts: readonly unknown[], report: ReportError): void {
  for (const text of texts.filter((each) => each !== undefined)) {
    const failure = typeof text === 'string' && text !== '' ? textError(text) : 'no text';
    if (failure !== undefined) report(`${failure}: ${JSON.stringify(text)}`);
  }
}

function isRange({ min, max }: Json, answer: unknown): boolean {
  const isIn =
    answer === undefined || (Number(min) <= Number(answer) && Number(answer) <= Number(max));
  return (
    isIn && [min, max].every((one) => isAnswer('numerical', one, [])) && Number(min) <= Number(max)
  );
}

function isAnswer(type: unknown, answer: unknown, keys: readonly unknown[]): boolean {
  if (typeof answer !== 'string') return false;
  switch (type) {
    case 'mcq':
      return keys.includes(answer);
    case 'msq': {
      const named = answer.split(',');
      return named.every(
        (key, index) => keys.includes(key) && (index === 0 || key > (named[index - 1] ?? '')),
      );
    }
    case 'text':
      return keys.length === 0 && textError(answer) === undefined;
    default:
      return (
        keys.length === 0 && /^-?[0-9]+(\.[0-9]+)?$/.test(answer) && Number.isFinite(Number(answer))
      );
  }
}

/** The diagrams of a question and its options. */
export function diagramsOf({ diagrams = [], options = [] }: Json): Json[] {
  const ofOptions = (options as { diagram?: Json }[]).flatMap(({ diagram }) =>
    diagram ? [diagram] : [],
  );
  return [...(diagrams as Json[]), ...ofOptions];
}

function checkDiagrams(
  diagrams: readonly Json[],
  id: string,
  path: string,
  bank: Bank,
  report: ReportError,
): void {
  for (const { file, alt } of diagrams) {
    const bytes = bank.get(`${path.slice(0, path.lastIndexOf('/'))}/diagrams/${file}`);
    if (!String(file).includes(id)) report(`the diagram ${file}`);
    checkTexts([alt], report);
    const failure = bytes ? imageError(String(file), bytes) : 'is not there';
    if (failure !== undefined) report(`the diagram ${file} ${failure}`);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses bytes as a JSON object in UTF-8. */
export function objectOf(bytes: Buffer | undefined): Json | undefined {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Json)
      : undefined;
  } catch {
    return undefined;
  }
}
