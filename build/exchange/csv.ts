/** Reads questions from CSV: a header with the names of fields, then a question in each row. */
import { CsvError, parse } from 'csv-parse/sync';
import bounds from '../content/bounds.json' with { type: 'json' };
import { UserError } from '../release/user-error.ts';
import type { Item } from './item.ts';
import { normalized } from './source.ts';
import { columnsOf, type Mapping, missingColumns, rowItems } from './table.ts';

/** Reads the questions of a CSV file. Cells are texts of the content format. @throws UserError if it is no such file */
export function csvItems(text: string, mapping: Mapping = new Map()): Item[] {
  // Excel writes the separator into a line of its own.
  const [line = '', named] = /^\ufeff?"?sep=(.)"?\r?\n/i.exec(text) ?? [];
  const body = text.slice(line.length);
  const [head = ''] = body.split('\n', 1);
  const delimiter =
    named ??
    [',', ';', '\t', '|'].toSorted((a, b) => head.split(b).length - head.split(a).length)[0] ??
    ',';
  const settings = {
    delimiter,
    bom: true,
    trim: true,
    max_record_size: 1_000_000,
    skip_empty_lines: true,
    relax_column_count: true,
    to: bounds.importQuestions + 12,
  };
  try {
    return sheetItems(parse(normalized(body), settings) as unknown as string[][], mapping);
  } catch (error) {
    throw error instanceof CsvError
      ? new UserError(`This is not valid CSV: ${error.message}.`)
      : error;
  }
}

/** Titles may be above the names of the columns. */
const mostTitles = 10;

/**
 * Reads the questions of a sheet. Its first row with the names that are needed has the names of all columns.
 *
 * @throws UserError if there is none
 */
export function sheetItems(rows: readonly (readonly unknown[])[], mapping: Mapping): Item[] {
  const namesIn = (row: readonly unknown[]) => row.map((cell) => String(cell ?? '').trim());
  const isHeader = (row: readonly unknown[]) =>
    missingColumns(namesIn(row), columnsOf(namesIn(row), mapping)) === undefined &&
    [...mapping.values()].every((column) => namesIn(row).includes(column));
  const top = rows.slice(0, mostTitles).findIndex(isHeader);
  const names = namesIn(rows[Math.max(top, 0)] ?? []);
  const absent = [...mapping.values()].find((column) => !names.includes(column));
  const columns = columnsOf(names, mapping);
  const missing =
    missingColumns(names, columns) ??
    (absent === undefined
      ? undefined
      : `There is no column "${absent}". The columns are: ${names.join(', ')}.`);
  if (missing !== undefined) throw new UserError(missing);
  const body = rows
    .slice(top + 1)
    .filter((row) => row.some((cell) => String(cell ?? '').trim() !== ''));
  return rowItems(
    body.map(
      (row) =>
        new Map(
          names.flatMap((name, index) =>
            names.indexOf(name) === index ? [[name, row[index]] as const] : [],
          ),
        ),
    ),
    columns,
  );
}
