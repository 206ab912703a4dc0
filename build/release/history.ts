import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * `dist/history`: a line of JSON for each switch to a release, written before the switch and only ever appended to.
 * The order of the lines is the order of the switches; a line whose switch was killed tells of one that never was,
 * and does no harm: what was current before a release stands in the line of that release.
 */
export const historyFile = 'history';

/** One switch, by the names of the releases' folders. */
export interface Switch {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly to: string;
  /** What was current until then; null at the first one. */
  readonly from: string | null;
}

/** All switches, the first one first. A line that was cut short by a full disk is passed over. */
export async function readHistory(distDir: string): Promise<Switch[]> {
  const text = await readFile(join(distDir, historyFile), 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').flatMap((line) => parseSwitch(line) ?? []);
}

/** @throws the file system's own error */
export async function appendToHistory(distDir: string, entry: Switch): Promise<void> {
  const path = join(distDir, historyFile);
  const file = await open(path, 'a+');
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    const isCutShort = size > 0 && buffer.toString() !== '\n';
    await file.appendFile(`${isCutShort ? '\n' : ''}${JSON.stringify(entry)}\n`);
  } catch (error) {
    // Node names no file when the write itself fails.
    throw Object.assign(error as Error, { path });
  } finally {
    await file.close();
  }
}

/** When a release was last the current one, as far as the history tells. The present one still is. */
export function lastCurrent(history: readonly Switch[], name: string): Switch | undefined {
  return history.findLast(({ to, from }) => to === name || from === name);
}

/** The release that was current before this one. */
export function previousOf(history: readonly Switch[], name: string): string | undefined {
  return history.findLast(({ to }) => to === name)?.from ?? undefined;
}

function parseSwitch(line: string): Switch | undefined {
  try {
    const { at, to, from } = JSON.parse(line);
    const isSwitch = typeof to === 'string' && (from === null || typeof from === 'string');
    return isSwitch && !Number.isNaN(Date.parse(at)) ? { at, to, from } : undefined;
  } catch {
    return undefined;
  }
}
