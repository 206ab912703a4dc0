import { isAbsolute, relative, resolve } from 'node:path';
import type { Report } from '../check/diagnostic.ts';
import { summaryLine } from '../report/wording.ts';
import { validateContent } from '../validate.ts';
import { type Command, type CommandIO, readArguments, terminal, UsageError } from './command.ts';
import { progressLine } from './progress.ts';

/** Formats a report. The modules of a format are loaded when it is used. */
type Format = (report: Report, contentDir: string, io: CommandIO) => Promise<string>;

const formats: Readonly<Record<string, Format>> = {
  async text(report, contentDir, io) {
    // Code frames and colours are needed only for problems.
    if (report.diagnostics.length === 0) return `${summaryLine(report.summary)}\n`;
    const { textReport } = await import('../report/text.ts');
    return textReport(report, { contentDir, ...terminal(io.stdout, io.env) });
  },
  async github(report, contentDir, { env }) {
    const { githubReport } = await import('../report/github.ts');
    return githubReport(report, { contentDir: pathInWorkspace(contentDir, env['GITHUB_WORKSPACE']) });
  },
  async sarif(report, contentDir, { env }) {
    const { sarifReport } = await import('../report/sarif.ts');
    const { allRules: rules } = await import('../rules/rules.ts');
    return sarifReport(report, { contentDir: pathInWorkspace(contentDir, env['GITHUB_WORKSPACE']), rules });
  },
  async junit(report, contentDir, io) {
    const { junitReport } = await import('../report/junit.ts');
    return junitReport(report, { contentDir, ...terminal(io.stdout, io.env) });
  },
  async json(report) {
    return (await import('../report/json.ts')).jsonReport(report);
  },
};

const options = {
  format: { type: 'string', default: 'text' },
  since: { type: 'string' },
  fix: { type: 'boolean', default: false },
  'list-rules': { type: 'boolean', default: false },
  explain: { type: 'string' },
} as const;

/** `npm run validate`: validates the content against its schemas and rules. */
export const validateCommand: Command = async (args, { contentDir, dataDir }, io) => {
  const { values } = readArguments(args, { options });
  const { since, explain } = values;
  if (values['list-rules'] || explain !== undefined) {
    io.stdout.write(await describeRules(explain));
    return 0;
  }
  const format = Object.hasOwn(formats, values.format) ? formats[values.format] : undefined;
  if (!format) {
    const names = Object.keys(formats)
      .join(', ')
      .replace(/, (\w+)$/, ' or $1');
    throw new UsageError(`--format is ${names}, not "${values.format}".`);
  }
  const changed =
    since === undefined
      ? undefined
      : new Set(await (await import('../diff/git.ts')).changedFiles(contentDir, since));
  if (values.fix) {
    const { repairContent } = await import('../fix/fix.ts');
    // On stderr, apart from the report, which a program may parse.
    for (const path of await repairContent(contentDir, changed)) io.stderr.write(`Repaired ${path}\n`);
  }
  const progress = progressLine(io.stderr);
  const report = await validateContent({ contentDir, dataDir, now: new Date() }, changed, progress.show);
  progress.clear();
  io.stdout.write(await format(report, contentDir, io));
  return report.summary.errors > 0 ? 1 : 0;
};

/** @param name of a rule to explain; undefined: all rules are listed */
async function describeRules(name: string | undefined): Promise<string> {
  const { allRules } = await import('../rules/rules.ts');
  const { ruleExplained, ruleList } = await import('../report/text.ts');
  if (name === undefined) return ruleList(allRules);
  const rule = allRules.find((one) => one.name === name);
  if (!rule)
    throw new UsageError(`There is no rule "${name}". \`npm run validate -- --list-rules\` lists them.`);
  return ruleExplained(rule);
}

/** A folder's path as GitHub names files: relative to the checkout, wherever the command runs; elsewhere unchanged. */
function pathInWorkspace(folder: string, workspace: string | undefined): string {
  if (!workspace) return folder;
  const path = relative(workspace, resolve(folder));
  return path.startsWith('..') || isAbsolute(path) ? folder : path;
}
