/**
 * A release is a Merkle tree. `dist/releases/<id>/` has its root, `root.json`, and the public files under their paths, as
 * any web server may serve them. Everything that the root reaches is an object, `dist/objects/<2>/<sha256>`, written once
 * and never changed: the bodies of all responses, their compressed variants, and one index of the protected ones a year.
 * The root names the year indexes by their hash, so that its own hash covers all. It depends on the content alone: dates
 * are in the history. The symbolic link `dist/current` names the release to serve.
 */
import { hash } from 'node:crypto';

/** Increased when the layout changes, so that a program rejects what it cannot read. */
export const formatVersion = 3;

export const rootFile = 'root.json';
/** The signature of the root, if the release is signed. */
export const signatureFile = 'root.sig';
export const publicFolder = 'public';
export const currentLink = 'current';
export const releasesFolder = 'releases';

/** Header rules for static hosts. They contain the header fields that all public responses share. */
export const headerRulesFile = '_headers';

/** An object, by the bytes that it must have. */
export interface StoredObject {
  /** Hex SHA-256 of the bytes. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** One response in each content coding that it is stored in. */
export interface StoredResource {
  readonly mediaType: string;
  readonly identity: StoredObject;
  readonly br?: StoredObject | undefined;
  readonly gzip?: StoredObject | undefined;
}

/** A public response. */
export interface PublicResource extends StoredResource {
  /** Path in the public folder. Compressed variants have the same path and `.br` or `.gz`. */
  readonly file: string;
}

/** A question file or a diagram. */
export interface ShiftFile extends StoredResource {
  /** CRC-32 of the plain bytes, as a ZIP file needs it. */
  readonly crc32: number;
  /** How many questions a question file has. */
  readonly total?: number | undefined;
}

/** Every accepted identifier of a shift, with its full name. */
export type ShiftAliases = Readonly<Record<string, string>>;

/** The files of a shift: `physics.json`, `diagrams/lens.png`. */
export type ShiftFiles = Readonly<Record<string, ShiftFile>>;

/** The protected responses of a year. */
export interface YearIndex {
  readonly exam: string;
  readonly year: string;
  readonly aliases: ShiftAliases;
  /** The public list of the shifts, for ZIP files. Releases of the format before have none. */
  readonly list?: ShiftFile | undefined;
  /** By full name, in chronological order. */
  readonly shifts: Readonly<Record<string, ShiftFiles>>;
}

export interface Root {
  readonly format: typeof formatVersion;
  /** The release's name: the first hex digits of the SHA-256 of everything else in the root. */
  readonly id: string;
  /** The compression library and its version; another one may produce other bytes. */
  readonly encoder: string;
  /** Responses that need no key, by URL path without leading and trailing slash: `neet/2024`, `docs`. */
  readonly public: Readonly<Record<string, PublicResource>>;
  /** The year indexes, by exam code and year. */
  readonly years: Readonly<Record<string, Readonly<Record<string, StoredObject>>>>;
  /** Files of the public folder for static hosts, by path. The gateway serves none of them. */
  readonly hosts: Readonly<Record<string, StoredObject>>;
}

/** A release that cannot be served. The message names the file and what is wrong with it. */
export class DamagedRelease extends Error {
  override readonly name = 'DamagedRelease';
}

/** The contents of a root. */
export type RootTables = Omit<Root, 'format' | 'id'>;

/** Adds format and id. */
export function sealRoot({ encoder, public: open, years, hosts }: RootTables): Root {
  const tables = { encoder, public: open, years, hosts };
  return { format: formatVersion, id: idOf(tables), ...tables };
}

/** Hex digits of an id: 64 bits name a release; its signature and its pointer cover the whole hash. */
const idLength = 16;

function idOf(tables: RootTables): string {
  return hash('sha256', JSON.stringify({ format: formatVersion, ...tables })).slice(0, idLength);
}

/**
 * Parses the text of `root.json`.
 *
 * @throws DamagedRelease when it is not a complete, unchanged root of this format that a build could have written: its
 * id proves only that it is complete
 */
export function parseRoot(text: string): Root {
  const root = parseJson(text, rootFile);
  if (!isRecord(root) || root['format'] !== formatVersion)
    throw new DamagedRelease(`${rootFile} is not of format ${formatVersion}`);
  const { format: _, id, ...tables } = root;
  const isRoot =
    Object.keys(tables).join() === 'encoder,public,years,hosts' &&
    typeof tables['encoder'] === 'string' &&
    isRecordOf(tables['public'], isPublicResource) &&
    isRecordOf(tables['years'], (years) => isRecordOf(years, isObject)) &&
    isRecordOf(tables['hosts'], isObject);
  if (!isRoot) throw new DamagedRelease(`${rootFile} is no root of a release`);
  for (const file of publicPaths(root as unknown as Root).keys())
    if (!isPath(file))
      throw new DamagedRelease(
        `${rootFile} names a file that no release has: ${JSON.stringify(file.slice(0, 200))}`,
      );
  if (id !== idOf(tables as unknown as RootTables))
    throw new DamagedRelease(`${rootFile} does not match its own checksum: it was changed`);
  return root as unknown as Root;
}

/**
 * Parses the text of a year index.
 *
 * @param name for messages
 * @throws DamagedRelease when it is none
 */
export function parseYearIndex(text: string, name: string): YearIndex {
  const index = parseJson(text, name);
  const isIndex =
    isRecord(index) &&
    [index['exam'], index['year']].every((each) => typeof each === 'string') &&
    (index['list'] === undefined || isShiftFile(index['list'])) &&
    isRecordOf(index['aliases'], (shift) => typeof shift === 'string') &&
    isRecordOf(index['shifts'], (files) => isRecordOf(files, isShiftFile));
  if (!isIndex) throw new DamagedRelease(`${name} is no index of a year`);
  return index as unknown as YearIndex;
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DamagedRelease(`${name} is not JSON: it is truncated or was changed`);
  }
}

/** All files of the public folder, by path. */
export function publicPaths({ public: resources, hosts }: Root): Map<string, StoredObject> {
  const files = new Map(Object.entries(hosts));
  for (const { file, identity, br, gzip } of Object.values(resources)) {
    files.set(file, identity);
    if (br) files.set(`${file}.br`, br);
    if (gzip) files.set(`${file}.gz`, gzip);
  }
  return files;
}

/** The year indexes that a root names. */
export function* yearsOf({ years }: Pick<Root, 'years'>) {
  for (const [exam, ofExam] of Object.entries(years))
    for (const [year, index] of Object.entries(ofExam)) yield { exam, year, index };
}

const hexDigest = /^[0-9a-f]{64}$/;
/** What a header field may contain. */
const mediaTypePattern = /^[\x20-\x7e]+$/;

/** Whether a path leads to a file of a folder and not out of it. */
function isPath(file: string): boolean {
  const parts = file.split('/');
  return parts.every((part) => !['', '.', '..'].includes(part)) && !/[\\\0]/.test(file);
}

function isRecordOf(value: unknown, isMember: (member: unknown) => boolean): boolean {
  return isRecord(value) && Object.values(value).every(isMember);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isResource(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isRecord(value) || typeof value['mediaType'] !== 'string') return false;
  const { mediaType, identity, br, gzip } = value;
  const encoded = [br, gzip].filter((variant) => variant !== undefined);
  return mediaTypePattern.test(mediaType) && [identity, ...encoded].every(isObject);
}

function isPublicResource(value: unknown): boolean {
  return isResource(value) && typeof value['file'] === 'string';
}

function isShiftFile(value: unknown): boolean {
  if (!isResource(value)) return false;
  const { crc32, total = 0 } = value;
  return [crc32, total].every((number) => Number.isSafeInteger(number) && Number(number) >= 0);
}

function isObject(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { sha256, size } = value;
  return (
    typeof sha256 === 'string' &&
    hexDigest.test(sha256) &&
    Number.isSafeInteger(size) &&
    Number(size) >= 0
  );
}
