// @ts-check
/** Finds the name that a misspelt one means. Plain JavaScript: the launcher needs it before anything is compiled. */
import leven from 'leven';

/** A longer text was not meant as a name. */
const longestName = 100;

/** Enough for 300 words among 300 names: the others have suggestions once these are mended. */
export const mostEffort = 2e7;

/**
 * The name that was probably meant by a misspelt one, by edit distance without case.
 *
 * @param {string} written
 * @param {Iterable<string>} names
 * @param {{ left: number }} effort counts down the characters that are compared, of all searches in a file together
 * @returns {string | undefined} undefined when none is similar, or the effort is spent
 */
export function nearest(written, names, effort = { left: mostEffort }) {
  if (written.length > longestName) return undefined;
  const word = written.trim().toLowerCase();
  /** @type {{ readonly name: string, readonly distance: number } | undefined} */
  let best;
  for (const name of names) {
    const most = Math.max(1, Math.floor(name.length / 3));
    if (effort.left <= 0) return undefined;
    effort.left -= 1;
    if (Math.abs(word.length - name.length) > most) continue;
    effort.left -= word.length * name.length;
    const distance = leven(word, name.toLowerCase(), { maxDistance: most + 1 });
    if (distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { name, distance };
  }
  return best && best.distance <= Math.max(1, Math.floor(best.name.length / 3))
    ? best.name
    : undefined;
}

/**
 * A question for a message about a misspelt command, option or value: ` Did you mean "build"?`. Two letters in the
 * wrong order are one mistake.
 *
 * @param {string} written
 * @param {readonly string[]} names
 * @returns {string} empty when none is similar
 */
export function didYouMean(written, names) {
  const lettersOf = (/** @type {string} */ name) => [...name].sort().join('');
  const meant =
    nearest(written, names) ?? names.find((name) => lettersOf(name) === lettersOf(written));
  return meant === undefined ? '' : ` Did you mean "${meant}"?`;
}

/**
 * A message about a name that does not exist: `Unknown plan "golt". Did you mean "gold"? Available plans: free, gold.`
 *
 * @param {string} kind what is named, as a singular noun
 * @param {string} written
 * @param {readonly string[]} names
 */
export function unknownName(kind, written, names) {
  return `Unknown ${kind} "${written}".${didYouMean(written, names)} Available ${kind}s: ${names.join(', ')}.`;
}
