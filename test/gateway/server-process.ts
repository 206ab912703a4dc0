import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../build/bank-folder.ts';
import { freePort } from '../free-port.ts';
import { sampleRelease } from './sample-release.ts';
import { repository, type StartedProcess, startCommand } from './started-process.ts';

type Settings = Readonly<Record<string, string>>;

/** The file with the plans of tests. No test reaches a limit of `roomy`. */
export const plansFile = fileURLToPath(new URL('plans.json', import.meta.url));

/** The settings of a server in production, by default with the sample bank and a data folder of its own. */
export async function serverSettings(changes: Settings = {}): Promise<Settings> {
  return {
    NODE_ENV: 'production',
    PORT: '0',
    PLANS: plansFile,
    DIST_DIR: changes['DIST_DIR'] ?? (await sampleRelease()),
    DATA_DIR: join(await temporaryFolder(), 'data'),
    ...changes,
  };
}

/** A gateway or an authentication service in its own process. */
export interface ServerProcess extends StartedProcess {
  readonly origin: string;
  /** The origin of health and metrics; empty without ADMIN_PORT. */
  readonly adminOrigin: string;
}

/** Starts a gateway or an authentication service, and waits until it serves. */
export function startServer(
  command: 'gateway' | 'auth',
  changes?: Settings,
): Promise<ServerProcess> {
  return serve(['build/pastpaper.js', command], changes);
}

async function serve(
  words: readonly string[],
  changes?: Settings,
  channel?: readonly 'ipc'[],
): Promise<ServerProcess> {
  const settings = await serverSettings(changes);
  const started = startCommand(process.execPath, words, settings, repository, channel);
  const [, origin = ''] = await started.waitForOutput(/ at (http:\S+)\/\n/);
  const [, adminOrigin = ''] = /^Health.* at (\S+)\/metrics/.exec(started.output.stdout) ?? [];
  return { ...started, origin, adminOrigin };
}

export type Replica = Awaited<ReturnType<typeof startReplica>>;

/** Starts a server that can be stopped and started again on the same port. */
export async function startReplica(command: 'gateway' | 'auth', changes: Settings) {
  const port = await freePort();
  const settings = { ...changes, PORT: String(port) };
  let server = await startServer(command, settings);
  let before = '';
  return {
    port,
    /** Its log since its first start. */
    logged: () => before + server.output.stderr,
    /** Starts it again, and waits until it is ready. */
    async start(): Promise<void> {
      before += server.output.stderr;
      server = await startServer(command, settings);
    },
    stop: () => server.stop('SIGTERM'),
    kill: () => server.stop('SIGKILL'),
  };
}

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

/**
 * Starts a gateway that reports its resource usage.
 *
 * @param module a test module that starts it, instead of `npm run gateway`
 */
export async function startMonitoredGateway(changes: Settings, module?: string) {
  const monitor = fileURLToPath(new URL('process-monitor.js', import.meta.url));
  const program =
    module === undefined ? ['build/pastpaper.js', 'gateway'] : ['--import', 'tsx', module];
  const words = ['--expose-gc', '--import', monitor, ...program];
  const { process: child, origin, output, ended, stop } = await serve(words, changes, ['ipc']);

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
    isRunning: () => child.exitCode === null && child.signalCode === null,
    /** Its log lines, but the warning at each start that these gateways send no mail. */
    logged: () =>
      output.stderr
        .split('\n')
        .filter((line) => line !== '' && !line.includes('Visitors can sign up')),
    resourceUsage: () => sendCommand({ kind: 'resources' }),
    /** Sets its wall clock ahead of the real time by so many milliseconds. */
    setClockAhead: async (ahead: number) => void (await sendCommand({ kind: 'clock', ahead })),
    /** On SIGTERM, idle connections would stay open for two seconds. @returns its exit status */
    stop: async () => (await stop('SIGINT')).status,
  };
}
