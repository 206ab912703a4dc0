import type { WriteStream } from 'node:tty';

/** Columns of what is no terminal: of a log, say. */
const defaultWidth = 120;

/** How wide a stream's lines may be, and whether it shows colours; `NO_COLOR` and `FORCE_COLOR` are heeded. */
export function terminal(stream: WriteStream): { readonly width: number; readonly colour: boolean } {
  const forced = process.env['FORCE_COLOR'] !== undefined && process.env['FORCE_COLOR'] !== '0';
  return {
    width: stream.columns || defaultWidth,
    colour: stream.isTTY ? stream.hasColors() : forced && process.env['NO_COLOR'] === undefined,
  };
}
