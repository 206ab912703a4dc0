import { readingsOf } from './readings.ts';
import { type Secrets, wordsOf } from './secrets.ts';

/** What of the secrets stands in a text, in any way in which it may be read. */
export function leaksIn(whole: string, { strings, phrases }: Secrets): Set<string> {
  const leaks = new Set<string>();
  for (const text of readingsOf(whole)) {
    for (const [string, what] of strings) if (text.includes(string)) leaks.add(what);
    for (const what of phrases.in(wordsOf(text))) leaks.add(what);
    for (const what of phrases.in(wordsOf(text.replace(/<[^>]*>/g, ' ')))) leaks.add(what);
    // A word that markup cuts apart.
    for (const what of phrases.in(wordsOf(text.replace(/<[^>]*>/g, '')))) leaks.add(what);
  }
  return leaks;
}
