/**
 * Reads what is imported, which comes from strangers: a file and files beside it, or a zip archive; XML and HTML as a
 * tree of elements and text.
 */
import { isUtf8 } from 'node:buffer';
import { basename, dirname, join, posix } from 'node:path';
import querystring from 'node:querystring';
import { unzipSync } from 'fflate';
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parseFragment } from 'parse5';
import sax from 'sax';
import bounds from '../content/bounds.json' with { type: 'json' };
import { readBytes } from '../content/file.ts';
import { decodeWindows1252, manyMarks } from '../content/text.ts';
import { UserError } from '../release/user-error.ts';

export type Node = Element | string;

/** Names have no prefix, no `qti-` and no hyphens, in lower case: those of QTI 2 and 3 are the same then. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Node[];
}

/** Files come from strangers. */
const {
  importBytes: mostBytes,
  importReadBytes: mostReadBytes,
  importEntries: mostEntries,
  importElements: mostElements,
  importTags: mostTags,
  importDepth: deepest,
} = bounds;

const tooDeep = `Elements are nested more than ${deepest} deep.`;

/**
 * Parses an XML document. Entities that it declares are not known, and nothing is loaded.
 *
 * @returns its root
 * @throws UserError if it is not well-formed, nested too deeply, or has too many elements
 */
export function parseXml(text: string): Element {
  const parser = sax.parser(true);
  const open = [element('', {})];
  let count = 0;
  const add = (node: Node) => open.at(-1)?.children.push(node);
  parser.onerror = ({ message }) => {
    throw new UserError(
      `This is not well-formed XML: ${message.split('\n')[0]} in line ${parser.line + 1}.`,
    );
  };
  parser.onopentag = ({ name, attributes }) => {
    const opened = element(name, attributes as Record<string, string>);
    add(opened);
    if (open.push(opened) > deepest) throw new UserError(tooDeep);
    count += 1;
    if (count > mostElements)
      throw new UserError(`The file has more than ${mostElements} elements. Split it.`);
  };
  parser.ontext = add;
  parser.oncdata = add;
  parser.onclosetag = () => open.pop();
  parser.write(text).close();
  return childrenOf(open[0])[0] ?? element('', {});
}

/**
 * Parses a part of an HTML document, as browsers do.
 *
 * @throws UserError if it has more tags than `most`, or is too deep
 */
export function parseHtml(text: string, most = mostTags): Node[] {
  const tooMany = new UserError(`The text has more than ${most} HTML tags.`);
  if (text.split('<', most + 1).length > most) throw tooMany;
  let count = 0;
  const treeAdapter = {
    ...defaultTreeAdapter,
    // HTML repeats elements that are not closed in each paragraph after them.
    createElement(...args: Parameters<typeof defaultTreeAdapter.createElement>) {
      count += 1;
      if (count > 2 * most) throw tooMany;
      return defaultTreeAdapter.createElement(...args);
    },
  };
  return parseFragment(text, { treeAdapter }).childNodes.flatMap((node) => fromHtml(node, 0));
}

function fromHtml(node: DefaultTreeAdapterTypes.ChildNode, depth: number): Node[] {
  if (depth > deepest) throw new UserError(tooDeep);
  if ('value' in node) return [node.value];
  if (!('tagName' in node)) return [];
  const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
  const children = node.childNodes.flatMap((child) => fromHtml(child, depth + 1));
  return [element(node.tagName, attributes, children)];
}

function element(
  name: string,
  attributes: Readonly<Record<string, string>>,
  children: Node[] = [],
): Element {
  const entries = Object.entries(attributes).map(([attribute, value]) => [
    plainName(attribute),
    value,
  ]);
  return { name: plainName(name), attributes: Object.fromEntries(entries), children };
}

function plainName(name: string): string {
  return name.replace(/^.*:/, '').replace(/^qti-/, '').replaceAll('-', '').toLowerCase();
}

/** The elements directly inside an element, of this name if one is given. */
export function childrenOf(parent: Element | undefined, name?: string): Element[] {
  const elements = (parent?.children ?? []).filter((node) => typeof node !== 'string');
  return name === undefined ? elements : elements.filter((child) => child.name === name);
}

/** The elements anywhere inside an element whose names match, in the order of the document. */
export function elementsIn(
  parent: Element | undefined,
  name: RegExp,
  found: Element[] = [],
): Element[] {
  for (const child of childrenOf(parent)) {
    if (name.test(child.name)) found.push(child);
    elementsIn(child, name, found);
  }
  return found;
}

/** The text in an element and in all elements inside it. */
export function textIn(node: Node | undefined): string {
  return typeof node === 'object' ? node.children.map(textIn).join('') : (node ?? '');
}

export interface Source {
  /** The files to start from: all of an archive, or only the file itself. */
  readonly paths: readonly string[];
  /**
   * @param path from the folder of the file, or the root of the archive
   * @returns undefined if it is not inside
   * @throws UserError if too much was read
   */
  readonly read: (path: string) => Uint8Array | undefined;
  /** The text of a file that is no archive. */
  readonly text?: string;
  readonly bytes: Uint8Array;
  /** How the file was read, if that may be wrong. */
  readonly notes: readonly string[];
}

/** Opens a file or archive. @throws UserError if it cannot be read, or is too large */
export function openSource(file: string): Source {
  const bytes = readBytes(file, mostBytes);
  if ('fault' in bytes) throw new UserError(`${file}: ${bytes.fault}`);
  if (bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') return openArchive(bytes);
  const read = limited((path: string) => {
    const beside = readBytes(join(dirname(file), path), mostBytes);
    return 'fault' in beside ? undefined : beside;
  });
  // XML and documents say their encoding.
  const isPlain = /\.(?:[ct]sv|txt|gift|jsonl?|aiken)$/i.test(file);
  const notes =
    isPlain && encodingOf(bytes) === 'windows-1252'
      ? [
          'The file is not UTF-8. It was read as Windows-1252: check its accented letters and signs.',
        ]
      : [];
  return { paths: [basename(file)], read, text: decodedText(bytes), bytes, notes };
}

function openArchive(bytes: Uint8Array): Source {
  let entries = 0;
  let unpacked = 0;
  const filter = ({ originalSize }: { readonly originalSize: number }) => {
    entries += 1;
    unpacked += originalSize;
    if (entries > mostEntries || unpacked > mostReadBytes)
      throw new UserError(
        `The archive has more than ${mostEntries} files or ${mostReadBytes / 2 ** 20} MB unpacked.`,
      );
    return true;
  };
  try {
    // Each file is unpacked into a buffer of the size that the archive says.
    const files = new Map(Object.entries(unzipSync(bytes, { filter })));
    return {
      paths: [...files.keys()].sort(),
      read: limited((path) => files.get(path)),
      bytes,
      notes: [],
    };
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`The archive is damaged: ${(error as Error).message}.`);
  }
}

/** A reader that throws when it has read too much: small files may refer to a large one many times. */
function limited(read: Source['read']): Source['read'] {
  let left = mostReadBytes;
  return (path) => {
    const bytes = read(path);
    left -= bytes?.length ?? 0;
    if (left >= 0) return bytes;
    const most = `${mostReadBytes / 2 ** 20} MB`;
    throw new UserError(`The file refers to more than ${most}, repetitions included. Split it.`);
  };
}

/** A text in Unicode NFC. @throws UserError for letters with so many accents that it would take long */
export function normalized(text: string): string {
  if (manyMarks.test(text))
    throw new UserError(`A letter has more than ${bounds.marks} accents. Remove them.`);
  return text.normalize('NFC');
}

/** The path that a reference in a file leads to; empty if it leaves the package. */
export function resolvedPath(from: string, reference = ''): string {
  const path = posix.join(
    posix.dirname(from),
    querystring.unescape(reference).replace(/[?#].*$/, ''),
  );
  return /^\.\.(?:\/|$)|^\/|[\\\0]|^[a-z][a-z\d+.-]*:/i.test(path) ? '' : path;
}

/** UTF-8, UTF-16 with its mark, as Excel's "Unicode text", or Windows-1252, in which it saves CSV. */
function encodingOf(bytes: Uint8Array) {
  const mark = Buffer.from(bytes.subarray(0, 2)).toString('hex');
  if (mark === 'fffe') return 'utf-16le';
  if (mark === 'feff') return 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

export function decodedText(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes);
  return encoding === 'windows-1252'
    ? decodeWindows1252(bytes)
    : new TextDecoder(encoding).decode(bytes);
}
