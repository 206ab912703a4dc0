import { dollarsOf } from '../formula/formulas.ts';

/** In a text of more dollars, nobody could tell. */
const most = 41;

/**
 * Of dollars that are odd in number, the one that was probably meant to have another: with it left out, the
 * others make formulas that neither begin nor end with space, nor read as prose. Of several, the last one.
 *
 * @returns its offset; undefined when it is not for the dollars alone to say: two stand side by side, or there
 * are too many
 */
export function openDollar(text: string): number | undefined {
  const dollars = dollarsOf(text);
  if (dollars.length % 2 === 0 || dollars.length > most || text.includes('$$')) return undefined;
  let best: { readonly at: number; readonly faults: number } | undefined;
  for (const at of dollars) {
    const faults = faultsOf(
      text,
      dollars.filter((dollar) => dollar !== at),
    );
    if (faults <= (best?.faults ?? Number.POSITIVE_INFINITY)) best = { at, faults };
  }
  return best?.at;
}

function faultsOf(text: string, dollars: readonly number[]): number {
  let faults = 0;
  for (let index = 0; index + 1 < dollars.length; index += 2) {
    const tex = text.slice((dollars[index] ?? 0) + 1, dollars[index + 1]);
    if (tex !== tex.trim()) faults += 1;
    if (/(?:^|\s)[a-z]{3,}\s+[a-z]{2,}(?:\s|$)/i.test(tex) && !tex.includes('\\text')) faults += 1;
    if (tex.includes('$')) faults += 1;
  }
  return faults;
}
