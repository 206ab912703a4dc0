import { freePort } from '../free-port.ts';
import { type StartedProcess, startPastpaper } from '../gateway/started-process.ts';

export type Replica = Awaited<ReturnType<typeof startReplica>>;

/** Starts a gateway or authentication service that can be stopped and started again on the same port. */
export async function startReplica(command: 'gateway' | 'auth', settings: Readonly<Record<string, string>>) {
  const port = await freePort();
  const started: StartedProcess[] = [];
  const last = () => started.at(-1) as StartedProcess;
  const replica = {
    port,
    /** Its log since its first start. */
    logged: () => started.map(({ output }) => output.stderr).join(''),
    /** Starts it again, and waits until it is ready. */
    async start(): Promise<void> {
      started.push(startPastpaper(command, { ...settings, PORT: String(port) }));
      await last().waitForOutput(/serves release|listens at/);
    },
    stop: () => last().stop('SIGTERM'),
    kill: () => last().stop('SIGKILL'),
  };
  await replica.start();
  return replica;
}
