import type { ValidateFunction } from 'ajv/dist/2020.js';
import { compiledModule } from '../compile.js';
import type { ResourceName } from '../release/schemas.ts';

const validators: Readonly<Record<ResourceName, ValidateFunction>> =
  await compiledModule('validators/resources');

/** A public response: its URL, its file in the release, and its bytes. */
export interface Output {
  /** URL path without slashes at its ends. */
  readonly path: string;
  /** Path inside the release. */
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

/** The file of a protected response in the release. @param path its URL path */
export function protectedFile(path: string): string {
  return `protected/${path}`;
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
