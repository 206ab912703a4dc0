/** Milliseconds that a read has to end by itself. */
const patience = 1_000;

/**
 * Ends the process by a signal if reads of a disk that hangs would keep it: Node waits for its threads, even in
 * `process.exit`. Called when there is nothing left to do.
 */
export function endAnyway(): void {
  setTimeout(() => {
    const isKept = process.getActiveResourcesInfo().some((kind) => kind.startsWith('FSReq'));
    if (isKept) process.kill(process.pid, 'SIGKILL');
  }, patience).unref();
}
