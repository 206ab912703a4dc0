import {
  anyOrigin,
  cacheControl,
  documentHeaders,
  entityTag,
  everyAnswer,
  vary,
} from '../../build/release/headers.ts';
import type { StoredResource, StoredVariant } from '../../build/release/manifest.ts';
import { type Fields, toFields } from '../http.ts';
import { type Coding, Negotiation } from './negotiation.ts';

export type Access = 'public' | 'protected';

/** One answer, with everything about it that does not depend on the request. */
export interface Resource {
  readonly negotiation: Negotiation;
  readonly identity: Variant;
  readonly br: Variant | undefined;
  readonly gzip: Variant | undefined;
}

export interface Variant {
  /** Folder of its release, and its path in there. */
  readonly folder: string;
  readonly file: string;
  /** Bytes. */
  readonly size: number;
  readonly etag: string;
  readonly kind: Kind;
}

/** Header fields that all variants of one media type, coding and access have in common: there are thousands of them. */
export interface Kind {
  /** Of a 200; `ETag` and `Content-Length` come to them. */
  readonly fields: Fields;
  /** Of a 304: those of the 200 that RFC 9110, 15.4.5 asks for; `ETag` comes to them. */
  readonly validators: Fields;
}

/** One for each set of codings that resources are stored in. */
const negotiations = [
  new Negotiation(['br', 'gzip', 'identity']),
  new Negotiation(['br', 'identity']),
  new Negotiation(['gzip', 'identity']),
  new Negotiation(['identity']),
] as const;

const kinds = new Map<string, Kind>();

/** @param folder of the release */
export function toResource(folder: string, stored: StoredResource, access: Access): Resource {
  const { mediaType, br, gzip, identity } = stored;
  return {
    negotiation: negotiations[(br ? 0 : 2) + (gzip ? 0 : 1)] ?? negotiations[3],
    identity: toVariant(folder, identity, kindOf(mediaType, 'identity', access)),
    br: br && toVariant(folder, br, kindOf(mediaType, 'br', access)),
    gzip: gzip && toVariant(folder, gzip, kindOf(mediaType, 'gzip', access)),
  };
}

function toVariant(folder: string, { file, size, sha256 }: StoredVariant, kind: Kind): Variant {
  // Through a buffer, so that it is a string by itself and not a view of a longer one.
  const etag = Buffer.from(entityTag(sha256), 'latin1').toString('latin1');
  return { folder, file, size, etag, kind };
}

function kindOf(mediaType: string, coding: Coding, access: Access): Kind {
  const name = `${access} ${coding} ${mediaType}`;
  const known = kinds.get(name) ?? newKind(mediaType, coding, access);
  kinds.set(name, known);
  return known;
}

function newKind(mediaType: string, coding: Coding, access: Access): Kind {
  const validators = {
    ...everyAnswer,
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
