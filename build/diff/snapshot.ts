/** One side of a comparison: content that changed, and what has to be known beside it. */
export interface Snapshot {
  /** Subject and exam files by path, and diagrams that cannot be read; what is missing does not exist on this side. */
  readonly files: ReadonlyMap<string, FileValue>;
  /** Digests of diagrams' bytes by path: all that changed, no others. */
  readonly diagrams: ReadonlyMap<string, string>;
}

/** What a JSON file holds, or a sentence on why that is not known. */
export type FileValue = { readonly value: unknown } | { readonly fault: string };

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses the bytes of a JSON file. What is wrong with them comes back; nothing is thrown. */
export function parseFile(bytes: Uint8Array): FileValue {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { fault: 'It is not UTF-8.' };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { fault: 'It is not valid JSON.' };
  }
}
