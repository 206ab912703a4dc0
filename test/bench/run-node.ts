import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { environment, repository } from '../gateway/started-process.ts';

/** The measurements of a process. */
export interface Run {
  readonly seconds: number;
  /** The peak memory in bytes. */
  readonly memory: number;
  /** Standard output. */
  readonly output: string;
}

/** Makes a process print its peak memory in KiB when it exits. */
const printMemory = [
  '--import',
  'data:text/javascript,process.on("exit",()=>console.error("memory",process.resourceUsage().maxRSS))',
];

/** Runs Node, which must succeed. @param folder the working directory; by default the repository */
export async function runNode(
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  folder = repository,
): Promise<Run> {
  const start = performance.now();
  const child = spawn(process.execPath, [...printMemory, ...args], {
    cwd: folder,
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  const [status] = await once(child, 'close');
  if (status !== 0)
    throw new Error(`node ${args.join(' ')} ended with ${status}: ${output.stderr.slice(-2000)}`);
  const seconds = (performance.now() - start) / 1000;
  return { seconds, memory: Number(/memory (\d+)/.exec(output.stderr)?.[1]) * 1024, output: output.stdout };
}
