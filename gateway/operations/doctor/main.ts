/** `npm run doctor`: looks whether all is there that a gateway needs, and says what to do where it is not. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Config, ConfigError, readConfig } from '../../config.ts';
import { ok, problem } from './check.ts';
import { checks } from './checks.ts';
import { countOf, reportJson, reportText } from './report.ts';
import { runChecks, type Told, told } from './run-checks.ts';

const usage = `Usage:
  npm run doctor [-- --json]

Looks at settings, release, data folder, database, authentication service and ports, and changes nothing.
Run it with the gateway's settings, as the gateway's user.

Exit status: 0 fine, 1 there are problems, 2 the command was used wrongly or could not run.
`;

/** Milliseconds that a check has. */
const timeLimit = 30_000;

async function examine(): Promise<readonly Told[]> {
  const config = readSettings();
  if (Array.isArray(config)) return config;
  const settings = told('settings', ok('All of them can be used.'));
  return [settings, ...(await runChecks(checks, config, timeLimit))];
}

/** The settings; or what is wrong with them, without which nothing else can be looked at. */
function readSettings(): Config | Told[] {
  try {
    return readConfig(process.env, (path) => readFileSync(path, 'utf8'));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = 'Correct it in the environment; nothing else was looked at.';
    return error.message.split('\n').map((line) => told('settings', problem(line, advice)));
  }
}

function readOptions(): { readonly json: boolean } | undefined {
  try {
    return parseArgs({ options: { json: { type: 'boolean', default: false } } }).values;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`);
    return undefined;
  }
}

async function main(): Promise<0 | 1 | 2> {
  const options = readOptions();
  if (!options) return 2;
  try {
    const findings = await examine();
    process.stdout.write(options.json ? reportJson(findings) : reportText(findings));
    return countOf(findings, 'problem') > 0 ? 1 : 0;
  } catch (error) {
    const { stack } = error as Error;
    process.stderr.write(`This is a fault of the command itself. Please report it.\n${stack ?? error}\n`);
    return 2;
  }
}

// A check that was too late may still be waiting for something.
process.exit(await main());
