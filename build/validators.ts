import { pathToFileURL } from 'node:url';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonKind } from './content/file.ts';
import { compiledFile } from './program.js';

/** The resources of the API, by the names of their schemas. */
export type ResourceName = 'ExamYears' | 'YearShifts' | 'QuestionFile';

/** What `schema-compiler.ts` makes of the schemas. */
interface Validators {
  /** Whether a content file conforms to its schema, as fast as possible. */
  readonly accepts: Readonly<Record<JsonKind, ValidateFunction>>;
  /** The same with every mistake, the schema that it breaks and the value that breaks it. */
  readonly mistakes: Readonly<Record<JsonKind, ValidateFunction>>;
  readonly resources: Readonly<Record<ResourceName, ValidateFunction>>;
}

const { default: validators }: { default: Validators } = await import(
  pathToFileURL(await compiledFile('validators')).href
);

export const { accepts, mistakes, resources } = validators;
