import type { CommandIO, TerminalStream } from './command.ts';

/** Columns of what is no terminal: of a log, say. */
const defaultWidth = 120;

/** How wide a stream's lines may be, and whether it shows colours; `NO_COLOR` and `FORCE_COLOR` are heeded. */
export function terminal(
  stream: TerminalStream,
  env: CommandIO['env'],
): { readonly width: number; readonly colour: boolean } {
  const forced = env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '0';
  return {
    width: stream.columns || defaultWidth,
    colour: stream.isTTY ? stream.hasColors() : forced && env['NO_COLOR'] === undefined,
  };
}
