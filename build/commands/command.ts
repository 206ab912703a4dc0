import type { CommandIO, ExitStatus } from '../command-line/command.ts';

/** The folders that commands read and write. */
export interface Folders {
  readonly contentDir: string;
  readonly distDir: string;
  readonly dataDir: string;
}

/**
 * A command of the build. Returns its exit status.
 *
 * @param serve starts the gateway, and returns its exit status if it cannot start; for `dev`
 */
export type Command = (
  args: readonly string[],
  folders: Folders,
  io: CommandIO,
  serve?: () => Promise<ExitStatus>,
) => Promise<ExitStatus>;
