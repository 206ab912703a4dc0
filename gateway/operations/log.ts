/** Tells the operator what went wrong. Never handed a key, a header or a URL. */
export type Log = (message: string, error?: unknown) => void;

/** One line an event on standard error, with the moment it happened. */
export const stderrLog: Log = (message, error) => {
  const detail = error === undefined ? '' : ` ${error instanceof Error ? error.stack : String(error)}`;
  process.stderr.write(`${new Date().toISOString()} ${message}${detail}\n`);
};
