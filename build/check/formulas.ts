import type { ShiftFolder } from '../content/find.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Examiner } from './examiner.ts';
import { FingerprintTable } from './fingerprint-table.ts';
import type { NewFormula } from './work.ts';

/**
 * Asks KaTeX about each new formula once, and adds those that it sets to the ones that are known.
 *
 * @param passed formulas of earlier runs; grows
 * @returns what is wrong with the others, at every place where they stand
 */
export async function checkFormulas(
  examiner: Examiner,
  folders: readonly ShiftFolder[],
  formulas: Iterable<NewFormula>,
  passed: FingerprintTable,
): Promise<readonly Diagnostic[]> {
  const asked = new FingerprintTable();
  const distinct = [...formulas].filter((formula) => asked.add(formula, 0) < 0);
  if (distinct.length === 0) return [];
  const isSet = await examiner.formulas(distinct.map(({ text }) => text));
  const failing = new FingerprintTable();
  for (const [index, formula] of distinct.entries()) (isSet[index] ? passed : failing).add(formula, 0);
  return failing.size > 0 ? examiner.formulaFaults(folders, failing.words) : [];
}
