import { join } from 'node:path';
import { type JsonFile, readJsonFile } from '../content/file.ts';
import { exceptionsPath } from '../content/find.ts';
import { bankRules, exceptionRule } from '../rules/bank.ts';
import { type Problem, problemsOf } from '../rules/rule.ts';
import { allRules, fileRules } from '../rules/rules.ts';
import { schemaRule } from '../rules/schema.ts';
import { contentSources, type Diagnostic, locateAll } from './diagnostic.ts';

/** A place where the bank may break a rule. */
export interface Exception {
  readonly rule: string;
  /** Inside the content folder. */
  readonly file: string;
  /** JSON pointer (RFC 6901). */
  readonly pointer: string;
  readonly reason: string;
}

/** The exceptions of a bank, and the problems of their file. */
export interface Exceptions {
  readonly list: readonly ListedException[];
  readonly diagnostics: readonly Diagnostic[];
}

interface ListedException extends Exception {
  /** In the file, from 0. */
  readonly index: number;
  /** Whether it conforms to the schema. */
  readonly isSound: boolean;
}

/** Reads `exceptions.json`. */
export async function readExceptions(contentDir: string): Promise<Exceptions> {
  const file = readJsonFile(join(contentDir, exceptionsPath), exceptionsPath, 'exceptions');
  const problems = [...problemsOf([...fileRules, schemaRule], file)];
  const broken = new Set(problems.map(({ pointer }) => pointer.split('/', 3).join('/')));
  const list = exceptionsOf(file)
    .map((exception, index) => ({ ...exception, index, isSound: !broken.has(`/exceptions/${index}`) }))
    .filter(namesAPlace);
  return { list, diagnostics: located(contentDir, problems) };
}

function exceptionsOf(file: JsonFile): readonly Exception[] {
  if (file.state !== 'parsed') return [];
  const { exceptions } = (file.value ?? {}) as { readonly exceptions?: unknown };
  return Array.isArray(exceptions) ? exceptions : [];
}

/** An exception that breaks the schema elsewhere still applies, and so do the others. */
function namesAPlace({ rule, file, pointer }: Partial<Exception>): boolean {
  return [rule, file, pointer].every((text) => typeof text === 'string');
}

/**
 * Removes the diagnostics that the bank lists as exceptions, and reports exceptions that are not needed.
 *
 * @param isChecked whether a file was validated; exceptions for other files are not reported
 */
export function except(
  contentDir: string,
  { list, diagnostics }: Exceptions,
  found: readonly Diagnostic[],
  isChecked: (file: string) => boolean,
): Diagnostic[] {
  const strict = new Set(allRules.filter((rule) => rule.strict).map(({ name }) => name));
  const excepted = new Set(list.filter(({ rule }) => !strict.has(rule)).map(key));
  const needed = new Set(found.map(key));
  const isKnown = checkedPlaces(found, strict, isChecked);
  const checked = list
    .filter(({ isSound }) => isSound)
    .map((exception) => ({ ...exception, isNeeded: needed.has(key(exception)) || !isKnown(exception) }));
  const problems = [...problemsOf([exceptionRule], { list: checked, rules: allRules })];
  return [
    ...found.filter((diagnostic) => !excepted.has(key(diagnostic))),
    ...diagnostics,
    ...located(contentDir, problems),
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

function located(contentDir: string, problems: readonly Problem[]): Diagnostic[] {
  return locateAll(problems, contentSources(contentDir));
}
