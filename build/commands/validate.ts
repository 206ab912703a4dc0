import { existsSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { countSeverities, type Report } from '../check/diagnostic.ts';
import {
  type Command,
  type CommandIO,
  choose,
  readArguments,
  terminal,
  UsageError,
} from '../command-line/command.ts';
import { didYouMean } from '../command-line/nearest.js';
import { baselinePath, findContent } from '../content/file.ts';
import { readBank } from '../release/config.ts';
import { UserError } from '../release/user-error.ts';
import { count, summaryLine, visible } from '../report/wording.ts';
import type { RuleDescription } from '../rules/rule.ts';
import { validateContent } from '../validate.ts';
import { progressLine } from './progress.ts';

/**
 * Formats a report. The modules of a format are loaded when it is used.
 *
 * @param isComplete whether a report for a terminal shows every problem
 */
type Format = (
  report: Report,
  contentDir: string,
  io: CommandIO,
  isComplete: boolean,
) => Promise<string>;

const formats: Readonly<Record<string, Format>> = {
  async text(report, contentDir, io, isComplete) {
    // Code frames and colours are needed only for problems.
    if (report.diagnostics.length === 0) return `${summaryLine(report.summary)}\n`;
    const { textReport } = await import('../report/text.ts');
    return textReport(report, { contentDir, ...terminal(io.stdout, io.env) }, isComplete);
  },
  async github(report, contentDir, { env }) {
    const { githubReport } = await import('../report/ci.ts');
    return githubReport(report, {
      contentDir: pathInWorkspace(contentDir, env['GITHUB_WORKSPACE']),
    });
  },
  async sarif(report, contentDir, { env }) {
    const { sarifReport } = await import('../report/sarif.ts');
    const { allRules: rules } = await import('../rules/rules.ts');
    return sarifReport(report, {
      contentDir: pathInWorkspace(contentDir, env['GITHUB_WORKSPACE']),
      rules,
    });
  },
  async junit(report, contentDir, io) {
    const { junitReport } = await import('../report/ci.ts');
    return junitReport(report, { contentDir, ...terminal(io.stdout, io.env) });
  },
  async json(report) {
    return (await import('../report/ci.ts')).jsonReport(report);
  },
};

const options = {
  format: { type: 'string', default: 'text' },
  since: { type: 'string' },
  fix: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  'fail-on-warnings': { type: 'boolean', default: false },
  all: { type: 'boolean', default: false },
  baseline: { type: 'boolean', default: false },
  rule: { type: 'string', multiple: true },
  'list-rules': { type: 'boolean', default: false },
  explain: { type: 'string' },
} as const;

/** `pastpaper validate`: validates the content against its schemas and rules. */
export const validateCommand: Command = async (args, folders, io) => {
  const { dataDir } = folders;
  // `parseArgs` has no option that may have a value.
  const withValues = args.map((arg) => (arg === '--fix' ? '--fix=problems' : arg));
  const { values, positionals } = readArguments(withValues, options, '[FOLDER]');
  const { since, explain, fix } = values;
  const { contentDir, within } = await scopeOfFolder(folders.contentDir, positionals[0]);
  if (values['dry-run'] && fix !== 'problems')
    throw new UsageError('--dry-run names the changes of --fix. Add --fix.');
  if (values['list-rules'] || explain !== undefined) {
    io.stdout.write(await describeRules(explain));
    return 0;
  }
  const format = choose(formats, 'format', values.format);
  if (fix !== undefined && fix !== 'problems' && fix !== 'layout')
    throw new UsageError(`Write --fix or --fix=layout, not --fix=${fix}.`);
  const rules = new Set(values.rule && (await knownRules(values.rule)).map(({ name }) => name));
  const ofGit =
    since === undefined
      ? undefined
      : new Set(await (await import('../diff/git.ts')).changedFiles(contentDir, since));
  const changed =
    within && ofGit ? new Set([...within].filter((path) => ofGit.has(path))) : (within ?? ofGit);
  const progress = progressLine(io.stderr);
  const validate = async (ignoresBaseline = false) => {
    const setting = { contentDir, dataDir, now: new Date(), bank: readBank(), ignoresBaseline };
    const report = await validateContent(setting, changed, progress.show).finally(progress.clear);
    return rules.size > 0 ? ofRules(report, rules) : report;
  };
  if (values.baseline) {
    if (changed !== undefined || rules.size > 0)
      throw new UsageError(
        '--baseline records the problems of the whole bank. Leave out FOLDER, --since and --rule.',
      );
    const { recordBaseline } = await import('../check/exceptions.ts');
    const recorded = count(await recordBaseline(contentDir, () => validate(true)), 'problem');
    io.stderr.write(`Recorded ${recorded} in ${join(contentDir, baselinePath)}.\n`);
  }
  let report: Report;
  if (fix === undefined) report = await validate();
  else {
    const { fixContent } = await import('../fix/fix.ts');
    const { fixesText, plannedText } = await import('../report/text.ts');
    const isDry = values['dry-run'];
    const result = await fixContent(contentDir, validate, isDry);
    report = result.report;
    // On stderr, apart from the report, which a program may parse.
    io.stderr.write(isDry ? plannedText(result) : fixesText(result));
  }
  if (fix === 'layout') {
    const { formatContent } = await import('../fix/layout.ts');
    const formatted = await formatContent(contentDir, changed);
    for (const path of formatted) io.stderr.write(`Formatted ${visible(path)}\n`);
    if (formatted.length > 0) report = await validate();
  }
  io.stdout.write(await format(report, contentDir, io, values.all || rules.size > 0));
  const { errors, warnings } = report.summary;
  return errors > 0 || (values['fail-on-warnings'] && warnings > 0) ? 1 : 0;
};

/**
 * The files in a folder of the content, whose problems are reported. Another folder is a content folder of its own.
 *
 * @throws UserError if there is no such folder
 */
async function scopeOfFolder(contentDir: string, folder: string | undefined) {
  if (folder === undefined) return { contentDir, within: undefined };
  const inside = [resolve(folder), resolve(contentDir, folder)]
    .filter((path) => existsSync(path))
    .map((path) => relative(resolve(contentDir), path))
    .find((path) => !path.startsWith('..') && !isAbsolute(path));
  if (inside === undefined) return { contentDir: folder, within: undefined };
  if (inside === '') return { contentDir, within: undefined };
  const { exams, shifts } = await findContent(contentDir);
  const all = [
    ...exams,
    ...shifts.flatMap(({ details, papers, translations, diagrams }) => [
      ...details,
      ...papers,
      ...translations,
      ...diagrams,
    ]),
  ];
  const prefix = inside.split(sep).join('/');
  const paths = all.map(({ path }) => path);
  const within = new Set(paths.filter((path) => path === prefix || path.startsWith(`${prefix}/`)));
  if (within.size === 0) throw new UserError(`${folder} has no content files.`);
  return { contentDir, within };
}

/** The problems of some rules, and their counts. */
function ofRules({ diagnostics, summary }: Report, rules: ReadonlySet<string>): Report {
  const left = diagnostics.filter(({ rule }) => rules.has(rule));
  return { diagnostics: left, summary: { ...summary, ...countSeverities(left) } };
}

/** @param name of a rule to explain; undefined: all rules are listed */
async function describeRules(name: string | undefined): Promise<string> {
  const { ruleExplained, ruleList } = await import('../report/text.ts');
  if (name === undefined) return ruleList((await import('../rules/rules.ts')).allRules);
  return (await knownRules([name])).map(ruleExplained).join('');
}

/** @throws UsageError for a name that no rule has */
async function knownRules(names: readonly string[]): Promise<RuleDescription[]> {
  const { allRules } = await import('../rules/rules.ts');
  return names.map((name) => {
    const rule = allRules.find((one) => one.name === name);
    if (rule) return rule;
    const names = allRules.map((one) => one.name);
    const advice = didYouMean(name, names) || ' npx pastpaper validate --list-rules lists them.';
    throw new UsageError(`Unknown rule "${name}".${advice}`);
  });
}

/** A folder's path as GitHub names files: relative to the checkout, wherever the command runs; elsewhere unchanged. */
function pathInWorkspace(folder: string, workspace: string | undefined): string {
  if (!workspace) return folder;
  const path = relative(workspace, resolve(folder));
  return path.startsWith('..') || isAbsolute(path) ? folder : path;
}
