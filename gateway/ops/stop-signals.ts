const signals = ['SIGTERM', 'SIGINT'] as const;

/** Milliseconds for which a signal counts as the same: npm hands on the one that a terminal has sent to all. */
const echoTime = 500;

/** Has the first SIGTERM or SIGINT stop the process, and a second one end it at once. */
export function onStopSignal(stop: () => void): void {
  let first: number | undefined;

  function heard(signal: NodeJS.Signals): void {
    if (first === undefined) {
      first = performance.now();
      stop();
    } else if (performance.now() - first > echoTime) {
      for (const each of signals) process.removeListener(each, heard);
      process.kill(process.pid, signal);
    }
  }

  for (const signal of signals) process.on(signal, heard);
}
