import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { DamagedRelease } from '../build/release/manifest.ts';
import { StorageError } from './auth/store/database.ts';
import { ConfigError, readConfig } from './config.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { type Log, openLog } from './log/log.ts';
import { endAnyway } from './ops/end-anyway.ts';
import { ListenError } from './ops/listen.ts';
import { onStopSignal } from './ops/stop-signals.ts';
import { gatewayUsage } from './usage.js';

/** The address, and two requests to paste: one that anyone may make, and one that needs a key. */
function welcome({ releases, origin: base, adminOrigin, developmentKey }: Gateway): string {
  const { id, examples } = releases.current;
  const { open, closed } = examples;
  const admin = adminOrigin === undefined ? '' : `Health and metrics are at ${adminOrigin}/metrics\n\n`;
  return `${admin}Pastpaper serves release ${id} at ${base}/

  curl ${base}/${open}
  curl -H 'Authorization: Bearer ${developmentKey ?? '<API_KEY>'}' ${base}/${closed}

${developmentKey === undefined ? 'npm run keys -- create --account NAME makes a key.' : 'The key is for development, and kept in the data folder.'}
`;
}

/** What a person can mend is told in a sentence; anything else is a fault of this program, and keeps its stack. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return `The settings cannot be used:\n${error.message}`;
  if (error instanceof DamagedRelease)
    return `The release cannot be served: ${error.message}. Run npm run build.`;
  if (error instanceof ListenError || error instanceof StorageError) return (error as Error).message;
  return `This is a fault of the gateway itself. Please report it.\n${(error as Error).stack ?? error}`;
}

async function stop(gateway: Gateway, log: Log): Promise<void> {
  try {
    await gateway.stop();
  } catch (error) {
    log(`The last counts of usage could not be written: ${(error as Error).message}.`, undefined, {
      level: 'error',
    });
    process.exitCode = 1;
  }
  endAnyway();
}

/** Runs `npm run gateway`. Returns its exit status when it cannot start; the process then lives until a signal stops it. */
export async function main(args: readonly string[]): Promise<0 | 2> {
  if (args.length > 0) {
    process.stderr.write(`gateway takes no "${args[0]}".\n\n${gatewayUsage['gateway']}`);
    return 2;
  }
  // V8 takes what a request makes for long-lived while the process warms up, and from then on puts it where only a full
  // collection frees it: memory grew by a megabyte every thousand requests, and collections took ten times as long.
  setFlagsFromString('--no-allocation-site-pretenuring');
  // By itself V8 lets garbage double the memory, or triple it, before it looks.
  setFlagsFromString('--heap-growing-percent=20');
  try {
    const config = readConfig(process.env, (path) => readFileSync(path, 'utf8'));
    const log = openLog(config.logLevel);
    const gateway = await startGateway(config, log);
    onStopSignal(() => void stop(gateway, log));
    process.on('SIGHUP', () => void gateway.releases.lookAgain());
    process.stdout.write(welcome(gateway));
    return 0;
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    endAnyway();
    return 2;
  }
}
