/** `pastpaper doctor`: checks whether a gateway has what it needs, and says what to do where it has not. */
import { setTimeout as delay } from 'node:timers/promises';
import {
  type CommandIO,
  type ExitStatus,
  print,
  readArguments,
  runCommand,
} from '../../../build/command-line/command.ts';
import { type Config, ConfigError, findWeakSecrets, readSettings } from '../../config.ts';
import { type Check, type Finding, formatCount, found, ok, problem } from './check.ts';
import { authenticationService, database, mail } from './dependencies.ts';
import { dataFolder, nodeVersion, ports, release } from './local.ts';
import { production } from './production.ts';
import { redis } from './redis.ts';

/** All checks, in the order of the report. The settings are read before them. */
const checks: readonly Check[] = [
  nodeVersion,
  production,
  release,
  dataFolder,
  database,
  redis,
  authenticationService,
  mail,
  ports,
];

/** Milliseconds that a check may take. */
const timeLimit = 30_000;

/** A finding, and the name of its check. */
type Result = Finding & { readonly check: string };

const options = { json: { type: 'boolean', default: false } } as const;

/** Runs `pastpaper doctor`. Returns its exit status; a check that timed out may still keep the process running. */
export function main(
  args: readonly string[],
  usage: string,
  io: CommandIO = process,
): Promise<ExitStatus> {
  const run = async () => {
    const { json } = readArguments(args, options).values;
    const findings = await examine(io.env);
    const count = (state: string) => findings.filter((finding) => finding.state === state).length;
    const problems = count('problem');
    const warnings = count('warning');
    print(io, json, { findings, problems, warnings }, reportText(findings, problems, warnings));
    return problems > 0 ? 1 : 0;
  };
  return runCommand(io, usage, run);
}

/** Without valid settings, nothing else can be checked. */
async function examine(env: NodeJS.ProcessEnv): Promise<readonly Result[]> {
  let config: Config;
  try {
    config = readSettings(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = 'Correct it in the environment. The other checks did not run.';
    return error.message
      .split('\n')
      .map((line) => ({ check: 'settings', ...problem(line, advice) }));
  }
  // In production, readConfig rejects them.
  const weak = findWeakSecrets(env).map((line) =>
    problem(line, 'In production, the gateway does not start.'),
  );
  const settings = weak.length > 0 ? weak : [ok('All settings are valid.')];
  return [
    ...settings.map((finding) => ({ check: 'settings', ...finding })),
    ...(await runChecks(checks, config, timeLimit)),
  ];
}

/** Runs checks in parallel. @param timeLimit milliseconds for each @returns the results in the order of the checks */
export async function runChecks(
  checks: readonly Check[],
  config: Config,
  timeLimit: number,
): Promise<readonly Result[]> {
  const results = await Promise.all(
    checks.map(async (check) => {
      const findings = await runCheck(check, config, timeLimit);
      return findings.map((finding) => ({ check: check.name, ...finding }));
    }),
  );
  return results.flat();
}

async function runCheck(
  check: Check,
  config: Config,
  timeLimit: number,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const run = async () => {
    for await (const finding of check.run(config)) findings.push(finding);
  };
  const timeout = delay(timeLimit, undefined, { ref: false }).then(() =>
    found('check-timed-out', { seconds: timeLimit / 1000 }),
  );
  const end = await Promise.race([run(), timeout]).catch((error: Error) =>
    found('check-failed', { reason: error.message }),
  );
  if (end) findings.push(end);
  return [...findings];
}

/** A line for each result: state, check and message; the advice follows on a line of its own. */
function reportText(results: readonly Result[], problems: number, warnings: number): string {
  const width = Math.max(...results.map(({ check }) => check.length));
  const indent = ' '.repeat('problem  '.length + width + 2);
  const lines = results.map(({ state, check, message, advice }) => {
    const line = `${state.padEnd(7)}  ${check.padEnd(width)}  ${message}\n`;
    return advice === undefined ? line : `${line}${indent}${advice}\n`;
  });
  const counts = `${formatCount(problems, 'problem')}, ${formatCount(warnings, 'warning')}.`;
  return `${lines.join('')}\n${problems + warnings === 0 ? 'All checks passed.' : counts}\n`;
}
