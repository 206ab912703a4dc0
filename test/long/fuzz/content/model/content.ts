import { type Bank, isPaper } from '../bank.ts';
import { imageError, nameError, textError } from './text.ts';

/**
 * A second implementation of the rules of the design (Content): the reasons why content must not be published.
 *
 * @returns a message for each violation
 */
export function contentErrors(bank: Bank): string[] {
  const errors: string[] = [];
  const ids = new Map<string, string>();
  for (const path of bank.keys()) {
    const report = (failure: string) => errors.push(`${path}: ${failure}`);
    if (!isPaper(path)) continue;
    checkPlace(path, bank, report);
    const paper = objectOf(bank.get(path)) ?? {};
    const passages = listOf(paper['passages'] ?? [], report);
    if (paper['marking'] !== undefined) checkMarking(paper['marking'], report);
    for (const passage of passages) checkPassage(passage, path, bank, report);
    const passageIds = passages.map((passage) => passage['id']);
    if (new Set(passageIds).size < passageIds.length) report(`the passages ${passageIds}`);
    for (const question of questionsOf(path, bank, report)) {
      if (question['passage'] !== undefined && !passageIds.includes(question['passage']))
        report(`the passage ${question['passage']}`);
      const id = String(question['id']);
      const other = ids.get(id);
      if (other !== undefined) report(`the id ${id} is also in ${other}`);
      ids.set(id, path);
      checkQuestion(question, (failure) => report(`${id}: ${failure}`));
      checkDiagrams(diagramsOf(question), id, path, bank, (failure) => report(`${id}: ${failure}`));
    }
  }
  return errors;
}

export type Json = Readonly<Record<string, unknown>>;
type ReportError = (failure: string) => void;

const ownNames = ['docs', 'dashboard', 'auth', 'favicon.ico', 'robots.txt'];

function checkPlace(path: string, bank: Bank, report: ReportError): void {
  const [exam = '', year = '', shift = '', file = ''] = path.split('/');
  if (!/^[a-z][a-z0-9]*$/.test(exam) || ownNames.includes(exam)) report('the code of its exam');
  const [, ofYear, month = '', day = ''] = /^([0-9]{4})-([0-9]{2})-([0-9]{2})-s[1-9][0-9]*$/.exec(shift) ?? [];
  const date = new Date(`${ofYear}-${month}-${day}T00:00:00Z`);
  if (ofYear === undefined || Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day))
    report('the name of its shift');
  if (ofYear !== year) report('the year of its folder');
  const about = objectOf(bank.get(`${exam}/exam.json`));
  const subjects = about?.['subjects'];
  if (typeof about?.['label'] !== 'string') report('an exam without a label');
  const codes = Array.isArray(subjects) ? subjects.map(codeOf) : [];
  if (!codes.includes(file.slice(0, -'.json'.length))) report('a subject that its exam does not have');
  if (new Set(codes).size < codes.length) report(`the subjects ${codes}`);
}

/** A subject of an exam, with or without a display name. */
export function codeOf(subject: string | Json): string {
  return typeof subject === 'string' ? subject : String(subject['code']);
}

function listOf(value: unknown, report: ReportError): readonly Json[] {
  if (Array.isArray(value)) return value;
  report('no list');
  return [];
}

function checkPassage(passage: Json, path: string, bank: Bank, report: ReportError): void {
  const { id, text, diagrams = [], ...others } = passage;
  if (typeof id !== 'string' || id === '' || Object.keys(others).length > 0)
    report(`the passage ${JSON.stringify(passage)}`);
  const failure = typeof text === 'string' && text !== '' ? textError(text) : 'no text';
  if (failure !== undefined) report(`${failure}: ${JSON.stringify(text)}`);
  checkDiagrams(listOf(diagrams, report), String(id), path, bank, report);
}

function checkMarking(marking: unknown, report: ReportError): void {
  const { correct, incorrect = 0, unanswered = 0, partial = 1, ...others } = marking as Json;
  const isRight =
    [correct, incorrect, unanswered, partial].every((marks) => Math.abs(marks as number) <= 1000) &&
    Number(correct) > 0 &&
    Number(incorrect) <= 0 &&
    Number(partial) > 0 &&
    (Number(unanswered) <= 0 || Number(unanswered) < Number(correct));
  if (!isRight || Object.keys(others).length > 0) report(`the marking ${JSON.stringify(marking)}`);
}

function questionsOf(path: string, bank: Bank, report: ReportError): Json[] {
  const paper = objectOf(bank.get(path));
  if (!paper) {
    report('not a JSON object in UTF-8');
    return [];
  }
  const { $schema: _, lastUpdated, marking: _marking, passages: _passages, questions, ...others } = paper;
  if (Object.keys(others).length > 0) report(`unknown fields: ${Object.keys(others)}`);
  if (typeof lastUpdated !== 'string' || !isMoment(lastUpdated)) report(`lastUpdated ${JSON.stringify(lastUpdated)}`);
  if (!Array.isArray(questions)) {
    report('no questions');
    return [];
  }
  return questions.filter((question): question is Json => {
    if (typeof question !== 'object' || question === null) report('an invalid question');
    return typeof question === 'object' && question !== null;
  });
}

/** ISO 8601 in UTC, with leap seconds. */
export function isMoment(text: string): boolean {
  const [, date, time] = /^([0-9-]{10})T([0-9:]{8})(?:\.[0-9]+)?Z$/.exec(text) ?? [];
  if (date === undefined || time === undefined) return false;
  const moment = new Date(`${date}T${time.replace(/:60$/, ':59')}Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(date);
}

/** The fields of a question. */
// biome-ignore format: a list
export const questionFields = [
  'id', 'type', 'question', 'options', 'answer', 'topic', 'difficulty', 'diagrams', 'accepted', 'dropped', 'number',
  'section', 'passage', 'solution', 'answerRange', 'marking',
];

function checkQuestion(question: Json, report: ReportError): void {
  const { id, type, options, answer, difficulty, accepted, dropped, answerRange } = question;
  const unknown = Object.keys(question).filter((name) => !questionFields.includes(name));
  if (unknown.length > 0) report(`unknown fields: ${unknown}`);
  if (typeof id !== 'string' || id === '') report('no id');
  if (![undefined, 'easy', 'medium', 'hard'].includes(difficulty as string | undefined))
    report(`the difficulty ${difficulty}`);
  if (dropped !== undefined && dropped !== true) report(`dropped: ${dropped}`);
  if (!Array.isArray(options)) {
    report('no options');
    return;
  }
  const keys = options.map((option: Json) => option['key']);
  if (keys.some((key) => typeof key !== 'string' || !/^[A-Z]$/.test(key)) || new Set(keys).size < keys.length)
    report(`the keys ${keys}`);
  for (const option of options as Json[])
    if (!/^(?:diagram,)?key(?:,label)?(?:,value)?$/.test(Object.keys(option).sort().join()))
      report(`an option of ${Object.keys(option)}`);
  for (const option of options as Json[])
    if (option['value'] === undefined && option['diagram'] === undefined) report('an empty option');
  if (question['marking'] !== undefined) checkMarking(question['marking'], report);
  if (answerRange !== undefined && !(type === 'numerical' && isRange(answerRange as Json, answer)))
    report(`the range ${JSON.stringify(answerRange)} of ${answer}`);
  const isUnanswered = answer === undefined && dropped === true;
  const answers = [...(isUnanswered ? [] : [answer]), ...(Array.isArray(accepted) ? accepted : [])];
  if (
    accepted !== undefined &&
    !(Array.isArray(accepted) && accepted.length > 1 && (isUnanswered || accepted.includes(answer)))
  )
    report(`the accepted ${JSON.stringify(accepted)}`);
  for (const one of answers) if (!isAnswer(type, one, keys)) report(`the answer ${JSON.stringify(one)} of a ${type}`);
  const texts = [
    question['question'],
    ...[question['topic'], question['solution']].filter((text) => text !== undefined),
    ...options.flatMap(({ value }: Json) => value ?? []),
  ];
  for (const text of texts) {
    const failure = typeof text === 'string' && text !== '' ? textError(text) : 'no text';
    if (failure !== undefined) report(`${failure}: ${JSON.stringify(text)}`);
  }
  const printed = [question['number'], question['section'], ...options.map(({ label }: Json) => label)];
  for (const name of printed) {
    const failure = name === undefined ? undefined : nameError(name);
    if (failure !== undefined) report(`${failure}: ${JSON.stringify(name)}`);
  }
}

function isRange({ min, max, ...others }: Json, answer: unknown): boolean {
  const isIn = answer === undefined || (Number(min) <= Number(answer) && Number(answer) <= Number(max));
  const areNumbers = [min, max].every((one) => isAnswer('numerical', one, []));
  return isIn && areNumbers && Number(min) <= Number(max) && Object.keys(others).length === 0;
}

function isAnswer(type: unknown, answer: unknown, keys: readonly unknown[]): boolean {
  if (typeof answer !== 'string') return false;
  switch (type) {
    case 'mcq':
      return keys.includes(answer);
    case 'msq': {
      const named = answer.split(',');
      return named.every((key, index) => keys.includes(key) && (index === 0 || key > (named[index - 1] ?? '')));
    }
    case 'numerical':
      return keys.length === 0 && /^-?[0-9]+(\.[0-9]+)?$/.test(answer) && Number.isFinite(Number(answer));
    default:
      return false;
  }
}

/** The diagrams of a question and its options. */
export function diagramsOf({ diagrams = [], options = [] }: Json): Json[] {
  const ofOptions = (options as { diagram?: Json }[]).flatMap(({ diagram }) => (diagram ? [diagram] : []));
  return [...(diagrams as Json[]), ...ofOptions];
}

function checkDiagrams(diagrams: readonly Json[], id: string, path: string, bank: Bank, report: ReportError): void {
  for (const { file, alt, ...others } of diagrams) {
    const bytes = bank.get(`${path.slice(0, path.lastIndexOf('/'))}/diagrams/${file}`);
    if (typeof file !== 'string' || !file.includes(id)) report(`the diagram ${file}`);
    const altFailure =
      alt === undefined ? undefined : typeof alt === 'string' && alt !== '' ? textError(alt) : 'no text';
    if (altFailure !== undefined || Object.keys(others).length > 0) report(`the alt of ${file}: ${altFailure}`);
    const failure = bytes ? imageError(String(file), bytes) : 'is not there';
    if (failure !== undefined) report(`the diagram ${file} ${failure}`);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses bytes as a JSON object in UTF-8. */
export function objectOf(bytes: Buffer | undefined): Json | undefined {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}
