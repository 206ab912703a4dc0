/** What responses consist of: values in the order of the API's schema, checksums and media types. */
import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { type Schema, type SchemaName, schemas } from '../release/schemas.ts';

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
 * Returns what a schema describes of a value, with its fields in the order of the schema: what is served depends on
 * nothing else. A field that is missing or undefined is left out.
 */
export function inSchemaOrder<Value>(name: SchemaName, value: Value): Value {
  return ordered(schemas[name], value) as Value;
}

function ordered(schema: Schema | undefined, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, items } = schema ?? {};
  if ($ref) return ordered(schemas[$ref.slice($ref.lastIndexOf('/') + 1)], value);
  if (Array.isArray(value)) return items && value.map((item) => ordered(items, item));
  const properties = schema && propertiesOf(schema);
  if (!properties) return undefined;
  const fields: Record<string, unknown> = {};
  for (const [name, property] of properties) {
    const field = ordered(property, value[name as keyof typeof value]);
    if (field !== undefined) fields[name] = field;
  }
  return fields;
}

/** The properties of schemas in their order: they are needed for every question. */
const knownProperties = new WeakMap<Schema, readonly (readonly [string, Schema])[]>();

function propertiesOf(schema: Schema) {
  const known = knownProperties.get(schema);
  if (known || !schema.properties) return known;
  const properties = Object.entries(schema.properties);
  knownProperties.set(schema, properties);
  return properties;
}

/** Hex digits of SHA-256 in a checksum of the API. */
export const checksumLength = 12;

/** The checksum of a value: the first 12 hex digits of the SHA-256 of its canonical JSON (RFC 8785). */
export function checksumOf(value: unknown): string {
  return checksumOfText(canonicalText(value));
}

/** The canonical JSON of a value. @throws TypeError when JSON cannot represent it */
export function canonicalText(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('This value cannot be represented in JSON.');
  return text;
}

/** @param text canonical JSON */
export function checksumOfText(text: string): string {
  return shortChecksum(hash('sha256', text));
}

/** @param sha256 in hex */
export function shortChecksum(sha256: string): string {
  return sha256.slice(0, checksumLength);
}
