import { type Bank, isPaper } from '../bank.ts';
import { imageError } from './image.ts';
import { textError } from './text.ts';

/**
 * A second implementation of the rules of the design (Content): the reasons why content must not be published.
 *
 * @returns a message for each violation
 */
export function contentErrors(bank: Bank): string[] {
  const errors: string[] = [];
  const ids = new Map<string, string>();
  for (const path of bank.keys()) {
    if (!isPaper(path)) continue;
    const report = (failure: string) => errors.push(`${path}: ${failure}`);
    checkPlace(path, bank, report);
    for (const question of questionsOf(path, bank, report)) {
      const id = String(question['id']);
      const other = ids.get(id);
      if (other !== undefined) report(`the id ${id} is also in ${other}`);
      ids.set(id, path);
      checkQuestion(question, (failure) => report(`${id}: ${failure}`));
      checkDiagrams(question, path, bank, (failure) => report(`${id}: ${failure}`));
    }
  }
  return errors;
}

type Json = Readonly<Record<string, unknown>>;
type ReportError = (failure: string) => void;

const ownNames = ['docs', 'dashboard', 'auth', 'favicon.ico', 'robots.txt'];

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
  const subjects = about?.['subjects'];
  if (typeof about?.['label'] !== 'string') report('an exam without a label');
  if (!Array.isArray(subjects) || !subjects.includes(file.slice(0, -'.json'.length)))
    report('a subject that its exam does not have');
}

function questionsOf(path: string, bank: Bank, report: ReportError): Json[] {
  const paper = objectOf(bank.get(path));
  if (!paper) {
    report('not a JSON object in UTF-8');
    return [];
  }
  const { $schema: _, lastUpdated, questions, ...others } = paper;
  if (Object.keys(others).length > 0) report(`unknown fields: ${Object.keys(others)}`);
  if (typeof lastUpdated !== 'string' || !isMoment(lastUpdated))
    report(`lastUpdated ${JSON.stringify(lastUpdated)}`);
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
function isMoment(text: string): boolean {
  const [, date, time] = /^([0-9-]{10})T([0-9:]{8})(?:\.[0-9]+)?Z$/.exec(text) ?? [];
  if (date === undefined || time === undefined) return false;
  const moment = new Date(`${date}T${time.replace(/:60$/, ':59')}Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(date);
}

/** The fields of a question. */
export const questionFields = [
  'id',
  'type',
  'question',
  'options',
  'answer',
  'topic',
  'difficulty',
  'diagrams',
  'accepted',
  'dropped',
];

function checkQuestion(question: Json, report: ReportError): void {
  const { id, type, options, answer, difficulty, accepted, dropped } = question;
  const unknown = Object.keys(question).filter((name) => !questionFields.includes(name));
  if (unknown.length > 0) report(`unknown fields: ${unknown}`);
  if (typeof id !== 'string' || id === '') report('no id');
  if (!['easy', 'medium', 'hard'].includes(difficulty as string)) report(`the difficulty ${difficulty}`);
  if (dropped !== undefined && dropped !== true) report(`dropped: ${dropped}`);
  if (!Array.isArray(options)) {
    report('no options');
    return;
  }
  const keys = options.map((option: Json) => option['key']);
  if (keys.some((key) => typeof key !== 'string' || !/^[A-Z]$/.test(key)) || new Set(keys).size < keys.length)
    report(`the keys ${keys}`);
  for (const option of options as Json[])
    if (Object.keys(option).sort().join() !== 'key,value') report(`an option of ${Object.keys(option)}`);
  const answers = [answer, ...(Array.isArray(accepted) ? accepted : [])];
  if (
    accepted !== undefined &&
    !(Array.isArray(accepted) && accepted.length > 1 && accepted.includes(answer))
  )
    report(`the accepted ${JSON.stringify(accepted)}`);
  for (const one of answers)
    if (!isAnswer(type, one, keys)) report(`the answer ${JSON.stringify(one)} of a ${type}`);
  const texts = [question['question'], question['topic'], ...options.map((option: Json) => option['value'])];
  for (const text of texts) {
    const failure = typeof text === 'string' && text !== '' ? textError(text) : 'no text';
    if (failure !== undefined) report(`${failure}: ${JSON.stringify(text)}`);
  }
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
    case 'numerical':
      return keys.length === 0 && /^-?[0-9]+(\.[0-9]+)?$/.test(answer) && Number.isFinite(Number(answer));
    default:
      return false;
  }
}

function checkDiagrams({ id, diagrams = [] }: Json, path: string, bank: Bank, report: ReportError): void {
  if (!Array.isArray(diagrams)) {
    report('no list of diagrams');
    return;
  }
  for (const { file, alt, ...others } of diagrams as Json[]) {
    const bytes = bank.get(`${path.slice(0, path.lastIndexOf('/'))}/diagrams/${file}`);
    if (typeof file !== 'string' || !file.includes(String(id))) report(`the diagram ${file}`);
    if (typeof alt !== 'string' || alt === '' || Object.keys(others).length > 0) report(`the alt of ${file}`);
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
