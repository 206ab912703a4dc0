/** Work on files: writing with errors that name the file, which Node omits on a full disk, and several at a time. */
import { writeFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';

/** Writes a file. @throws the file system's own error, with the path of the file */
export function writeWithPath(path: string, content: Buffer): void {
  try {
    writeFileSync(path, content);
  } catch (error) {
    throw Object.assign(error as Error, { path });
  }
}

/**
 * Appends lines to a file.
 *
 * @param before the text of the file: a killed process may have left half a line at its end
 * @param lines each ends with a line break
 * @returns the text that was appended
 * @throws the file system's own error, with the path of the file
 */
export async function appendLines(path: string, before: string, lines: string): Promise<string> {
  const text = before === '' || before.endsWith('\n') ? lines : `\n${lines}`;
  await appendFile(path, text).catch((error: Error) => {
    throw Object.assign(error, { path });
  });
  return text;
}

/**
 * Calls an asynchronous function for each item, a number of items at a time. After an error, no further item is begun,
 * and those under way have ended when it is thrown.
 *
 * @param run takes an item, and which of the concurrent runs it is part of: a number below `limit`
 */
export async function inParallel<Item>(
  items: Iterable<Item>,
  limit: number,
  run: (item: Item, index: number) => Promise<unknown>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  let isFailed = false;
  const runs = Array.from({ length: limit }, async (_, index) => {
    for (let next = queue.next(); !next.done && !isFailed; next = queue.next()) {
      await run(next.value, index).catch((error: unknown) => {
        isFailed = true;
        throw error;
      });
    }
  });
  for (const result of await Promise.allSettled(runs)) if (result.status === 'rejected') throw result.reason;
}
