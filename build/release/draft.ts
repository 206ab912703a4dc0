import { randomUUID } from 'node:crypto';

/** Those of this process: another that had its number before may have left some, too. */
const own = new Set<string>();

/** A name for what is being written: hidden, its own, and it tells which process writes it. */
export function draftName(): string {
  const name = `.draft-${process.pid}-${randomUUID()}`;
  own.add(name);
  return name;
}

/** Whether a name is that of a draft whose process runs no more: it was killed. */
export function isAbandonedDraft(name: string): boolean {
  const pid = Number(/^\.draft-(\d+)-[0-9a-f-]{36}$/.exec(name)?.[1]);
  return !Number.isNaN(pid) && !own.has(name) && (pid === process.pid || !isRunning(pid));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
