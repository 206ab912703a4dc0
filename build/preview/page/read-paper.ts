import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { type JsonFile, readJsonFile } from '../../content/file.ts';
import { Source } from '../../content/source.ts';
import { type ShownPaper, shownPaper } from './shown-paper.ts';

/** A subject file as far as it can be read, and the text in which its questions stand. */
export interface ReadPaper {
  readonly paper: ShownPaper;
  readonly source: Source;
  /** Whether it is JSON; of a file that is not, what the parser makes of it is shown. */
  readonly isJson: boolean;
}

/**
 * Reads a subject file. What is wrong with it is the rules' to tell; nothing is thrown.
 *
 * @param path inside the content folder
 */
export function readPaper(contentDir: string, path: string): ReadPaper {
  const file = readJsonFile(join(contentDir, path), path, 'paper');
  const isJson = file.state === 'parsed';
  const text = textOf(file);
  return { paper: shownPaper(isJson ? file.value : guessed(text)), source: new Source(text), isJson };
}

function textOf(file: JsonFile): string {
  switch (file.state) {
    case 'unreadable':
      return '';
    case 'undecodable':
      return new TextDecoder('utf-8').decode(file.bytes);
    case 'unparsable':
    case 'parsed':
      return file.text;
  }
}

/** What a text seems to say that is no JSON: a comma or a quote may be missing. */
function guessed(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    // Nested deeper than the parser's stack.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
