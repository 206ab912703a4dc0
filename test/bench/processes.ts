/** Runs a benchmark with its processes, and measures them. */
import { type ChildProcess, execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository, startCommand } from '../gateway/started-process.ts';
import { waitUntil } from '../wait-until.ts';

let cleanups: (() => Promise<unknown>)[] = [];

/** Runs a benchmark in a temporary folder, and stops its processes. */
export async function runBench(measure: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
  try {
    await measure(folder);
  } finally {
    for (const finish of cleanups.reverse()) await finish();
    cleanups = [];
    await rm(folder, { recursive: true });
  }
}

/** Registers what to do when the benchmark has ended; the last one comes first. */
export function atEnd(finish: () => Promise<unknown>): void {
  cleanups.push(finish);
}

/** Whether a command is installed. */
export function has(command: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${command}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The path of a file of a package that Pastpaper is compared with; installs these packages if they are missing. */
export async function peerFile(path: string): Promise<string> {
  const peers = join(repository, 'test/bench/peers');
  const file = join(peers, 'node_modules', path);
  if (!existsSync(file))
    execFileSync('npm', ['install', '--ignore-scripts', '--no-package-lock'], {
      cwd: peers,
      stdio: 'inherit',
    });
  return file;
}

/** The measurements of a process. */
export interface Run {
  readonly seconds: number;
  /** The peak memory in bytes, if it is Node's. */
  readonly memory: number;
  /** Standard output. */
  readonly output: string;
}

/** Runs a command, which must succeed. @param folder the working directory; by default the repository */
export async function run(
  [command = '', ...args]: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  folder = repository,
): Promise<Run> {
  const start = performance.now();
  const { status, stdout, stderr } = await startCommand(command, args, settings, folder).ended;
  if (status !== 0)
    throw new Error(`${[command, ...args].join(' ')} ended with ${status}: ${stderr.slice(-2000)}`);
  const seconds = (performance.now() - start) / 1000;
  return { seconds, memory: Number(/memory (\d+)/.exec(stderr)?.[1]) * 1024, output: stdout };
}

/** Makes Node print its peak memory in KiB when it exits. */
const printMemory =
  'data:text/javascript,process.on("exit",()=>console.error("memory",process.resourceUsage().maxRSS))';

/** Runs Node, which must succeed. */
export function runNode(
  args: readonly string[],
  settings?: Readonly<Record<string, string>>,
): Promise<Run> {
  return run([process.execPath, '--import', printMemory, ...args], settings);
}

/** The server runs on the last core, and the client on the first one. */
const serverCore = String(availableParallelism() - 1);
const clientCore = '0';

/** A command that is pinned to cores, if taskset is installed. */
function pinned(cores: string, command: readonly string[]): readonly [string, readonly string[]] {
  const [first = '', ...rest] = has('taskset') ? ['taskset', '-c', cores, ...command] : command;
  return [first, rest];
}

/** A server process on loopback. */
export interface Server {
  readonly process: ChildProcess;
  readonly origin: string;
}

/** Starts a server that is pinned to its core and stops with the benchmark, and waits until it responds. */
export async function startServer(
  port: number,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Server> {
  const started = startCommand(...pinned(serverCore, command), env);
  atEnd(() => started.stop('SIGTERM'));
  const origin = `http://127.0.0.1:${port}`;
  const failed = started.ended.then(({ stderr }) =>
    Promise.reject(new Error(`${command.join(' ')} ended: ${stderr}`)),
  );
  await Promise.race([waitForServer(origin), failed]);
  return { process: started.process, origin };
}

/** Runs a client that is pinned to its core. @returns its standard output */
export async function runPinned(command: readonly string[]): Promise<string> {
  const running = promisify(execFile)(...pinned(clientCore, command), { maxBuffer: 2 ** 26 });
  return (await running).stdout;
}

/** Stops a process, and waits until it has ended. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
}

/** Waits until a URL responds with a status. @param isReady by default any status */
export async function waitForServer(
  url: string,
  isReady = (_status: number) => true,
): Promise<void> {
  await waitUntil(async () => {
    const response = await fetch(url).catch(() => undefined);
    return response !== undefined && isReady(response.status);
  }, 10);
}

/** The resident memory of a process in bytes; 0 if it has ended. */
export function memoryOf(pid: number | undefined): number {
  try {
    return (
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
    );
  } catch {
    return 0;
  }
}
