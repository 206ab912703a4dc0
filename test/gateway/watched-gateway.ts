import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plans } from '../../build/release/plans.ts';
import { environment, repository } from './started-process.ts';

const preloaded = fileURLToPath(new URL('vitals.js', import.meta.url));

/** What a process holds, after a full collection. */
export interface Vitals {
  /** Bytes. */
  readonly resident: number;
  readonly heap: number;
  /** Bytes of buffers outside the heap. */
  readonly external: number;
  /** Open file descriptors, sockets included. */
  readonly descriptors: number;
  /** What keeps the event loop going, by kind: `TCPSocketWrap`, `Timeout`. */
  readonly resources: Readonly<Record<string, number>>;
}

export type Order = { readonly kind: 'vitals' } | { readonly kind: 'clock'; readonly ahead: number };

/** A gateway in a process of its own, which tells what it holds. */
export interface WatchedGateway {
  readonly process: ChildProcess;
  readonly origin: string;
  readonly port: number;
  readonly isRunning: boolean;
  /** All that it has printed on standard error, line by line. */
  readonly complaints: readonly string[];
  vitals(): Promise<Vitals>;
  /** Sets its wall clock ahead of the real one, by so many milliseconds. */
  setClockAhead(milliseconds: number): Promise<void>;
  /** @returns the status that it ended with */
  stop(): Promise<number | null>;
}

export interface WatchedPlaces {
  readonly distDir: string;
  readonly dataDir: string;
}

/**
 * Starts a gateway on a port that the system chooses.
 *
 * @param settings environment variables beside those that give it its folders, port and plans
 * @param module a module of the tests that starts it, instead of `npm run gateway`
 */
export async function startWatchedGateway(
  { distDir, dataDir }: WatchedPlaces,
  plans: Plans,
  settings: Readonly<Record<string, string>> = {},
  module?: string,
): Promise<WatchedGateway> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const plansFile = join(dataDir, 'plans.json');
  await writeFile(plansFile, JSON.stringify(plans));
  const started = module === undefined ? ['build/pastpaper.js', 'gateway'] : ['--import', 'tsx', module];
  const child = spawn(process.execPath, ['--expose-gc', '--import', preloaded, ...started], {
    cwd: repository,
    env: environment({
      NODE_ENV: 'production',
      PORT: '0',
      DIST_DIR: distDir,
      DATA_DIR: dataDir,
      PLANS: plansFile,
      ...settings,
    }),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const kill = () => child.kill();
  process.once('exit', kill);
  const ended = once(child, 'close').then(([status]): number | null => {
    process.off('exit', kill);
    return status;
  });
  const complaints: string[] = [];
  let partOfLine = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (partOfLine + text).split('\n');
    partOfLine = lines.pop() ?? '';
    complaints.push(...lines);
  });
  const origin = await Promise.race([
    welcomed(child),
    ended.then(() => Promise.reject(new Error(`The gateway does not start: ${complaints.join('\n')}`))),
  ]);

  async function order(what: Order): Promise<Vitals> {
    const answer = once(child, 'message').then(([vitals]): Vitals => vitals);
    child.send(what);
    return Promise.race([answer, ended.then(() => Promise.reject(new Error('The gateway has ended.')))]);
  }

  return {
    process: child,
    origin,
    port: Number(new URL(origin).port),
    complaints,
    get isRunning() {
      return child.exitCode === null && child.signalCode === null;
    },
    vitals: () => order({ kind: 'vitals' }),
    setClockAhead: async (ahead) => void (await order({ kind: 'clock', ahead })),
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** The origin that it prints when it listens. */
function welcomed({ stdout }: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((resolve) => {
    stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const [, origin] = /at (http:\S+)\/\n/.exec(said) ?? [];
      if (origin !== undefined) resolve(origin);
    });
  });
}
