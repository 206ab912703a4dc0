/** Puts imported questions into a paper that exists: adds new ones, and updates those that came from the same file. */
import { createHash } from 'node:crypto';
import { answerFields } from '../client/range.ts';
import { groupBy } from '../content/groups.ts';
import type { Question, SubjectFile } from '../content/written.ts';

/** Hashes of the fields of imported questions, by their ids: `question:1a2b3c4d options:...`. */
export type Remembered = Readonly<Record<string, string>>;

/** What an import changes in a paper. */
export interface Merged {
  readonly paper: SubjectFile;
  readonly remembered: Remembered;
  /** Lines of the report. */
  readonly changes: readonly string[];
  /** Ids of questions that the import wrote. Their images replace those of the same name. */
  readonly written: ReadonlySet<string>;
}

/** Spaces and names of images do not make a question another one. */
function plainText(text = ''): string {
  return text
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/[\s\\]+/g, ' ')
    .trim()
    .toLowerCase();
}

/** Whether an option has letters outside of formulas: figures are often repeated. */
function hasWords({ value = '' }: Question['options'][number]): boolean {
  return /\p{L}/u.test(value.replace(/\$[^$]*\$/g, ''));
}

/**
 * Finds the question of a paper that each imported one is: by its id, or its text and options. Those that came from the
 * same file are also found by their text, printed number, or options and answer: other files may repeat these.
 *
 * @param ids that the file itself names, by the index of the imported question
 * @param candidates ids of questions that may be meant
 * @param own ids of questions that came from the same file
 * @returns ids of the paper, by the index of the imported question
 */
export function matchedIds(
  imported: readonly Question[],
  paper: readonly Question[],
  ids: readonly (string | undefined)[],
  candidates: ReadonlySet<string>,
  own: ReadonlySet<string>,
): Map<number, string> {
  const matched = new Map<number, string>();
  const left = new Map(paper.filter(({ id }) => candidates.has(id)).map((one) => [one.id, one]));
  const take = (index: number, id: string | undefined) => {
    if (id === undefined || matched.has(index) || !left.delete(id)) return;
    matched.set(index, id);
  };
  for (const [index, id] of ids.entries()) take(index, id);
  const by = (keyOf: (question: Question) => string | undefined, among = own) => {
    const places = new Map<string, string[]>();
    for (const question of left.values()) {
      const key = among.has(question.id) && keyOf(question);
      if (key) places.set(key, [...(places.get(key) ?? []), question.id]);
    }
    for (const [index, question] of imported.entries()) {
      if (matched.has(index)) continue;
      take(index, places.get(keyOf(question) ?? '')?.shift());
    }
  };
  const optionsOf = (options: Question['options']) =>
    options.map(({ value }) => plainText(value)).join('\n');
  by(({ question, options }) => `${plainText(question)}\n${optionsOf(options)}`, candidates);
  by(({ question }) => plainText(question));
  by(({ number, section }) => number && `${section ?? ''}\n${number}`);
  const answerOf = ({ type, answer, options }: Question) =>
    `${type} ${answer}\n${optionsOf(options)}`;
  const lists = [imported, paper].map((list) => groupBy(list, answerOf));
  by((question) => {
    const key = answerOf(question);
    const isUnique = lists.every((list) => list.get(key)?.length === 1);
    return isUnique && question.options.filter(hasWords).length >= 2 ? key : undefined;
  });
  return matched;
}

function hashOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 8);
}

/** Hashes of the fields of a question as it was imported. */
export function fieldHashes(question: Question): string {
  return Object.entries(question)
    .filter(([name, value]) => name !== 'id' && value !== undefined)
    .map(([name, value]) => `${name}:${hashOf(value)}`)
    .join(' ');
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return JSON.stringify(text.length > 120 ? `${text.slice(0, 117)}...` : text);
}

/** Hashes with that of one field from others. */
function withHash(hashes: string, others: string, name: string): string {
  const isField = (pair: string) => pair.startsWith(`${name}:`);
  const rest = hashes.split(' ').filter((pair) => !isField(pair));
  return [...rest, ...others.split(' ').filter(isField)].join(' ').trim();
}

/**
 * Merges imported questions into a paper. A field that changed in the file since the last import replaces that of the
 * paper, unless the paper changed, too: then the paper stays, and both are reported.
 *
 * @param imported questions with their final ids, and marks of their own
 * @param known what is remembered of the last import of the file
 */
export function mergeQuestions(
  paper: SubjectFile,
  imported: readonly Question[],
  known: Remembered,
  lastUpdated: string,
): Merged {
  const questions = new Map(paper.questions.map((question) => [question.id, question]));
  const changes: string[] = [];
  const written = new Set<string>();
  const remembered: Record<string, string> = {};
  for (const fresh of imported) {
    const { id } = fresh;
    remembered[id] = fieldHashes(fresh);
    const old = questions.get(id);
    if (!old) {
      questions.set(id, withoutMarks(fresh, paper));
      written.add(id);
      changes.push(`+ ${id}: ${shown(fresh.question)}`);
      continue;
    }
    const base = known[id]
      ?.split(' ')
      .filter(Boolean)
      .map((pair) => pair.split(':') as [keyof Question, string]);
    const before = base && new Map(base);
    const next: Record<string, unknown> = { ...old };
    const names = new Set([
      ...(Object.keys(fresh) as (keyof Question)[]),
      ...(before?.keys() ?? []),
    ]);
    names.delete('id');
    for (const name of names) {
      const current = name === 'marking' ? (old.marking ?? paper.marking) : old[name];
      const value = mergedValue(name, fresh[name], current);
      if (JSON.stringify(value) === JSON.stringify(current)) continue;
      if (before && before.get(name) === hashOf(fresh[name])) continue;
      if (before && before.get(name) !== hashOf(current)) {
        changes.push(
          `! ${id}: ${name} changed in both. The bank keeps ${shown(current)}; the file has ${shown(value)}`,
        );
        remembered[id] = withHash(known[id] ?? '', remembered[id] ?? '', name);
        continue;
      }
      next[name] = value;
      changes.push(`~ ${id}: ${name}: ${shown(current)} -> ${shown(value)}`);
    }
    // Fields of the answer that the new type does not have.
    if (next['type'] !== old.type && next['answer'] === fresh.answer)
      for (const name of answerFields) {
        if (fresh[name] !== undefined || next[name] === undefined) continue;
        delete next[name];
        changes.push(`~ ${id}: ${name}: ${shown(old[name])} -> nothing`);
      }
    if (JSON.stringify(next) === JSON.stringify(old)) continue;
    questions.set(id, JSON.parse(JSON.stringify(next)) as Question);
    written.add(id);
  }
  for (const id of Object.keys(known)) {
    if (remembered[id] !== undefined || !questions.has(id)) continue;
    remembered[id] = known[id] ?? '';
    changes.push(
      `- ${id} is not in the file any more. It stays in the bank: remove it there, if it should go`,
    );
  }
  const isChanged = written.size > 0;
  return {
    paper: { ...paper, ...(isChanged && { lastUpdated }), questions: [...questions.values()] },
    remembered,
    changes,
    written,
  };
}

/** Marks that the paper has for all questions are not repeated. */
function withoutMarks(question: Question, { marking }: SubjectFile): Question {
  if (JSON.stringify(question.marking) !== JSON.stringify(marking)) return question;
  const { marking: _, ...rest } = question;
  return rest;
}

/** Options keep what files do not have: printed labels, and diagrams. Diagrams keep their descriptions. */
function mergedValue(name: string, fresh: unknown, current: unknown): unknown {
  const key = name === 'options' ? 'key' : name === 'diagrams' ? 'file' : undefined;
  if (key === undefined || !Array.isArray(fresh) || !Array.isArray(current)) return fresh;
  const old = new Map(current.map((one) => [one?.[key], { ...one, value: undefined }]));
  return fresh.map((one) => JSON.parse(JSON.stringify({ ...old.get(one[key]), ...one })));
}
