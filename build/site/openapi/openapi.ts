import type { Schema } from '../../release/schemas.ts';

/** As much of OpenAPI 3.1 as the description of this API uses. Descriptions are texts of CommonMark. */

export interface Description {
  readonly openapi: '3.1.1';
  readonly info: {
    readonly title: string;
    readonly summary: string;
    readonly description: string;
    readonly version: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly Tag[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  };
}

export interface Tag {
  readonly name: string;
  readonly description: string;
}

/** Every endpoint is GET (section 4 of the specification); a browser asks first whether a script may do that. */
export interface PathItem {
  readonly parameters?: readonly Reference[];
  readonly get: Operation;
  readonly options?: Operation;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** Empty: no key is needed. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Reference[];
  /** By status. */
  readonly responses: Readonly<Record<string, Response>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'header';
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, Example>>;
}

export interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  /** By media type; none where there is no body. */
  readonly content?: Readonly<Record<string, MediaType>>;
}

export interface MediaType {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, Example>>;
}

export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export interface Header {
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly example: string | number;
}

export interface SecurityScheme {
  readonly type: 'http';
  readonly scheme: 'bearer';
  readonly description: string;
}

export interface Reference {
  readonly $ref: string;
}

/** The operations of a path, by their methods in lower case. */
export function operationsOf({ get, options }: PathItem): readonly (readonly [string, Operation])[] {
  return options
    ? [
        ['get', get],
        ['options', options],
      ]
    : [['get', get]];
}

/** A component by its name. */
export function refTo(kind: 'schemas' | 'parameters' | 'headers', name: string): Reference {
  return { $ref: `#/components/${kind}/${name}` };
}

/** The component that a reference names, in the table of its kind. */
export function resolve<Component>(
  table: Readonly<Record<string, Component>>,
  { $ref }: Reference,
): Component {
  const found = table[$ref.slice($ref.lastIndexOf('/') + 1)];
  if (!found) throw new Error(`The description has no ${$ref}.`);
  return found;
}
