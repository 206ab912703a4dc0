/**
 * ZIP files of a shift or a year (APPNOTE.TXT 6.3). They are made of what is stored: a ZIP entry is the same deflate
 * stream as a body compressed by gzip, without its header and trailer (RFC 1952, 2.2).
 */
import { hash } from 'node:crypto';
import { entityTag } from '../../build/release/headers.ts';
import type { ShiftFile } from '../../build/release/root.ts';
import type { Resource, Variant } from './resource.ts';

/** A ZIP file, apart from the bytes of its entries. */
export interface Pack {
  readonly etag: string;
  /** Bytes. */
  readonly size: number;
  readonly entries: readonly Entry[];
  /** The end of the file, which lists its entries. */
  readonly directory: () => Buffer;
}

export interface Entry {
  readonly name: string;
  /** The stored variant, and how many of its bytes belong to gzip. */
  readonly variant: Variant;
  readonly before: number;
  readonly after: number;
  readonly crc32: number;
  /** Bytes of the plain file. */
  readonly size: number;
}

/** Bytes of gzip's header without a file name, and of its trailer. */
const gzipHeader = 10;
const gzipTrailer = 8;

/** What a ZIP file can have without its extension to 64 bits. */
const mostEntries = 65_534;
const largestPack = 2 ** 32 - 1;

const localHeader = 30;
const directoryHeader = 46;
const endOfDirectory = 22;

/** Names are UTF-8. */
const flags = 0x0800;
/** Version 2.0 of the format, which has deflate. */
const version = 20;
/** 1 January 1980, the first day: the same content gives the same bytes. */
const firstDay = 0x0021;
const deflated = 8;
const stored = 0;

/** A file, and the response that it is. */
export type PackedFile = readonly [path: string, file: ShiftFile, resource: Resource];

/**
 * @param files in the order of the ZIP file
 * @returns undefined if they are more than a ZIP file can have
 */
export function createPack(files: readonly PackedFile[]): Pack | undefined {
  const entries = files.map(entryOf);
  const inner = entries.reduce((sum, entry) => sum + localHeader + bytesOf(entry), 0);
  const size = inner + directorySize(entries);
  if (entries.length > mostEntries || size > largestPack) return undefined;
  const contents = files.map(([name, { identity }]) => `${identity.sha256} ${name}\n`).join('');
  const etag = entityTag(hash('sha256', `pack\n${contents}`));
  return { etag, size, entries, directory: () => directoryOf(entries, inner) };
}

function entryOf([name, { crc32, identity }, resource]: PackedFile): Entry {
  const { gzip } = resource;
  const [before, after] = gzip ? [gzipHeader, gzipTrailer] : [0, 0];
  return { name, variant: gzip ?? resource.identity, before, after, crc32, size: identity.size };
}

function packedSize({ variant, before, after }: Entry): number {
  return variant.object.size - before - after;
}

/** Bytes of an entry's name and content. */
function bytesOf(entry: Entry): number {
  return Buffer.byteLength(entry.name) + packedSize(entry);
}

function directorySize(entries: readonly Entry[]): number {
  const names = entries.reduce((sum, { name }) => sum + Buffer.byteLength(name), 0);
  return entries.length * directoryHeader + names + endOfDirectory;
}

/** The fields that the header of an entry and its line in the directory share, in their order. */
function commonFields(entry: Entry): Buffer {
  const { name, before, crc32, size } = entry;
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(version, 0);
  fields.writeUInt16LE(flags, 2);
  fields.writeUInt16LE(before > 0 ? deflated : stored, 4);
  fields.writeUInt16LE(firstDay, 8);
  fields.writeUInt32LE(crc32, 10);
  fields.writeUInt32LE(packedSize(entry), 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(Buffer.byteLength(name), 22);
  return fields;
}

/** What comes before the content of an entry. */
export function headerOf(entry: Entry): Buffer {
  return Buffer.concat([Buffer.from('PK\x03\x04'), commonFields(entry), Buffer.from(entry.name)]);
}

/** @param size bytes of all entries */
function directoryOf(entries: readonly Entry[], size: number): Buffer {
  const parts: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const madeBy = Buffer.from([version, 0]);
    const attributes = Buffer.alloc(14);
    attributes.writeUInt32LE(offset, 10);
    parts.push(Buffer.from('PK\x01\x02'), madeBy, commonFields(entry), attributes);
    parts.push(Buffer.from(entry.name));
    offset += localHeader + bytesOf(entry);
  }
  const end = Buffer.alloc(endOfDirectory);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directorySize(entries) - endOfDirectory, 12);
  end.writeUInt32LE(size, 16);
  return Buffer.concat([...parts, end]);
}
