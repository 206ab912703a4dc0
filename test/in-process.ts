import type { CommandIO, TerminalStream } from '../build/command-line/command.ts';

/** The output and exit status of a command. */
export interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command in this process, through the function that `build/pastpaper.js` calls.
 *
 * @param env its whole environment
 */
export async function runInProcess(
  main: (args: readonly string[], io: CommandIO) => Promise<number>,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Outcome> {
  const output = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof output): TerminalStream => ({
    isTTY: false,
    columns: 0,
    hasColors: () => false,
    write(text: string | Uint8Array) {
      output[name] += text;
      return true;
    },
  });
  const status = await main(args, { stdout: stream('stdout'), stderr: stream('stderr'), env });
  return { status, ...output };
}
