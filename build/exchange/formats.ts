/** Finds out which format a file has, and reads its questions. */
import { extname } from 'node:path';
import { UserError } from '../release/user-error.ts';
import { csvItems } from './csv.ts';
import { documentItems, isDocument } from './document.ts';
import { excelItems } from './excel.ts';
import { giftItems } from './gift.ts';
import type { Item } from './item.ts';
import { jsonItems } from './json.ts';
import { moodleItems } from './moodle.ts';
import { plainTextItems } from './plain-text.ts';
import { qtiItems } from './qti.ts';
import { qti12Items } from './qti12.ts';
import { openSource, parseXml, resolvedPath, type Source } from './source.ts';
import { type Mapping, mappingOf } from './table.ts';

interface ReadFile {
  readonly items: Iterable<Item>;
  /** What concerns the whole file, for the report. */
  readonly notes: readonly string[];
}

/** Formats that are not read, by the extensions of their files, and what to do. */
const others: Readonly<Record<string, string>> = {
  '.doc': 'the old format of Word. Save it as .docx',
  '.xls': 'the old format of Excel. Save it as .xlsx',
  '.ods': 'a sheet of OpenDocument. Save it as .xlsx or .csv',
  '.pdf': 'PDF. Import the document that it was made from',
  '.pptx': 'PowerPoint. Copy its questions into Word',
  '.mbz': 'a backup of a Moodle course. Export its question bank as Moodle XML',
};

const known =
  'Formats: Word (.docx), OpenDocument (.odt), LaTeX (.tex), HTML, Markdown (.md), text with numbered questions or Aiken (.txt), ' +
  'Excel (.xlsx), CSV (.csv, .tsv), JSON (.json, .jsonl), QTI 1.2, 2 and 3 (.xml, .zip, .imscc), Moodle XML (.xml), GIFT (.gift, .txt).';

/**
 * Reads the questions of a file: XML and archives by what is in them, others by their extension.
 *
 * @param map as `--map` is written
 * @throws UserError for a format that is not read, which it names
 */
export async function readFormat(file: string, map: string | undefined): Promise<ReadFile> {
  const source = openSource(file);
  const mapping = mappingOf(map);
  const { items, notes } = await readSource(file, source, mapping);
  return { items, notes: [...source.notes, ...notes] };
}

async function readSource(file: string, source: Source, mapping: Mapping): Promise<ReadFile> {
  const { text, paths, bytes } = source;
  const extension = extname(file).toLowerCase();
  if (paths.includes('xl/workbook.xml')) return excelItems(bytes, paths, mapping);
  if (paths.includes('word/document.xml')) return documentItems(`${file}.docx`, bytes, source);
  if (isDocument(file)) return documentItems(file, bytes, source);
  const other = Object.hasOwn(others, extension) ? others[extension] : undefined;
  if (other !== undefined) throw new UserError(`${file} is ${other}.\n${known}`);
  if (text === undefined) return readArchive(file, source);
  if (/^\.[ct]sv$/.test(extension)) return { items: csvItems(text, mapping), notes: [] };
  if (/^\.(?:json|jsonl|ndjson)$/.test(extension))
    return { items: jsonItems(text, mapping), notes: [] };
  if (extension === '.gift' || (extension === '.txt' && isGift(text)))
    return { items: giftItems(text), notes: [] };
  if (extension === '.txt' || extension === '.aiken')
    return withImages(plainTextItems(text), source);
  const root = /^\s*(?:\ufeff)?</.test(text) && extension === '.xml' ? parseXml(text) : undefined;
  switch (root?.name) {
    case 'quiz':
      return { items: moodleItems(root), notes: [] };
    case 'questestinterop':
      return qti12Items(source, paths);
    case 'assessmentitem':
    case 'assessmenttest':
    case 'manifest':
      return { items: qtiItems(source), notes: [] };
    case undefined:
      throw new UserError(`${file} has none of the formats that are read.\n${known}`);
    default:
      throw new UserError(
        `${file} is XML with the root element <${root?.name}>, which is not read.\n${known}`,
      );
  }
}

function readArchive(file: string, source: Source): ReadFile {
  const { paths } = source;
  const manifest = source.read('imsmanifest.xml');
  const isOld = (path: string) =>
    /\.(?:xml|qti|dat)$/i.test(path) &&
    /<(?:\w+:)?questestinterop[\s>]/.test(
      Buffer.from(source.read(path)?.subarray(0, 3000) ?? []).toString('utf8'),
    );
  const old = paths.filter(isOld);
  if (old.length > 0) return qti12Items(source, old);
  if (
    paths.some((path) => /\.xml$/i.test(path)) &&
    (manifest || !paths.includes('[Content_Types].xml'))
  )
    return { items: qtiItems(source), notes: [] };
  const names = paths.slice(0, 5).join(', ');
  throw new UserError(
    `${file} is an archive without QTI. Its files are: ${names || 'none'}. Unpack it, and import one of them.\n${known}`,
  );
}

/** GIFT has answers in braces; numbered questions and Aiken have lines with answers. */
function isGift(text: string): boolean {
  if (/^\s*::|^\$CATEGORY:/m.test(text)) return true;
  return (
    /(?<!\\)\{\s*(?:[=~#]|T(?:RUE)?\b|F(?:ALSE)?\b|\})/.test(text) && !/^\s*answer\s*:/im.test(text)
  );
}

/** Lets the questions of a text show images beside its file. */
function withImages(
  { items, notes }: { items: Item[]; notes: string[] },
  source: Source,
): ReadFile {
  const image = (path: string) => source.read(resolvedPath('', path));
  return { items: items.map((item) => ({ ...item, image })), notes };
}
