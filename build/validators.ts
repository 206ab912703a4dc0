import { pathToFileURL } from 'node:url';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { compiledFile } from './program.js';
import type { ResourceName } from './release/schemas.ts';

/** Files that have a schema. */
type FileKind = 'exam' | 'shift' | 'paper' | 'translation' | 'exceptions' | 'config';

/** The exports of the module that `schema-compiler.ts` generates. */
interface Validators {
  /** Stop at the first error: for content files that are probably valid. */
  readonly quickValidators: Readonly<Record<FileKind, ValidateFunction>>;
  /** Report all errors, each with its schema and value. */
  readonly fullValidators: Readonly<Record<FileKind, ValidateFunction>>;
  readonly resourceValidators: Readonly<Record<ResourceName, ValidateFunction>>;
  /** Accept every response that has what a mirror needs, also of a later version of the service. */
  readonly mirrorValidators: Readonly<Record<Exclude<ResourceName, 'ExamList'>, ValidateFunction>>;
}

const { default: validators }: { default: Validators } = await import(
  pathToFileURL(await compiledFile('validators')).href
);

export const { quickValidators, fullValidators, mirrorValidators, resourceValidators } = validators;
