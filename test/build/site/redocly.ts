import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { startCommand } from '../../gateway/started-process.ts';

/** Runs a command of Redocly to its end, without its requests to its makers. */
export function redocly(...args: readonly string[]) {
  const manifest = createRequire(import.meta.url).resolve('@redocly/cli/package.json');
  const settings = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return startCommand(process.execPath, [join(dirname(manifest), 'bin/cli.js'), ...args], settings)
    .ended;
}
