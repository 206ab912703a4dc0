import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { baselinePath, exceptionsPath, readJsonFile } from '../content/file.ts';
import { groupBy } from '../content/groups.ts';
import { fieldsOf, listOf } from '../content/question.ts';
import { writeFileAtomically } from '../release/files.ts';
import { bankRules, type Exception, exceptionRule } from '../rules/bank.ts';
import { pointersOf, problemsOf } from '../rules/rule.ts';
import { allRules, fileRules, strictRules } from '../rules/rules.ts';
import { schemaRule } from '../rules/schema.ts';
import { byPlace, type Diagnostic, locateInContent, type Report } from './diagnostic.ts';
import { questionReader, type ReadQuestion } from './repetitions.ts';

/** What exceptions may name. */
export interface NamedContent {
  /** Every path of the content folder. */
  readonly files: readonly string[];
  /** Returns the path of the paper that has a question. */
  readonly paperOf: (id: string) => string | undefined;
  readonly read: ReadQuestion;
}

/** Reads a list of exceptions: the exceptions, and the problems of the file. */
function readExceptions(contentDir: string, path: string) {
  const file = readJsonFile(join(contentDir, path), path, 'exceptions');
  const problems = [...problemsOf([...fileRules, schemaRule], file)];
  const broken = new Set(pointersOf(problems).map((pointer) => pointer.split('/', 3).join('/')));
  const value = file.state === 'parsed' ? file.value : undefined;
  const list = (listOf(fieldsOf(value)['exceptions']) as readonly Exception[])
    .map((exception, index) => ({
      ...exception,
      path,
      index,
      isSound: !broken.has(`/exceptions/${index}`),
    }))
    // One that breaks the schema elsewhere still applies.
    .filter(
      ({ rule, question, file: path, pointer }) =>
        typeof rule === 'string' &&
        [question, path, pointer].every((text) => text === undefined || typeof text === 'string'),
    );
  return { list, problems };
}

/**
 * Removes the diagnostics that the bank lists as exceptions, and reports exceptions that are not needed.
 *
 * @param paths of the lists of exceptions
 * @param isChecked whether a file was validated; exceptions for other files are not reported
 */
export function except(
  contentDir: string,
  paths: readonly string[],
  found: readonly Diagnostic[],
  content: NamedContent,
  isChecked: (file: string) => boolean,
): Diagnostic[] {
  const lists = paths.map((path) => readExceptions(contentDir, path));
  const list = lists.flatMap((one) => one.list);
  const byRule = groupBy(found, ({ rule }) => rule);
  // A baseline may have thousands of exceptions to a rule.
  const isNamed = list.some(({ question }) => question !== undefined);
  const byQuestion = groupBy(
    isNamed ? found : [],
    (one) => `${one.rule} ${questionOf(one, content.read)}`,
  );
  const excepted = new Set<Diagnostic>();
  const missingOf = unknownNames(found, content, isChecked);
  const checked = list.map((exception) => {
    const { rule, question } = exception;
    const among = question === undefined ? byRule.get(rule) : byQuestion.get(`${rule} ${question}`);
    const all = (among ?? []).filter(coverage(exception));
    const covered = all.sort(byPlace).slice(0, exception.count);
    if (!strictRules.has(exception.rule))
      for (const diagnostic of covered) excepted.add(diagnostic);
    return {
      ...exception,
      left: covered.length,
      missing: covered.length > 0 ? undefined : missingOf(exception),
    };
  });
  const ofList = problemsOf([exceptionRule], {
    list: checked.filter(({ isSound }) => isSound),
    rules: allRules,
    files: content.files,
  });
  return [
    ...found.filter((diagnostic) => !excepted.has(diagnostic)),
    ...locateInContent(contentDir, [...lists.flatMap(({ problems }) => problems), ...ofList]),
  ];
}

/**
 * Writes `baseline.json`, with exceptions for the problems that a bank has. It stays as it was until they are known.
 *
 * @param validate reports the problems, those in the baseline included
 * @returns their number
 */
export async function recordBaseline(
  contentDir: string,
  validate: () => Promise<Report>,
): Promise<number> {
  const path = join(contentDir, baselinePath);
  const { diagnostics } = await validate();
  const exceptions = baselineOf(diagnostics, questionReader(contentDir));
  const rows = exceptions.map((exception) => `\n    ${JSON.stringify(exception)}`);
  if (rows.length > 0) await writeFileAtomically(path, `{\n  "exceptions": [${rows}\n  ]\n}\n`);
  else await rm(path, { force: true });
  return exceptions.reduce((sum, { count = 0 }) => sum + count, 0);
}

/**
 * Exceptions for all problems that exceptions can cover: by the id of a question, or by the file. Each is for as many
 * problems as there are now, so that one more is reported.
 */
function baselineOf(diagnostics: readonly Diagnostic[], read: ReadQuestion): Exception[] {
  const allowed = new Set(
    allRules.map(({ name }) => name).filter((name) => !strictRules.has(name)),
  );
  const places = diagnostics
    .filter(({ rule }) => allowed.has(rule))
    .map((diagnostic) => {
      const { rule, file } = diagnostic;
      const question = questionOf(diagnostic, read);
      return question === undefined ? { rule, file } : { rule, question };
    });
  return [...groupBy(places, (place) => JSON.stringify(place)).values()].flatMap((same) =>
    same.slice(0, 1).map((place) => ({
      ...place,
      count: same.length,
      reason: 'It was there when the baseline was recorded.',
    })),
  );
}

/** Whether an exception covers a diagnostic of its rule and question. */
function coverage({ file, pointer }: Exception): (diagnostic: Diagnostic) => boolean {
  const path = file === undefined ? undefined : pathPattern(file);
  return (diagnostic) =>
    (path === undefined || path(diagnostic.file)) &&
    (pointer === undefined || pointer === diagnostic.pointer);
}

/**
 * Paths that are a file, are in a folder, or match `*` (in a name) and `**` (in several folders). For each start of a path,
 * it is known which starts of the pattern fit: a regular expression would try them one after the other.
 *
 * @returns a function that returns whether a path matches
 */
function pathPattern(file: string): (path: string) => boolean {
  const plain = file.replace(/\/+$/, '');
  if (!plain.includes('*')) return (path) => path === plain || path.startsWith(`${plain}/`);
  const tokens = plain.match(/(?:\*\*\/?)+|\*|[\s\S]/gu) ?? [];
  const matches = (path: string): boolean => {
    let fits = [true];
    for (const token of tokens) fits.push(fits.at(-1) === true && token.startsWith('*'));
    for (const character of path) {
      if (fits.at(-1) && character === '/') return true;
      const next = [false];
      for (const [place, token] of tokens.entries())
        next.push(
          token.startsWith('*')
            ? next[place] === true ||
                (fits[place + 1] === true && (token !== '*' || character !== '/'))
            : fits[place] === true && token === character,
        );
      fits = next;
    }
    return fits.at(-1) === true;
  };
  // A file may have a thousand problems.
  const known = new Map<string, boolean>();
  return (path) => {
    if (!known.has(path)) known.set(path, matches(path));
    return known.get(path) === true;
  };
}

/** The id of the question that a diagnostic is in. */
function questionOf({ file, pointer }: Diagnostic, read: ReadQuestion): string | undefined {
  const [, list, index] = pointer.split('/');
  const { id } = list === 'questions' ? fieldsOf(read(file, Number(index))) : {};
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Returns what is missing for an exception that covers nothing; undefined where unreadable files make that unknown. */
function unknownNames(
  found: readonly Diagnostic[],
  { files, paperOf }: NamedContent,
  isChecked: (file: string) => boolean,
): (exception: Exception) => 'problem' | 'file' | 'question' | undefined {
  const broken = new Set(found.filter(({ rule }) => strictRules.has(rule)).map(({ file }) => file));
  const ofBank = new Set(bankRules.map(({ name }) => name));
  const areAllChecked = isChecked(exceptionsPath);
  return ({ rule, question, file }) => {
    const isRead = (path: string) =>
      isChecked(path) && !(ofBank.has(rule) ? broken.size > 0 : broken.has(path));
    if (question !== undefined) {
      const paper = paperOf(question);
      if (paper === undefined) return areAllChecked && broken.size === 0 ? 'question' : undefined;
      return isRead(paper) ? 'problem' : undefined;
    }
    if (file === undefined) return areAllChecked && broken.size === 0 ? 'problem' : undefined;
    const pattern = pathPattern(file);
    const named = files.filter(pattern);
    if (named.length === 0) return areAllChecked || isChecked(file) ? 'file' : undefined;
    return named.every(isRead) ? 'problem' : undefined;
  };
}
