import { after } from 'node:test';

const closers: (() => Promise<void>)[] = [];
let isTogether = false;

/** Calls `close` after the last test of this process, whether it runs one file or several. Call it at the top level. */
export function closeAtEnd(close: () => Promise<void>): void {
  if (isTogether) closers.push(close);
  else after(close);
}

/** Runs several test files, and closes what they share. */
export async function runTogether(run: () => Promise<void>): Promise<void> {
  isTogether = true;
  await run();
  for (const close of closers) await close();
}
