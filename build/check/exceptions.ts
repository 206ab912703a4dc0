import { join } from 'node:path';
import { type JsonFile, readJsonFile } from '../content/file.ts';
import { exceptionsPath } from '../content/find.ts';
import { bankRules, exceptionRule } from '../rules/bank.ts';
import { problemsOf } from '../rules/rule.ts';
import { allRules, fileRules } from '../rules/rules.ts';
import { schemaRule } from '../rules/schema.ts';
import { type Diagnostic, locateInContent } from './diagnostic.ts';

/** A place where the bank may break a rule. */
interface Exception {
  readonly rule: string;
  /** Inside the content folder. */
  readonly file: string;
  /** JSON pointer (RFC 6901). */
  readonly pointer: string;
  readonly reason: string;
}

/** Reads `exceptions.json`: the exceptions, and the problems of the file. */
function readExceptions(contentDir: string) {
  const file = readJsonFile(join(contentDir, exceptionsPath), exceptionsPath, 'exceptions');
  const problems = [...problemsOf([...fileRules, schemaRule], file)];
  const broken = new Set(problems.map(({ pointer }) => pointer.split('/', 3).join('/')));
  const list = exceptionsOf(file)
    .map((exception, index) => ({ ...exception, index, isSound: !broken.has(`/exceptions/${index}`) }))
    // One that breaks the schema elsewhere still applies.
    .filter(({ rule, file: path, pointer }) =>
      [rule, path, pointer].every((text) => typeof text === 'string'),
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
  isChecked: (file: string) => boolean,
): Diagnostic[] {
  const { list, problems } = readExceptions(contentDir);
  const strict = new Set(allRules.filter((rule) => rule.strict).map(({ name }) => name));
  const excepted = new Set(list.filter(({ rule }) => !strict.has(rule)).map(key));
  const needed = new Set(found.map(key));
  const isKnown = checkedPlaces(found, strict, isChecked);
  const checked = list
    .filter(({ isSound }) => isSound)
    .map((exception) => ({ ...exception, isNeeded: needed.has(key(exception)) || !isKnown(exception) }));
  const ofList = problemsOf([exceptionRule], { list: checked, rules: allRules });
  return [
    ...found.filter((diagnostic) => !excepted.has(key(diagnostic))),
    ...locateInContent(contentDir, [...problems, ...ofList]),
  ];
}

/** Whether a rule was fully checked in a file: rules skip what cannot be read. */
function checkedPlaces(
  found: readonly Diagnostic[],
  strict: ReadonlySet<string>,
  isChecked: (file: string) => boolean,
): (exception: Exception) => boolean {
  const broken = new Set(found.filter(({ rule }) => strict.has(rule)).map(({ file }) => file));
  const ofBank = new Set(bankRules.map(({ name }) => name));
  return ({ rule, file }) => isChecked(file) && !(ofBank.has(rule) ? broken.size > 0 : broken.has(file));
}

function key({ rule, file, pointer }: Pick<Diagnostic, 'rule' | 'file' | 'pointer'>): string {
  return JSON.stringify([rule, file, pointer]);
}
