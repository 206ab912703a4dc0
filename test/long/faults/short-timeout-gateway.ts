/** Starts a gateway with the connection timeouts in TIME_LIMITS, so that a short test does not wait a minute. */
import { readFileSync } from 'node:fs';
import { readConfig } from '../../../gateway/config.ts';
import { openLog } from '../../../gateway/log/logger.ts';
import { onStopSignal } from '../../../gateway/ops/run.ts';
import { startGateway } from '../../../gateway/start.ts';

const serverLimits = JSON.parse(process.env['TIME_LIMITS'] ?? '');
const config = readConfig(process.env, (path) => readFileSync(path, 'utf8'));
const gateway = await startGateway(config, openLog(config.logLevel), { serverLimits });
onStopSignal(() => void gateway.stop());
process.stdout.write(`A gateway is at ${gateway.origin}/\n`);
