/** A text, and the stretch of it that somebody marked with ⟦ and ⟧. */
export interface Marked {
  readonly text: string;
  /** Offsets in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** Takes the marks out of a text; undefined when it has none. */
export function unmarked(
  text: string,
  [open, close]: readonly [string, string] = ['⟦', '⟧'],
): Marked | undefined {
  const start = text.indexOf(open);
  if (start < 0) return undefined;
  const end = text.indexOf(close) - 1;
  return { text: text.replace(open, '').replace(close, ''), start, end };
}
