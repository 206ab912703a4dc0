/** A gateway whose time limits for connections are those of TIME_LIMITS: nobody waits a minute in a short test. */
import { readFileSync } from 'node:fs';
import { readConfig } from '../../../gateway/config.ts';
import { startGateway } from '../../../gateway/gateway.ts';
import { openLog } from '../../../gateway/log/log.ts';
import { onStopSignal } from '../../../gateway/ops/stop-signals.ts';

const limits = JSON.parse(process.env['TIME_LIMITS'] ?? '');
const config = readConfig(process.env, (path) => readFileSync(path, 'utf8'));
const gateway = await startGateway(config, openLog(config.logLevel), limits);
onStopSignal(() => void gateway.stop());
process.stdout.write(`A gateway is at ${gateway.origin}/\n`);
