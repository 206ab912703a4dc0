import type { ValidateFunction } from 'ajv/dist/2020.js';
import { compiledModule } from './program.js';

/** Files that have a schema. */
type FileKind = 'exam' | 'shift' | 'paper' | 'translation' | 'exceptions' | 'config';

/** The exports of the module that `schema-compiler.ts` generates. */
interface Validators {
  /** Stop at the first error: for content files that are probably valid. */
  readonly quickValidators: Readonly<Record<FileKind, ValidateFunction>>;
  /** Report all errors, each with its schema and value. */
  readonly fullValidators: Readonly<Record<FileKind, ValidateFunction>>;
}

const validators: Validators = await compiledModule('validators');

export const { quickValidators, fullValidators } = validators;
