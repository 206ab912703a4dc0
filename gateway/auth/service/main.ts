/** `npm run auth`: the authentication service as a process of its own. */
import { readFileSync } from 'node:fs';
import { ConfigError, readConfig } from '../../config.ts';
import { openLog } from '../../log/log.ts';
import { endAnyway } from '../../ops/end-anyway.ts';
import { ListenError } from '../../ops/listen.ts';
import { onStopSignal } from '../../ops/stop-signals.ts';
import { gatewayUsage } from '../../usage.js';
import { StorageError } from '../store/database.ts';
import { startService } from './start.ts';

function explain(error: unknown): string {
  if (error instanceof ConfigError) return `The settings cannot be used:\n${error.message}`;
  if (error instanceof ListenError || error instanceof StorageError) return error.message;
  return `This is a fault of the service itself. Please report it.\n${(error as Error).stack ?? error}`;
}

/** Runs `npm run auth`. Returns its exit status when it cannot start; the process then lives until a signal stops it. */
export async function main(args: readonly string[]): Promise<0 | 2> {
  if (args.length > 0) {
    process.stderr.write(`auth takes no "${args[0]}".\n\n${gatewayUsage['auth']}`);
    return 2;
  }
  try {
    const config = readConfig(process.env, (path) => readFileSync(path, 'utf8'));
    const service = await startService(config, openLog(config.logLevel));
    onStopSignal(() => void service.stop().finally(endAnyway));
    const admin =
      service.adminOrigin === undefined ? '' : `Health and metrics are at ${service.adminOrigin}/metrics\n\n`;
    process.stdout.write(`${admin}The authentication service listens at ${service.origin}/

  for gateways   INTROSPECTION_URL=${service.origin}/auth/introspect
  for people     ${service.hasPages ? `${service.origin}/dashboard/` : 'the dashboard of a gateway under the same host: there is no release here'}
`);
    return 0;
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    endAnyway();
    return 2;
  }
}
