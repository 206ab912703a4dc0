import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { appendLines } from './files.ts';

/**
 * `dist/history`: one line of JSON for each switch to a release, in order, appended before the switch. The line of a
 * switch that was killed does no harm: each line names the release that was really current before.
 */
const historyFile = 'history';

/** One switch. Releases are identified by the names of their folders. */
export interface Switch {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly to: string;
  /** The release that was current until then; null for the first switch. */
  readonly from: string | null;
}

/** Reads all switches, oldest first. Skips lines that a full disk cut short. */
export async function readHistory(distDir: string): Promise<Switch[]> {
  return (await historyText(distDir)).split('\n').flatMap((line) => parseSwitch(line) ?? []);
}

/** @throws the file system's own error */
export async function appendToHistory(distDir: string, entry: Switch): Promise<void> {
  await appendLines(join(distDir, historyFile), await historyText(distDir), `${JSON.stringify(entry)}\n`);
}

async function historyText(distDir: string): Promise<string> {
  return readFile(join(distDir, historyFile), 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}

/** The switch at which a release last was or became current. */
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
