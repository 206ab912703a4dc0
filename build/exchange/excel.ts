/** Reads questions from a sheet of Excel (.xlsx), as from CSV. */
import { UserError } from '../release/user-error.ts';
import { sheetItems } from './csv.ts';
import type { Item } from './item.ts';
import type { Mapping } from './table.ts';

/**
 * Reads the questions of the first sheet that has any.
 *
 * @returns also what is not read of the whole file
 * @throws UserError if no sheet has the columns that are needed
 */
export async function excelItems(
  bytes: Uint8Array,
  paths: readonly string[],
  mapping: Mapping,
): Promise<{ items: Item[]; notes: string[] }> {
  const { default: readExcelFile } = await import('read-excel-file/universal');
  let sheets: { sheet: string; data: unknown[][] }[];
  try {
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    sheets = (await readExcelFile(buffer as ArrayBuffer)) as unknown as typeof sheets;
  } catch (error) {
    throw new UserError(`This Excel file cannot be read: ${(error as Error).message}.`);
  }
  const filled = sheets.filter(({ data }) => data.length > 1);
  const notes = paths.some((path) => path.startsWith('xl/media/'))
    ? ['Pictures of the sheet are not imported.']
    : [];
  let fault: unknown;
  for (const { sheet, data } of filled) {
    try {
      const items = sheetItems(
        data.map((row) => row.map((cell) => cellText(cell, notes))),
        mapping,
      );
      const others = filled.filter((one) => one.sheet !== sheet).map((one) => `"${one.sheet}"`);
      if (others.length > 0)
        notes.push(`Read only the sheet "${sheet}", not ${others.join(', ')}.`);
      return { items, notes };
    } catch (error) {
      fault ??= error;
    }
  }
  throw fault ?? new UserError('The Excel file has no rows.');
}

function cellText(cell: unknown, notes: string[]): string {
  if (cell instanceof Date) {
    const note = 'Some cells are dates, such as 5/3 or 1-2. Format their column as text in Excel.';
    if (!notes.includes(note)) notes.push(note);
    return cell.toISOString().slice(0, 'YYYY-MM-DD'.length);
  }
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  return String(cell ?? '');
}
