import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';
import type { Schema } from '../../build/release/schemas.ts';
import { reservedNames } from '../../build/release/urls.ts';
import {
  type Description,
  type Header,
  type Operation,
  type Response,
  resolve,
} from '../../build/site/openapi/openapi.ts';

/** The parts of a response that the description covers. */
interface DescribedResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body, parsed if it is JSON. */
  readonly body: unknown;
}

/** Header fields of the transport, and `Content-Type`, which `content` describes. */
const transportFields = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
]);

/** Checks responses against the OpenAPI description. */
export class ResponseChecker {
  readonly #description: Description;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #compiled = new Map<unknown, ValidateFunction>();
  readonly #onlyDescribedHeaders: boolean;

  /**
   * @param onlyDescribedHeaders whether other header fields are errors: a proxy in front of the service adds its own
   */
  constructor(description: Description, onlyDescribedHeaders: boolean) {
    this.#description = description;
    this.#onlyDescribedHeaders = onlyDescribedHeaders;
    formatsPlugin.default(this.#ajv);
    this.#ajv.addSchema(disallowUnknownFields(description), 'description');
  }

  /**
   * Checks a response against the operation of its request. A URL that matches no path must get the response to a
   * malformed URL. Static pages are not checked.
   *
   * @param target of the request: path and query
   * @throws AssertionError that names what is not documented
   */
  check(method: string, target: string, response: DescribedResponse): void {
    const segments = (target.split('?', 1)[0] ?? '').split('/').slice(1);
    if (reservedNames.has(segments[0] ?? '')) return;
    const path = this.#pathOf(segments);
    const at = `${method} ${target.slice(0, 100)}: ${response.status}`;
    if (path === undefined)
      assert.ok([400, 405].includes(response.status), `${at} of a path that is not described`);
    const operation = this.#operationOf(path ?? '/', method);
    const described = operation && this.#responseOf(operation, response);
    assert.ok(described, `${at} is not described`);
    this.#checkHeaders(at, described, response.headers);
    if (method !== 'HEAD') this.#checkBody(at, described, response);
  }

  #pathOf(segments: readonly string[]): string | undefined {
    const requested =
      segments.length > 1 && segments.at(-1) === '' ? segments.slice(0, -1) : segments;
    return Object.keys(this.#description.paths).find((path) => {
      const parts = path.split('/').slice(1);
      return (
        parts.length === requested.length &&
        parts.every((part, index) =>
          part.startsWith('{') ? requested[index] !== '' : part === requested[index],
        )
      );
    });
  }

  /** A method that the path does not have is documented as an error of its GET. */
  #operationOf(path: string, method: string): Operation | undefined {
    const item = this.#description.paths[path];
    return method === 'OPTIONS' ? (item?.options ?? item?.get) : item?.get;
  }

  #responseOf({ responses }: Operation, { status }: DescribedResponse): Response | undefined {
    return responses[String(status)];
  }

  #checkHeaders(at: string, response: Response, headers: DescribedResponse['headers']): void {
    const known = new Set(transportFields);
    for (const [field, reference] of Object.entries(response.headers)) {
      const header = resolve(this.#description.components.headers, reference);
      known.add(field.toLowerCase());
      this.#checkHeader(`${at}, ${field}`, header, headers[field.toLowerCase()]);
    }
    if (!this.#onlyDescribedHeaders) return;
    const unknown = Object.keys(headers).filter((field) => !known.has(field));
    assert.deepEqual(unknown, [], `${at}, header fields that are not described`);
  }

  #checkHeader(at: string, { required, schema }: Header, text: string | undefined): void {
    if (text === undefined) {
      assert.ok(!required, `${at} is missing`);
      return;
    }
    const value = schema.type === 'integer' ? Number(text) : text;
    const validate = this.#compile(schema);
    assert.ok(validate(value), `${at} is ${text}: ${this.#ajv.errorsText(validate.errors)}`);
  }

  #checkBody(at: string, { content }: Response, { headers, body }: DescribedResponse): void {
    const mediaType = headers['content-type']?.split(';')[0];
    if (!content) {
      assert.equal(mediaType, undefined, `${at}: a body that is not described`);
      return;
    }
    const described = content[mediaType ?? ''];
    assert.ok(described, `${at}: the media type ${mediaType} is not described`);
    if (!described.schema) return;
    const validate = this.#compile(described.schema);
    assert.ok(validate(body), `${at}: ${this.#ajv.errorsText(validate.errors)}`);
    const isError = described.schema.$ref === '#/components/schemas/Error';
    if (!isError) return;
    const messages = Object.values(described.examples ?? {}).map(({ value }) => value);
    assert.ok(
      messages.some((message) => JSON.stringify(message) === JSON.stringify(body)),
      `${at}: ${JSON.stringify(body)} is not one of the documented messages`,
    );
  }

  #compile(schema: Schema): ValidateFunction {
    const cached = this.#compiled.get(schema);
    if (cached) return cached;
    const local = schema.$ref ? { $ref: `description${schema.$ref}` } : schema;
    const validate = this.#ajv.compile(local);
    this.#compiled.set(schema, validate);
    return validate;
  }
}

/** Disallows undocumented fields, which clients must ignore, but this suite does not. */
function disallowUnknownFields(description: Description): object {
  return JSON.parse(JSON.stringify(description), (_key, value) =>
    value?.type === 'object' && value.properties
      ? { ...value, additionalProperties: false }
      : value,
  );
}
