import type { ValidateFunction } from 'ajv/dist/2020.js';
import { compiledModule } from './program.js';
import type { ResourceName } from './release/schemas.ts';

/** The exports of another module that `schema-compiler.ts` generates: validating content needs none of it. */
interface Validators {
  readonly resourceValidators: Readonly<Record<ResourceName, ValidateFunction>>;
  /** Accept every response that has what a mirror needs, also of a later version of the service. */
  readonly mirrorValidators: Readonly<Record<Exclude<ResourceName, 'ExamList'>, ValidateFunction>>;
}

const validators: Validators = await compiledModule('resource-validators');

export const { mirrorValidators, resourceValidators } = validators;
