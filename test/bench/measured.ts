import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { environment, repository } from '../gateway/started-process.ts';

/** What a run of Node took. */
export interface Run {
  readonly seconds: number;
  /** Bytes: the most that the process held. */
  readonly memory: number;
  /** Standard output. */
  readonly said: string;
}

/** Has a process tell the most memory that it held, in KiB, when it ends. */
const tellMemory = [
  '--import',
  'data:text/javascript,process.on("exit",()=>console.error("memory",process.resourceUsage().maxRSS))',
];

/** Runs Node to its end, which has to be a good one. @param folder where; left out, the repository */
export async function measured(
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  folder = repository,
): Promise<Run> {
  const start = performance.now();
  const child = spawn(process.execPath, [...tellMemory, ...args], {
    cwd: folder,
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  const [status] = await once(child, 'close');
  if (status !== 0)
    throw new Error(`node ${args.join(' ')} ended with ${status}: ${said.stderr.slice(-2000)}`);
  const seconds = (performance.now() - start) / 1000;
  return { seconds, memory: Number(/memory (\d+)/.exec(said.stderr)?.[1]) * 1024, said: said.stdout };
}
