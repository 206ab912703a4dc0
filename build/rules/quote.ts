/** No message shows more of a value. */
const shown = 80;

/** A value as a message shows it: as JSON, and of a long one the beginning. */
export function quote(value: unknown): string {
  if (Array.isArray(value)) return 'A list';
  if (typeof value === 'object' && value !== null) return 'An object';
  const text = typeof value === 'string' ? value.slice(0, shown) : value;
  const json = JSON.stringify(text) ?? String(text);
  return json.length > shown ? `${json.slice(0, shown - 3)}...` : json;
}
