/** `npm run doctor`: looks whether all is there that a gateway needs, and says what to do where it is not. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Config, ConfigError, readConfig } from '../../config.ts';
import { gatewayUsage } from '../../usage.js';
import { ok, problem } from './check.ts';
import { checks } from './checks.ts';
import { countOf, reportJson, reportText } from './report.ts';
import { runChecks, type Told, told } from './run-checks.ts';

/** Milliseconds that a check has. */
const timeLimit = 30_000;

async function examine(env: NodeJS.ProcessEnv): Promise<readonly Told[]> {
  const config = readSettings(env);
  if (Array.isArray(config)) return config;
  const settings = told('settings', ok('All of them can be used.'));
  return [settings, ...(await runChecks(checks, config, timeLimit))];
}

/** The settings; or what is wrong with them, without which nothing else can be looked at. */
function readSettings(env: NodeJS.ProcessEnv): Config | Told[] {
  try {
    return readConfig(env, (path) => readFileSync(path, 'utf8'));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = 'Correct it in the environment; nothing else was looked at.';
    return error.message.split('\n').map((line) => told('settings', problem(line, advice)));
  }
}

/** The streams and environment of a command; `process` has them. */
export interface CommandIO {
  readonly stdout: Pick<NodeJS.WriteStream, 'write'>;
  readonly stderr: Pick<NodeJS.WriteStream, 'write'>;
  readonly env: NodeJS.ProcessEnv;
}

/** Runs `npm run doctor`. Returns its exit status; a check that was too late may still hold the process. */
export async function main(args: readonly string[], io: CommandIO = process): Promise<0 | 1 | 2> {
  let options: { readonly json: boolean };
  try {
    options = parseArgs({ args: [...args], options: { json: { type: 'boolean', default: false } } }).values;
  } catch (error) {
    io.stderr.write(`${(error as Error).message}\n\n${gatewayUsage['doctor']}`);
    return 2;
  }
  try {
    const findings = await examine(io.env);
    io.stdout.write(options.json ? reportJson(findings) : reportText(findings));
    return countOf(findings, 'problem') > 0 ? 1 : 0;
  } catch (error) {
    const { stack } = error as Error;
    io.stderr.write(`This is a fault of the command itself. Please report it.\n${stack ?? error}\n`);
    return 2;
  }
}
