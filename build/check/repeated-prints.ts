import { FingerprintTable } from './fingerprint-table.ts';
import { type PaperPrint, printWords } from './work.ts';

/**
 * The fingerprints that stand in the prints of a bank more than once. They are found by sorting them all, 8 bytes
 * each: a table of them would be several times as large.
 *
 * @param at where in the words of a question the fingerprint begins
 */
export function repeatedPrints(papers: readonly PaperPrint[], at: number): FingerprintTable {
  const count = papers.reduce((sum, { prints }) => sum + prints.length / printWords, 0);
  const sorted = new BigUint64Array(count);
  // The two words of each; in which order they make a number is all one.
  const words = new Uint32Array(sorted.buffer);
  let next = 0;
  for (const { prints } of papers) {
    for (let question = 0; question < prints.length; question += printWords) {
      words[next] = prints[question + at] ?? 0;
      words[next + 1] = prints[question + at + 1] ?? 0;
      next += 2;
    }
  }
  sorted.sort();
  const repeated = new FingerprintTable();
  for (let word = 2; word < words.length; word += 2) {
    const [high = 0, low = 0] = [words[word], words[word + 1]];
    if (high === words[word - 2] && low === words[word - 1]) repeated.add({ high, low }, 0);
  }
  return repeated;
}
