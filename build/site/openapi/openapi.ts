/** The part of OpenAPI 3.1 that the description of this API uses. Descriptions are Markdown (CommonMark). */
import type { Schema } from '../../release/schemas.ts';
import type { CodeSample } from '../code.ts';

/** Every endpoint is GET (section 4 of the specification). Protected endpoints also accept CORS preflight requests. */
export interface PathItem {
  readonly get: Operation;
  readonly options?: Operation;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** Empty if no key is required. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Reference[];
  /** By status. */
  readonly responses: Readonly<Record<string, Response>>;
  /** An extension that Redoc, Scalar and others show. */
  readonly 'x-codeSamples'?: readonly CodeSample[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'header';
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema & { readonly examples: readonly unknown[] };
  /** The first of the examples in the schema: importers fill it in. */
  readonly example: unknown;
}

export interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  /** By media type. Absent if there is no body. */
  readonly content?: Readonly<
    Record<
      string,
      { readonly schema?: Schema; readonly examples?: Readonly<Record<string, Example>> }
    >
  >;
}

interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export interface Header {
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly example: string | number;
}

export interface Reference {
  readonly $ref: string;
}

/** References a component by name. */
export function refTo(kind: 'schemas' | 'parameters' | 'headers', name: string): Reference {
  return { $ref: `#/components/${kind}/${name}` };
}

/** Returns the component that a reference names. @throws Error when there is none */
export function resolve<Component>(
  table: Readonly<Record<string, Component>>,
  { $ref }: Reference,
): Component {
  const found = table[$ref.slice($ref.lastIndexOf('/') + 1)];
  if (!found) throw new Error(`There is no component ${$ref}.`);
  return found;
}
