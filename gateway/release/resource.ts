/** What is sent of a response: its variants, and the header fields that do not depend on the request. */
import { hash } from 'node:crypto';
import {
  anyOrigin,
  cacheControl,
  documentHeaders,
  entityTag,
  everyResponse,
  vary,
} from '../../build/release/headers.ts';
import type { StoredObject, StoredResource } from '../../build/release/root.ts';
import { type Fields, toFields } from '../http.ts';

/** A response, with everything that does not depend on the request. */
export interface Resource {
  readonly identity: Variant;
  readonly br: Variant | undefined;
  readonly gzip: Variant | undefined;
}

/** The content codings that a release stores responses in (RFC 9110, 8.4.1). */
export type Coding = 'br' | 'gzip' | 'identity';

export interface Variant {
  readonly object: StoredObject;
  readonly etag: string;
  readonly kind: Kind;
  /** Where objects are. */
  readonly pathOf: (object: StoredObject) => string;
  /** The bytes of what is no object. */
  readonly body?: Buffer;
}

/** The header fields that all variants of one media type, coding and access share. */
interface Kind {
  /** Of a 200, apart from `ETag` and `Content-Length`. */
  readonly fields: Fields;
  /** Of a 304: those of the 200 that RFC 9110, 15.4.5 requires, apart from `ETag`. */
  readonly validators: Fields;
}

type Access = 'public' | 'protected';

/** @param pathOf finds the objects on disk */
export function toResource(
  { mediaType, br, gzip, identity }: StoredResource,
  access: Access,
  pathOf: Variant['pathOf'],
): Resource {
  const variantOf = (object: StoredObject, coding: Coding): Variant => {
    // Through a buffer, so that the tag is a string of its own and not a slice that keeps a longer one in memory.
    const etag = Buffer.from(entityTag(object.sha256), 'latin1').toString('latin1');
    return { object, etag, kind: kindOf(mediaType, coding, access), pathOf };
  };
  return {
    identity: variantOf(identity, 'identity'),
    br: br && variantOf(br, 'br'),
    gzip: gzip && variantOf(gzip, 'gzip'),
  };
}

/** A public response that is no object of a release. @param codings its compressed variants */
export function resourceInMemory(
  mediaType: string,
  identity: Buffer,
  codings: { readonly gzip?: Buffer },
): Resource {
  const variantOf = (body: Buffer, coding: Coding): Variant => {
    const object = { sha256: hash('sha256', body), size: body.length };
    const kind = kindOf(mediaType, coding, 'public');
    return { object, etag: entityTag(object.sha256), kind, pathOf: () => '', body };
  };
  const { gzip } = codings;
  return {
    identity: variantOf(identity, 'identity'),
    br: undefined,
    gzip: gzip && variantOf(gzip, 'gzip'),
  };
}

const kinds = new Map<string, Kind>();

export function kindOf(mediaType: string, coding: Coding, access: Access): Kind {
  const name = `${access} ${coding} ${mediaType}`;
  const kind = kinds.get(name) ?? createKind(mediaType, coding, access);
  kinds.set(name, kind);
  return kind;
}

function createKind(mediaType: string, coding: Coding, access: Access): Kind {
  const validators = {
    ...everyResponse,
    'Cache-Control': cacheControl[access],
    Vary: vary[access],
    ...(access === 'public' && anyOrigin),
  };
  return {
    validators: toFields(validators),
    fields: toFields({
      'Content-Type': mediaType,
      ...(coding !== 'identity' && { 'Content-Encoding': coding }),
      ...documentHeaders(mediaType),
      ...validators,
    }),
  };
}
