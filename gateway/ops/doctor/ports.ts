import { createServer } from 'node:http';
import type { Config } from '../../config.ts';
import {
  adminSettings,
  ListenError,
  type ListenSettings,
  listen,
  originAt,
  publicSettings,
} from '../listen.ts';
import { type Check, type Finding, ok, problem } from './check.ts';

/** Milliseconds that what listens has to say what it is. */
const timeLimit = 2_000;

export const ports: Check = {
  name: 'ports',
  async look({ port, host, adminPort, adminHost }: Config) {
    const findings = [await look(host, port, publicSettings, isOurs)];
    if (adminPort === undefined) return findings;
    if (adminPort === port && port !== 0) {
      return [...findings, problem(`ADMIN_PORT is PORT: ${port}.`, 'Set ADMIN_PORT to another.')];
    }
    return [...findings, await look(adminHost, adminPort, adminSettings, isAdmin)];
  },
};

/** Tries to listen; where something does already, asks what it is. */
async function look(
  host: string,
  port: number,
  settings: ListenSettings,
  isIt: (origin: string) => Promise<boolean>,
): Promise<Finding> {
  const server = createServer();
  try {
    const listening = await listen(server, port, host, settings);
    return ok(
      port === 0
        ? `${settings.port}: the system chooses one.`
        : `${settings.port} ${listening} of ${host} is free.`,
    );
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    const ours =
      error.code === 'EADDRINUSE' && (await isIt(originAt(reachable(host), port)).catch(() => false));
    if (ours) return ok(`${settings.port} ${port} of ${host}: this service is running there.`);
    const { what, advice } = error;
    return problem(`${what}.`, advice.charAt(0).toUpperCase() + advice.slice(1));
  } finally {
    server.close();
  }
}

/** Where one reaches what listens at every address. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

/** No other server refuses such a path in these words. */
async function isOurs(origin: string): Promise<boolean> {
  const answer = await fetch(`${origin}//`, { signal: AbortSignal.timeout(timeLimit), redirect: 'error' });
  return answer.status === 400 && (await answer.text()) === '{"error":"Malformed URL"}';
}

async function isAdmin(origin: string): Promise<boolean> {
  const answer = await fetch(`${origin}/livez`, {
    signal: AbortSignal.timeout(timeLimit),
    redirect: 'error',
  });
  return answer.status === 200 && (await answer.text()) === 'ok\n';
}
