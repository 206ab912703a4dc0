/** The commands `gateway` and `auth`. */
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { DamagedRelease } from '../build/release/manifest.ts';
import { StorageError } from './auth/store/store.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { type Log, openLog } from './log/logger.ts';
import { forceExit, ListenError, onStopSignal, type Running } from './ops/run.ts';
import { type StartOptions, startGateway, startService } from './start.ts';
import type { PrimaryOptions } from './workers/primary.ts';

/**
 * V8's flags for a gateway: by default, V8 lets garbage triple the memory before it collects (`npm run bench -- memory`).
 * Another one has to be on Node's command line, where the npm scripts, the Dockerfile and the service unit have it:
 * `--max-semi-space-size=16` limits the memory for new objects, which Node 22 and later would let grow.
 */
const gatewayFlags = ['--heap-growing-percent=20'];

/** What the launcher passes to the commands. */
interface LauncherOptions {
  readonly usage: string;
  /** The compiled `release/reader.ts`. */
  readonly releaseReader: string;
  /** The compiled `workers/worker.ts`. */
  readonly worker: string;
}

/**
 * Runs `npm run gateway` or `npm run auth`.
 *
 * @returns the exit status if it cannot start; the process otherwise runs until a signal stops it
 */
export async function main(
  command: 'gateway' | 'auth',
  args: readonly string[],
  { usage, ...files }: LauncherOptions,
): Promise<0 | 2> {
  if (args.length > 0) {
    process.stderr.write(`${command} takes no "${args[0]}".\n\n${usage}`);
    return 2;
  }
  try {
    const config = readConfig(process.env, (path) => readFileSync(path, 'utf8'));
    const log = openLog(config.logLevel);
    const run = command === 'gateway' ? runGateway : runService;
    await run(config, log, files);
    return 0;
  } catch (error) {
    process.stderr.write(`${explain(error, command)}\n`);
    forceExit();
    return 2;
  }
}

/** Handles signals before it prints the address: whoever reads the address may stop the process. */
async function runGateway(config: Config, log: Log, options: Omit<PrimaryOptions, 'flags'>): Promise<void> {
  for (const flag of gatewayFlags) setFlagsFromString(flag);
  const gateway =
    config.workers === 1
      ? await startGateway(config, log, options)
      : await (await import('./workers/primary.ts')).startWorkers(config, log, {
          ...options,
          flags: gatewayFlags,
        });
  onStopSignal((grace) => void stop(gateway, grace, log));
  process.on('SIGHUP', () => void gateway.releases.reload());
  const { id, examples } = gateway.releases.current;
  const { origin, developmentKey } = gateway;
  process.stdout.write(`${adminLine(gateway)}Pastpaper serves release ${id} at ${origin}/

  curl ${origin}/${examples.open}
  curl -H 'Authorization: Bearer ${developmentKey ?? '<API_KEY>'}' ${origin}/${examples.closed}

${developmentKey === undefined ? 'npm run keys -- create --account NAME makes a key.' : 'The key is for development. It is stored in the data folder.'}
`);
}

async function runService(config: Config, log: Log, options: StartOptions): Promise<void> {
  const service = await startService(config, log, options);
  onStopSignal((grace) => void stop(service, grace, log));
  const dashboard =
    service.releases === undefined
      ? 'the dashboard of a gateway under the same host: there is no release here'
      : `${service.origin}/dashboard/`;
  process.stdout.write(`${adminLine(service)}The authentication service listens at ${service.origin}/

  for gateways   INTROSPECTION_URL=${service.origin}/auth/introspect
  for users      ${dashboard}
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

/** A sentence for errors that a person can fix; the stack for bugs of this program. */
function explain(error: unknown, command: 'gateway' | 'auth'): string {
  if (error instanceof ConfigError) return `The settings cannot be used:\n${error.message}`;
  if (error instanceof DamagedRelease)
    return `The release cannot be served: ${error.message}. Run npm run build.`;
  if (error instanceof ListenError || error instanceof StorageError) return error.message;
  const program = command === 'gateway' ? 'gateway' : 'service';
  return `This is a fault of the ${program} itself. Please report it.\n${(error as Error).stack ?? error}`;
}
