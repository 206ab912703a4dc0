import leven from 'leven';

/** No name is longer; a text that is was not meant to be one. */
const longest = 100;

/**
 * The one of several names that somebody meant who wrote another; undefined when none is near. Upper and
 * lower case are the same here.
 */
export function nearest(written: string, known: Iterable<string>): string | undefined {
  if (written.length > longest) return undefined;
  const word = written.trim().toLowerCase();
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    const distance = leven(word, name.toLowerCase());
    if (distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { name, distance };
  }
  return best && best.distance <= Math.max(1, Math.floor(best.name.length / 3)) ? best.name : undefined;
}
