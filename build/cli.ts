import { type Command, type ExitStatus, UsageError } from './commands/command.ts';

const usage = `Usage:
  npm run build [-- --watch]        validate the content and publish it as the current release (on every save)
  npm run validate [-- options]     hold the content against its schemas and rules
      --format text|github|sarif|junit|json
      --since REF                   only what changed against a git ref
      --fix                         repair what has one right answer
      --list-rules                  list the rules
      --explain RULE                explain one, with an example
  npm run diff -- REF               tell what changed in the content since a git ref
      --format text|markdown
  npm run preview [-- FILE]         show questions as a student would see them
      --since REF                   only what changed against a git ref
      --port PORT
  npm run pull -- BASE_URL EXAM[/YEAR] --out DIR
                                    keep a copy in step with a service; the key is in API_KEY
  npm run verify                    hold the current release against its manifest, and against the content built anew
  npm run releases -- list          list the releases that stand; the current one first
  npm run releases -- rollback [ID] make the one current that was so before, or the one named
  npm run releases -- prune         remove all but the current one and those current last
      --keep N                      how many stay in all (5)
      --json                        print JSON, for programs; with each of the three

Settings: CONTENT_DIR (content), DIST_DIR (dist), DATA_DIR (.data).
Exit status: 0 fine, 1 the content is at fault, 2 the command was used wrongly or could not run.
`;

/** Each command is loaded when it is run: a validation has no need of what publishes. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  build: async () => (await import('./commands/build.ts')).buildCommand,
  validate: async () => (await import('./commands/validate.ts')).validateCommand,
  diff: async () => (await import('./commands/diff.ts')).diffCommand,
  preview: async () => (await import('./commands/preview.ts')).previewCommand,
  pull: async () => (await import('./commands/pull.ts')).pullCommand,
  verify: async () => (await import('./commands/verify.ts')).verifyCommand,
  releases: async () => (await import('./commands/releases.ts')).releasesCommand,
};

const folders = {
  contentDir: process.env['CONTENT_DIR'] || 'content',
  distDir: process.env['DIST_DIR'] || 'dist',
  dataDir: process.env['DATA_DIR'] || '.data',
};

async function run([name, ...args]: readonly string[]): Promise<ExitStatus> {
  if (name === undefined) throw new UsageError('No command is given.');
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(`There is no command "${name}".`);
  return (await command())(args, folders);
}

/** Errors whose message is all that a person needs: what they asked for is not there, or cannot be. */
const plainErrors = new Set(['NoContent', 'NoComparison', 'NoPreview', 'BeyondLimits']);

/** What a person can mend is told in a sentence; anything else is a fault of this program, and keeps its stack. */
function explain(error: unknown): string {
  const { name, message, code, path, syscall, stack } = error as NodeJS.ErrnoException;
  if (error instanceof UsageError) return `${message}\n\n${usage}`;
  if (plainErrors.has(name)) return `${message}\n`;
  if (syscall !== undefined) return `The file system refused ${syscall} of ${path} (${code}).\n`;
  return `This is a fault of the build itself. Please report it.\n${stack ?? error}\n`;
}

// A reader that has seen enough (`| head`) ends the command, and is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  process.stderr.write(`The output cannot be written: ${error.message}\n`);
  process.exit(2);
});

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(explain(error));
  process.exitCode = 2;
}
