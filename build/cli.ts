import { type Command, type CommandIO, type ExitStatus, UsageError } from './commands/command.ts';
import { buildUsage } from './usage.js';

/** A command is loaded when it is run: validation does not need the modules that publish. Their usage is in `usage.js`. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  build: async () => (await import('./commands/build.ts')).buildCommand,
  validate: async () => (await import('./commands/validate.ts')).validateCommand,
  new: async () => (await import('./commands/new.ts')).newCommand,
  diff: async () => (await import('./commands/diff.ts')).diffCommand,
  preview: async () => (await import('./commands/preview.ts')).previewCommand,
  pull: async () => (await import('./commands/pull.ts')).pullCommand,
  verify: async () => (await import('./commands/verify.ts')).verifyCommand,
  releases: async () => (await import('./commands/releases.ts')).releasesCommand,
};

/**
 * Runs a command of the build.
 *
 * @param args the command's name and its arguments
 * @returns its exit status
 */
export async function main(
  [name = '', ...args]: readonly string[],
  io: CommandIO = process,
): Promise<ExitStatus> {
  const folders = {
    contentDir: io.env['CONTENT_DIR'] || 'content',
    distDir: io.env['DIST_DIR'] || 'dist',
    dataDir: io.env['DATA_DIR'] || '.data',
  };
  try {
    const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!load) throw new UsageError(`Unknown command "${name}".`);
    const command = await load();
    return await command(args, folders, io);
  } catch (error) {
    io.stderr.write(describeError(error, buildUsage[name] ?? ''));
    return 2;
  }
}

/** Errors that the user can fix. */
const userErrors = new Set(['NoContent', 'DiffError', 'NoPreview', 'BeyondLimits', 'UnusableKey']);

/** Returns a sentence for errors that the user can fix; any other error is a bug, and is printed with its stack. */
function describeError(error: unknown, usage: string): string {
  const { name, message, code, path, syscall, stack } = error as NodeJS.ErrnoException;
  if (error instanceof UsageError) return `${message}\n\n${usage}`;
  if (userErrors.has(name)) return `${message}\n`;
  if (syscall !== undefined) return `The file system refused ${syscall} of ${path} (${code}).\n`;
  return `This is a bug in the build. Please report it.\n${stack ?? error}\n`;
}
