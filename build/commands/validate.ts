import { isAbsolute, relative, resolve } from 'node:path';
import type { Report } from '../check/diagnostic.ts';
import { summaryLine } from '../report/wording.ts';
import type { RuleDescription } from '../rules/rule.ts';
import { validateContent } from '../validate.ts';
import {
  type Command,
  type CommandIO,
  type Folders,
  readArguments,
  terminal,
  UsageError,
} from './command.ts';
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
    return sarifReport(report, {
      contentDir: pathInWorkspace(contentDir, env['GITHUB_WORKSPACE']),
      rules: await rules(),
    });
  },
  async junit(report, contentDir, io) {
    return (await import('../report/junit.ts')).junitReport(report, {
      contentDir,
      ...terminal(io.stdout, io.env),
    });
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
export const validateCommand: Command = async (args, folders, io) => {
  const { values } = readArguments(args, { options });
  if (values['list-rules']) return print((await textFormat()).ruleList(await rules()), io);
  if (values.explain !== undefined) return explain(values.explain, io);
  const format = Object.hasOwn(formats, values.format) ? formats[values.format] : undefined;
  if (!format)
    throw new UsageError(
      `--format is ${Object.keys(formats)
        .join(', ')
        .replace(/, (\w+)$/, ' or $1')}, not "${values.format}".`,
    );
  return validate(folders, io, format, values);
};

async function validate(
  { contentDir, dataDir }: Folders,
  io: CommandIO,
  format: Format,
  { since, fix }: { readonly since?: string | undefined; readonly fix: boolean },
) {
  const changed = since === undefined ? undefined : await changedSince(contentDir, since);
  if (fix) await repair(contentDir, changed, io);
  const progress = progressLine(io.stderr);
  const report = await validateContent({ contentDir, dataDir, now: new Date() }, changed, progress.show);
  progress.clear();
  io.stdout.write(await format(report, contentDir, io));
  return report.summary.errors > 0 ? 1 : 0;
}

async function changedSince(contentDir: string, ref: string): Promise<ReadonlySet<string>> {
  const { changedFiles } = await import('../diff/git.ts');
  return new Set(await changedFiles(contentDir, ref));
}

/** Lists the repaired files on stderr, apart from the report, which a program may parse. */
async function repair(
  contentDir: string,
  changed: ReadonlySet<string> | undefined,
  { stderr }: CommandIO,
): Promise<void> {
  const { repairContent } = await import('../fix/fix.ts');
  for (const path of await repairContent(contentDir, changed)) stderr.write(`Repaired ${path}\n`);
}

async function explain(name: string, io: CommandIO): Promise<0> {
  const rule = (await rules()).find((one) => one.name === name);
  if (!rule)
    throw new UsageError(`There is no rule "${name}". \`npm run validate -- --list-rules\` lists them.`);
  return print((await textFormat()).ruleExplained(rule), io);
}

async function rules(): Promise<readonly RuleDescription[]> {
  return (await import('../rules/rules.ts')).allRules;
}

function textFormat() {
  return import('../report/text.ts');
}

function print(text: string, { stdout }: CommandIO): 0 {
  stdout.write(text);
  return 0;
}

/** A folder's path as GitHub names files: relative to the checkout, wherever the command runs; elsewhere unchanged. */
export function pathInWorkspace(folder: string, workspace: string | undefined): string {
  if (!workspace) return folder;
  const path = relative(workspace, resolve(folder));
  return path.startsWith('..') || isAbsolute(path) ? folder : path;
}
