import { type Bank, isPaper } from '../bank.ts';
import { faultOfImage } from './image.ts';
import { faultOfText } from './text.ts';

/**
 * What content breaks of the design (Content), read anew from there: what no build may publish.
 *
 * @returns sentences; none: it may be published
 */
export function contentFaults(bank: Bank): string[] {
  const faults: string[] = [];
  const ids = new Map<string, string>();
  for (const path of bank.keys()) {
    if (!isPaper(path)) continue;
    const tell = (fault: string) => faults.push(`${path}: ${fault}`);
    checkPlace(path, bank, tell);
    for (const question of questionsOf(path, bank, tell)) {
      const id = String(question['id']);
      const other = ids.get(id);
      if (other !== undefined) tell(`the id ${id} stands in ${other} too`);
      ids.set(id, path);
      checkQuestion(question, (fault) => tell(`${id}: ${fault}`));
      checkDiagrams(question, path, bank, (fault) => tell(`${id}: ${fault}`));
    }
  }
  return faults;
}

type Json = Readonly<Record<string, unknown>>;
type Tell = (fault: string) => void;

const ownNames = ['docs', 'dashboard', 'auth', 'favicon.ico', 'robots.txt'];

function checkPlace(path: string, bank: Bank, tell: Tell): void {
  const [exam = '', year = '', shift = '', file = ''] = path.split('/');
  if (!/^[a-z][a-z0-9]*$/.test(exam) || ownNames.includes(exam)) tell('the code of its exam');
  const [, ofYear, month = '', day = ''] =
    /^([0-9]{4})-([0-9]{2})-([0-9]{2})-s[1-9][0-9]*$/.exec(shift) ?? [];
  const date = new Date(`${ofYear}-${month}-${day}T00:00:00Z`);
  if (ofYear === undefined || Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day))
    tell('the name of its shift');
  if (ofYear !== year) tell('the year of its folder');
  const about = objectOf(bank.get(`${exam}/exam.json`));
  const subjects = about?.['subjects'];
  if (typeof about?.['label'] !== 'string') tell('an exam without a label');
  if (!Array.isArray(subjects) || !subjects.includes(file.slice(0, -'.json'.length)))
    tell('a subject that its exam has not');
}

function questionsOf(path: string, bank: Bank, tell: Tell): Json[] {
  const paper = objectOf(bank.get(path));
  if (!paper) {
    tell('no object in UTF-8');
    return [];
  }
  const { $schema: _, lastUpdated, questions, ...others } = paper;
  if (Object.keys(others).length > 0) tell(`fields that no one knows: ${Object.keys(others)}`);
  if (typeof lastUpdated !== 'string' || !isMoment(lastUpdated))
    tell(`lastUpdated ${JSON.stringify(lastUpdated)}`);
  if (!Array.isArray(questions)) {
    tell('no questions');
    return [];
  }
  return questions.filter((question): question is Json => {
    if (typeof question !== 'object' || question === null) tell('a question that is none');
    return typeof question === 'object' && question !== null;
  });
}

/** ISO 8601 in UTC; leap seconds are seconds. */
function isMoment(text: string): boolean {
  const [, date, time] = /^([0-9-]{10})T([0-9:]{8})(?:\.[0-9]+)?Z$/.exec(text) ?? [];
  if (date === undefined || time === undefined) return false;
  const moment = new Date(`${date}T${time.replace(/:60$/, ':59')}Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(date);
}

/** Those that a question may have. */
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

function checkQuestion(question: Json, tell: Tell): void {
  const { id, type, options, answer, difficulty, accepted, dropped } = question;
  const unknown = Object.keys(question).filter((name) => !questionFields.includes(name));
  if (unknown.length > 0) tell(`fields that no one knows: ${unknown}`);
  if (typeof id !== 'string' || id === '') tell('no id');
  if (!['easy', 'medium', 'hard'].includes(difficulty as string)) tell(`the difficulty ${difficulty}`);
  if (dropped !== undefined && dropped !== true) tell(`dropped: ${dropped}`);
  if (!Array.isArray(options)) {
    tell('no options');
    return;
  }
  const keys = options.map((option: Json) => option['key']);
  if (keys.some((key) => typeof key !== 'string' || !/^[A-Z]$/.test(key)) || new Set(keys).size < keys.length)
    tell(`the keys ${keys}`);
  for (const option of options as Json[])
    if (Object.keys(option).sort().join() !== 'key,value') tell(`an option of ${Object.keys(option)}`);
  const answers = [answer, ...(Array.isArray(accepted) ? accepted : [])];
  if (
    accepted !== undefined &&
    !(Array.isArray(accepted) && accepted.length > 1 && accepted.includes(answer))
  )
    tell(`the accepted ${JSON.stringify(accepted)}`);
  for (const one of answers)
    if (!isAnswer(type, one, keys)) tell(`the answer ${JSON.stringify(one)} of a ${type}`);
  const texts = [question['question'], question['topic'], ...options.map((option: Json) => option['value'])];
  for (const text of texts) {
    const fault = typeof text === 'string' && text !== '' ? faultOfText(text) : 'no text';
    if (fault !== undefined) tell(`${fault}: ${JSON.stringify(text)}`);
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

function checkDiagrams({ id, diagrams = [] }: Json, path: string, bank: Bank, tell: Tell): void {
  if (!Array.isArray(diagrams)) {
    tell('no list of diagrams');
    return;
  }
  for (const { file, alt, ...others } of diagrams as Json[]) {
    const bytes = bank.get(`${path.slice(0, path.lastIndexOf('/'))}/diagrams/${file}`);
    if (typeof file !== 'string' || !file.includes(String(id))) tell(`the diagram ${file}`);
    if (typeof alt !== 'string' || alt === '' || Object.keys(others).length > 0) tell(`the alt of ${file}`);
    const fault = bytes ? faultOfImage(String(file), bytes) : 'is not there';
    if (fault !== undefined) tell(`the diagram ${file} ${fault}`);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The object that bytes hold as JSON in UTF-8. */
export function objectOf(bytes: Buffer | undefined): Json | undefined {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}
