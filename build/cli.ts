import { parseArgs } from 'node:util';
import { build } from './build.ts';
import { type ExitStatus, UsageError } from './commands/command.ts';
import { NoContent } from './read/find.ts';
import { jsonReport } from './report/json.ts';
import { contentCount, textReport } from './report/text.ts';
import { validateContent } from './validate.ts';

const usage = `Usage:
  npm run build                             validate the content and publish it as the current release
  npm run validate [-- --format text|json]  hold the content against its schemas and rules
  npm run pull -- BASE_URL EXAM[/YEAR] --out DIR
                                            keep a copy in step with a service; the key is in API_KEY

Settings: CONTENT_DIR (content), DIST_DIR (dist).
Exit status: 0 fine, 1 the content is at fault, 2 the command was used wrongly or could not run.
`;

const contentDir = process.env['CONTENT_DIR'] || 'content';
const distDir = process.env['DIST_DIR'] || 'dist';

async function run([command, ...args]: readonly string[]): Promise<ExitStatus> {
  switch (command) {
    case 'build':
      return runBuild(args);
    case 'validate':
      return runValidate(args);
    case 'pull':
      return (await import('./commands/pull.ts')).pullCommand(args, {
        contentDir,
        distDir,
        dataDir: '.data',
      });
    default:
      throw new UsageError(
        command === undefined ? 'No command is given.' : `There is no command "${command}".`,
      );
  }
}

async function runBuild(args: readonly string[]): Promise<ExitStatus> {
  options(args, {});
  const start = performance.now();
  const { report, publication } = await build(contentDir, distDir);
  if (!publication) {
    process.stderr.write(textReport(report, contentDir));
    process.stderr.write('Nothing was published.\n');
    return 1;
  }
  if (report.diagnostics.length > 0) process.stderr.write(textReport(report, contentDir));
  const { summary } = report;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stdout.write(
    `Published release ${publication.manifest.id}: ${contentCount(summary)}, in ${seconds} s.\n`,
  );
  return 0;
}

async function runValidate(args: readonly string[]): Promise<ExitStatus> {
  const { format } = options(args, { format: { type: 'string', default: 'text' } });
  if (format !== 'text' && format !== 'json')
    throw new UsageError(`--format is text or json, not "${format}".`);
  const { report } = await validateContent(contentDir);
  process.stdout.write(format === 'json' ? jsonReport(report) : textReport(report, contentDir));
  return report.summary.errors > 0 ? 1 : 0;
}

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

function options<Known extends Options>(args: readonly string[], known: Known) {
  try {
    return parseArgs({ args: [...args], options: known }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** What a person can mend is told in a sentence; anything else is a fault of this program, and keeps its stack. */
function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  if (error instanceof NoContent) return `${error.message}\n`;
  const { code, path, syscall, stack } = error as NodeJS.ErrnoException;
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
