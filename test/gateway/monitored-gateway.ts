import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Plans } from '../../build/release/plans.ts';
import { repository, startCommand } from './started-process.ts';

const monitorModule = fileURLToPath(new URL('process-monitor.js', import.meta.url));

/** The resource usage of a process after a full garbage collection. */
export interface ResourceUsage {
  /** Bytes. */
  readonly resident: number;
  readonly heap: number;
  /** Bytes of buffers outside the heap. */
  readonly external: number;
  /** Open file descriptors, sockets included. */
  readonly descriptors: number;
  /** Active resources of the event loop by kind: `TCPSocketWrap`, `Timeout`. */
  readonly resources: Readonly<Record<string, number>>;
}

export type MonitorCommand =
  | { readonly kind: 'resources' }
  | { readonly kind: 'clock'; readonly ahead: number };

export type MonitoredGateway = Awaited<ReturnType<typeof startMonitoredGateway>>;

export interface GatewayFolders {
  readonly distDir: string;
  readonly dataDir: string;
}

/**
 * Starts a gateway in its own process, which reports its resource usage, on a port that the system chooses.
 *
 * @param settings environment variables in addition to its folders, port and plans
 * @param module a test module that starts it, instead of `npm run gateway`
 */
export async function startMonitoredGateway(
  { distDir, dataDir }: GatewayFolders,
  plans: Plans,
  settings: Readonly<Record<string, string>> = {},
  module?: string,
) {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const plansFile = join(dataDir, 'plans.json');
  await writeFile(plansFile, JSON.stringify(plans));
  const program =
    module === undefined ? ['build/pastpaper.js', 'gateway'] : ['--import', 'tsx', module];
  const own = { PORT: '0', DIST_DIR: distDir, DATA_DIR: dataDir, PLANS: plansFile };
  const started = startCommand(
    process.execPath,
    ['--expose-gc', '--import', monitorModule, ...program],
    { NODE_ENV: 'production', ...own, ...settings },
    repository,
    ['ipc'],
  );
  const { process: child, ended } = started;
  const stderrLines: string[] = [];
  createInterface({ input: child.stderr as Readable }).on('line', (line) => {
    // These gateways send no mail, of which each start warns.
    if (!line.includes('Visitors can sign up')) stderrLines.push(line);
  });
  const [, origin = ''] = await started.waitForOutput(/at (http:\S+)\/\n/);

  async function sendCommand(command: MonitorCommand): Promise<ResourceUsage> {
    const reply = once(child, 'message').then(([resourceUsage]): ResourceUsage => resourceUsage);
    child.send(command);
    return Promise.race([
      reply,
      ended.then(() => Promise.reject(new Error('The gateway has ended.'))),
    ]);
  }

  return {
    process: child,
    origin,
    port: Number(new URL(origin).port),
    /** Lines of standard error. */
    stderrLines: stderrLines as readonly string[],
    get isRunning(): boolean {
      return child.exitCode === null && child.signalCode === null;
    },
    resourceUsage: () => sendCommand({ kind: 'resources' }),
    /** Sets its wall clock ahead of the real time. */
    setClockAhead: async (ahead: number) => void (await sendCommand({ kind: 'clock', ahead })),
    /** Stops it: on SIGTERM, idle connections would stay open for two seconds. @returns its exit status */
    stop: async () => (await started.stop('SIGINT')).status,
  };
}
