import { decodingsOf } from './decodings.ts';
import { type Secrets, wordsOf } from './secrets.ts';

/** Finds secrets in a text, in any encoding. */
export function leaksIn(whole: string, { strings, phrases }: Secrets): Set<string> {
  const leaks = new Set<string>();
  for (const text of decodingsOf(whole)) {
    for (const [string, what] of strings) if (text.includes(string)) leaks.add(what);
    for (const what of phrases.in(wordsOf(text))) leaks.add(what);
    for (const what of phrases.in(wordsOf(text.replace(/<[^>]*>/g, ' ')))) leaks.add(what);
    // A word that is split by markup.
    for (const what of phrases.in(wordsOf(text.replace(/<[^>]*>/g, '')))) leaks.add(what);
  }
  return leaks;
}
