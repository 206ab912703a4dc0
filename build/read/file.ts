import { readFile } from 'node:fs/promises';
import { type SyntaxMistake, startOfFile, syntaxMistakes } from './json.ts';

/** A content file's value, or why it has none. */
export type ParsedFile = { readonly value: unknown } | { readonly mistakes: readonly SyntaxMistake[] };

/** Reads and parses a JSON file. What is wrong with it comes back; nothing is thrown. */
export async function readJsonFile(path: string): Promise<ParsedFile> {
  const text = await readText(path);
  if (typeof text !== 'string') return { mistakes: [{ message: text.fault, range: startOfFile }] };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { mistakes: syntaxMistakes(text) };
  }
}

/** A file's text, or a sentence on why it cannot be read. */
export async function readText(path: string): Promise<string | { readonly fault: string }> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      return { fault: 'The file is not UTF-8: save it in that encoding.' };
    }
    return { fault: `The file cannot be read (${code ?? 'it is too large'}).` };
  }
}
