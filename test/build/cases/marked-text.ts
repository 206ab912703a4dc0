/** A text and the place of its marked part. */
export interface MarkedText {
  readonly text: string;
  /** Offsets in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** Removes the marks from a text. Returns undefined if there are none. */
export function parseMarkedText(
  text: string,
  [open, close]: readonly [string, string] = ['⟦', '⟧'],
): MarkedText | undefined {
  const start = text.indexOf(open);
  if (start < 0) return undefined;
  const end = text.indexOf(close) - 1;
  return { text: text.replace(open, '').replace(close, ''), start, end };
}
