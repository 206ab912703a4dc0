import { join } from 'node:path';
import { type JsonFile, readJsonFile } from '../content/file.ts';
import { exceptionsPath } from '../content/find.ts';
import { fieldsOf, listOf } from '../content/question.ts';
import { bankRules, exceptionRule } from '../rules/bank.ts';
import { problemsOf } from '../rules/rule.ts';
import { allRules, fileRules } from '../rules/rules.ts';
import { schemaRule } from '../rules/schema.ts';
import { type Diagnostic, locateInContent } from './diagnostic.ts';

/** Where the bank may break a rule: in a question, in files, at a place of a file, or everywhere. */
interface Exception {
  readonly rule: string;
  /** The id of a question. */
  readonly question?: string;
  /** A file or folder inside the content folder, or a pattern with `*`. */
  readonly file?: string;
  /** JSON pointer (RFC 6901). */
  readonly pointer?: string;
  readonly reason: string;
}

/** What exceptions may name. */
export interface NamedContent {
  /** Every path of the content folder. */
  readonly files: readonly string[];
  /** Returns the path of the paper that has a question. */
  readonly paperOf: (id: string) => string | undefined;
}

/** Reads `exceptions.json`: the exceptions, and the problems of the file. */
function readExceptions(contentDir: string) {
  const file = readJsonFile(join(contentDir, exceptionsPath), exceptionsPath, 'exceptions');
  const problems = [...problemsOf([...fileRules, schemaRule], file)];
  const broken = new Set(problems.map(({ pointer }) => pointer.split('/', 3).join('/')));
  const list = exceptionsOf(file)
    .map((exception, index) => ({ ...exception, index, isSound: !broken.has(`/exceptions/${index}`) }))
    // One that breaks the schema elsewhere still applies.
    .filter(
      ({ rule, question, file: path, pointer }) =>
        typeof rule === 'string' &&
        [question, path, pointer].every((text) => text === undefined || typeof text === 'string'),
    );
  return { list, problems };
}

function exceptionsOf(file: JsonFile): readonly Exception[] {
  if (file.state !== 'parsed') return [];
  const { exceptions } = (file.value ?? {}) as { readonly exceptions?: unknown };
  return Array.isArray(exceptions) ? exceptions : [];
}

/**
 * Removes the diagnostics that the bank lists as exceptions, and reports exceptions that are not needed.
 *
 * @param isChecked whether a file was validated; exceptions for other files are not reported
 */
export function except(
  contentDir: string,
  found: readonly Diagnostic[],
  content: NamedContent,
  isChecked: (file: string) => boolean,
): Diagnostic[] {
  const { list, problems } = readExceptions(contentDir);
  const strict = new Set(allRules.filter((rule) => rule.strict).map(({ name }) => name));
  const questionOf = questionReader(contentDir);
  const byRule = new Map<string, { diagnostic: Diagnostic; isExcepted: boolean }[]>();
  const all = found.map((diagnostic) => {
    const entry = { diagnostic, isExcepted: false };
    const ofRule = byRule.get(diagnostic.rule) ?? [];
    byRule.set(diagnostic.rule, ofRule);
    ofRule.push(entry);
    return entry;
  });
  const missingOf = unknownNames(found, strict, content, isChecked);
  const checked = list.map((exception) => {
    const covers = coverage(exception, questionOf);
    const covered = (byRule.get(exception.rule) ?? []).filter(({ diagnostic }) => covers(diagnostic));
    if (!strict.has(exception.rule)) for (const entry of covered) entry.isExcepted = true;
    return { ...exception, missing: covered.length > 0 ? undefined : missingOf(exception) };
  });
  const ofList = problemsOf([exceptionRule], {
    list: checked.filter(({ isSound }) => isSound),
    rules: allRules,
    files: content.files,
  });
  return [
    ...all.filter(({ isExcepted }) => !isExcepted).map(({ diagnostic }) => diagnostic),
    ...locateInContent(contentDir, [...problems, ...ofList]),
  ];
}

/** Whether an exception covers a diagnostic of its rule. */
function coverage(
  { question, file, pointer }: Exception,
  questionOf: (diagnostic: Diagnostic) => string | undefined,
): (diagnostic: Diagnostic) => boolean {
  const path = file === undefined ? undefined : pathPattern(file);
  return (diagnostic) =>
    (path === undefined || path.test(diagnostic.file)) &&
    (pointer === undefined || pointer === diagnostic.pointer) &&
    (question === undefined || question === questionOf(diagnostic));
}

/** Paths that are a file, are in a folder, or match `*` (in a name) and `**` (in several folders). */
function pathPattern(file: string): RegExp {
  const pattern = file
    .replace(/\/+$/, '')
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/?|\*/g, (stars) => (stars === '*' ? '[^/]*' : '.*'));
  return new RegExp(`^${pattern}(?:/.*)?$`, 's');
}

/** Returns a function that returns the id of the question that a diagnostic is in. The last file is kept in memory. */
function questionReader(contentDir: string): (diagnostic: Diagnostic) => string | undefined {
  let last: { readonly path: string; readonly questions: unknown } | undefined;
  return ({ file: path, pointer }) => {
    const [, list, index = ''] = pointer.split('/');
    if (list !== 'questions') return undefined;
    if (last?.path !== path) {
      const file = readJsonFile(join(contentDir, path), path, 'paper');
      last = { path, questions: file.state === 'parsed' ? fieldsOf(file.value)['questions'] : [] };
    }
    const id = fieldsOf(listOf(last.questions)[Number(index)])['id'];
    return typeof id === 'string' ? id : undefined;
  };
}

/**
 * Returns what is missing for an exception that covers nothing: a problem, or what it names; undefined where that is not
 * known, because rules skip what cannot be read.
 */
function unknownNames(
  found: readonly Diagnostic[],
  strict: ReadonlySet<string>,
  { files, paperOf }: NamedContent,
  isChecked: (file: string) => boolean,
): (exception: Exception) => 'problem' | 'file' | 'question' | undefined {
  const broken = new Set(found.filter(({ rule }) => strict.has(rule)).map(({ file }) => file));
  const ofBank = new Set(bankRules.map(({ name }) => name));
  const areAllChecked = isChecked(exceptionsPath);
  return ({ rule, question, file }) => {
    const isRead = (path: string) => isChecked(path) && !(ofBank.has(rule) ? broken.size > 0 : broken.has(path));
    if (question !== undefined) {
      const paper = paperOf(question);
      if (paper === undefined) return areAllChecked && broken.size === 0 ? 'question' : undefined;
      return isRead(paper) ? 'problem' : undefined;
    }
    if (file === undefined) return areAllChecked && broken.size === 0 ? 'problem' : undefined;
    const pattern = pathPattern(file);
    const named = files.filter((path) => pattern.test(path));
    if (named.length === 0) return areAllChecked || isChecked(file) ? 'file' : undefined;
    return named.every(isRead) ? 'problem' : undefined;
  };
}
