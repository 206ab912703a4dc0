import {
  type Command,
  type CommandIO,
  choose,
  type ExitStatus,
  runCommand,
} from './command-line/command.ts';
import { usages } from './command-line/usage.js';

/** A command is loaded when it is run: validation does not need the modules that publish. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  init: async () => (await import('./commands/init.ts')).initCommand,
  dev: async () => (await import('./commands/build.ts')).devCommand,
  build: async () => (await import('./commands/build.ts')).buildCommand,
  import: async () => (await import('./commands/import.ts')).importCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  validate: async () => (await import('./commands/validate.ts')).validateCommand,
  new: async () => (await import('./commands/new.ts')).newCommand,
  diff: async () => (await import('./commands/diff.ts')).diffCommand,
  preview: async () => (await import('./commands/preview.ts')).previewCommand,
  pull: async () => (await import('./commands/pull.ts')).pullCommand,
  mcp: async () => (await import('./commands/mcp.ts')).mcpCommand,
  verify: async () => (await import('./commands/verify.ts')).verifyCommand,
  releases: async () => (await import('./commands/releases.ts')).releasesCommand,
};

/**
 * Runs a command of the build.
 *
 * @param args the command's name and its arguments
 * @param serve starts the gateway, for `dev`
 * @returns its exit status
 */
export function main(
  [name = '', ...args]: readonly string[],
  io: CommandIO = process,
  serve?: () => Promise<ExitStatus>,
): Promise<ExitStatus> {
  const folders = {
    contentDir: io.env['CONTENT_DIR'] || 'content',
    distDir: io.env['DIST_DIR'] || 'dist',
    dataDir: io.env['DATA_DIR'] || '.data',
  };
  const run = async () => (await choose(commands, 'command', name)())(args, folders, io, serve);
  return runCommand(io, usages[name] ?? '', run, explain);
}

function explain({ code, path, syscall }: NodeJS.ErrnoException) {
  return syscall === undefined
    ? undefined
    : ([2, `The file system rejected ${syscall} of ${path} (${code}).`] as const);
}
