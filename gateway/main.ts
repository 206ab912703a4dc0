/** The commands `gateway` and `auth`. */
import { setFlagsFromString } from 'node:v8';
import { type ExitStatus, readArguments, runCommand } from '../build/command-line/command.ts';
import { DamagedRelease } from '../build/release/root.ts';
import { type Config, ConfigError, openSignUp, readSettings } from './config.ts';
import { type Log, openLog } from './log/logger.ts';
import { forceExit, onStopSignal, type Running } from './ops/run.ts';
import { startGateway, startService } from './start.ts';

/**
 * V8's flag for a gateway: by default, V8 lets garbage triple the memory before it collects (`npm run bench -- memory`).
 * Another one has to be on Node's command line, where the npm scripts, the Dockerfile and the service unit have it:
 * `--max-semi-space-size=16` limits the memory for new objects, which Node 22 and later would let grow.
 */
const gatewayFlag = '--heap-growing-percent=20';

/** What the launcher passes to the commands. */
interface LauncherOptions {
  readonly usage: string;
}

/**
 * Runs `pastpaper gateway` or `pastpaper auth`.
 *
 * @returns the exit status if it cannot start; the process otherwise runs until a signal stops it
 */
export async function main(
  command: 'gateway' | 'auth',
  args: readonly string[],
  { usage }: LauncherOptions,
): Promise<ExitStatus> {
  const run = async () => {
    readArguments(args, {});
    const config = readSettings(process.env);
    const log = openLog(config.logLevel);
    await (command === 'gateway' ? runGateway : runService)(config, log);
    return 0 as const;
  };
  const status = await runCommand(process, usage, run, explain);
  if (status !== 0) forceExit();
  return status;
}

/** Handles signals before it prints the address: whoever reads the address may stop the process. */
async function runGateway(config: Config, log: Log): Promise<void> {
  setFlagsFromString(gatewayFlag);
  const gateway = await startGateway(config, log);
  onStopSignal((grace) => void stop(gateway, grace, log));
  const { id, examples } = gateway.releases.current;
  const { origin, developmentKey } = gateway;
  const { publicUrl: address = origin } = config.users;
  const place = address === origin ? '' : `, from ${origin}/`;
  if (!config.introspection) warnOfSignUps(config, log);
  process.stdout.write(`${adminLine(gateway)}${config.bank.name} serves release ${id} at ${address}/${place}

  ${address}/docs/        documentation
${config.introspection ? '' : `  ${address}/dashboard/   keys and usage\n`}
  curl ${address}/${examples.open}
  curl -H 'Authorization: Bearer ${developmentKey ?? '<API_KEY>'}' ${address}/${examples.closed}

${developmentKey === undefined ? howToCreateKey : 'The key is for development. It is stored in the data folder.'}
`);
}

function warnOfSignUps(config: Config, log: Log): void {
  const warning = config.production ? openSignUp(config) : [];
  if (warning.length > 0) log(warning.join(' '));
}

const howToCreateKey = 'npx pastpaper keys create --account NAME creates a key.';

async function runService(config: Config, log: Log): Promise<void> {
  const service = await startService(config, log);
  onStopSignal((grace) => void stop(service, grace, log));
  warnOfSignUps(config, log);
  process.stdout.write(`${adminLine(service)}The authentication service listens at ${service.origin}/

  for gateways   INTROSPECTION_URL=${service.origin}/auth/introspect
  for users      the dashboard of a gateway at the same address
`);
}

function adminLine({ adminOrigin }: Running): string {
  return adminOrigin === undefined ? '' : `Health and metrics are at ${adminOrigin}/metrics\n\n`;
}

async function stop(running: Running, grace: number, log: Log): Promise<void> {
  try {
    await running.stop(grace);
  } catch (error) {
    log(`The last counts of usage could not be written: ${(error as Error).message}.`, undefined, {
      level: 'error',
    });
    process.exitCode = 1;
  }
  forceExit();
}

function explain(error: Error): readonly [ExitStatus, string] | undefined {
  if (error instanceof ConfigError) return [2, `Invalid settings:\n${error.message}`];
  if (error instanceof DamagedRelease)
    return [2, `The release cannot be served: ${error.message}. Run npx pastpaper build --repair.`];
  return undefined;
}
