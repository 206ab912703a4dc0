import type { ValidateFunction } from 'ajv/dist/2020.js';
import { compiledModule } from '../compile.js';
import { type ResourceName, type Schema, type SchemaName, schemas } from '../release/schemas.ts';

const validators: Readonly<Record<ResourceName, ValidateFunction>> =
  await compiledModule('validators/resources');

/** A public response: its URL, its file in the release, and its bytes. */
export interface Output {
  /** URL path without slashes at its ends. */
  readonly path: string;
  /** Path in the public folder of the release. */
  readonly file: string;
  readonly mediaType: string;
  readonly body: Buffer;
}

export const jsonType = 'application/json; charset=utf-8';

/**
 * The Content-Type of a diagram. XML may declare an encoding of its own; the charset has precedence (RFC 7303, 3).
 *
 * @param mediaType of the image
 */
export function diagramContentType(mediaType: string): string {
  return mediaType === 'image/svg+xml' ? `${mediaType}; charset=utf-8` : mediaType;
}

/**
 * Validates a response against the API's schema before it is published.
 *
 * @param path of the URL, for the message
 * @throws Error when it does not conform: a defect of the build, which then publishes nothing
 */
export function validateResponse(name: ResourceName, path: string, response: unknown): void {
  const validate = validators[name];
  if (validate(response)) return;
  const [first] = validate.errors ?? [];
  throw new Error(
    `The response to /${path} is not the ${name} that the API describes: ${first?.instancePath} ${first?.message}.`,
  );
}

/**
 * Makes a public response.
 *
 * @param path its URL path
 * @param file in the public folder
 * @throws Error when it does not conform to the API's schema
 */
export function publicOutput(
  name: ResourceName,
  path: string,
  file: string,
  resource: unknown,
): Output {
  validateResponse(name, path, resource);
  return { path, file, mediaType: jsonType, body: Buffer.from(JSON.stringify(resource)) };
}

/**
 * Returns what a schema describes of a value, with its fields in the order of the schema: what is served depends on
 * nothing else. A field that is missing or undefined is left out.
 */
export function inSchemaOrder<Value>(name: SchemaName, value: Value): Value {
  return ordered(schemas[name], value) as Value;
}

function ordered(schema: Schema | undefined, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, items, properties } = schema ?? {};
  if ($ref) return ordered(schemas[$ref.slice($ref.lastIndexOf('/') + 1)], value);
  if (Array.isArray(value)) return items && value.map((item) => ordered(items, item));
  if (!properties) return undefined;
  const fields: Record<string, unknown> = {};
  for (const name of Object.keys(properties)) {
    const field = ordered(properties[name], value[name as keyof typeof value]);
    if (field !== undefined) fields[name] = field;
  }
  return fields;
}
