/** `pastpaper doctor`: opens what a gateway needs, as the gateway does, and says what failed and what to do. */
import { mkdtemp, readFile, rmdir, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type CommandIO,
  type ExitStatus,
  print,
  readArguments,
  runCommand,
} from '../../build/command-line/command.ts';
import { isLoopback } from '../../build/release/urls.ts';
import { introspectKeys } from '../access/introspection.ts';
import { checkPlans, developmentKeyFile } from '../accounts/open.ts';
import { inspectDatabase } from '../accounts/store/store.ts';
import { realSystem } from '../clock.ts';
import { type Config, ConfigError, findWeakSecrets, readSettings } from '../config.ts';
import { describeLocation } from '../config-values.ts';
import { type Log, reasonOf } from '../log/logger.ts';
import { openCurrentRelease } from '../release/current-release.ts';
import { ListenError, listen } from './run.ts';

/** One result, in sentences. A problem stops the gateway from working, now or soon; a warning does not. */
interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly message: string;
  /** What to do. */
  readonly advice?: string;
}

/** Adds a finding. */
type Report = (state: Finding['state'], message: string, advice?: string) => void;

/** Opens one thing that an installation needs, and changes nothing. What it throws is a problem. */
type Check = readonly [
  name: string,
  advice: string,
  run: (config: Config, report: Report) => Promise<void>,
];

/** Versions that the tests run on; of the first, the oldest minor one. */
const testedNodes = [20, 22, 24, 26];
const oldestMinor = 19;

/** In the order of the report. */
export const checks: readonly Check[] = [
  [
    'Node',
    `Install Node ${testedNodes.at(-1)}.`,
    async (_config, report) => {
      const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
      const isOld = major < 20 || (major === 20 && minor < oldestMinor);
      if (isOld) throw new Error(`Node ${process.version} is too old: 20.19 or later is required.`);
      if (testedNodes.includes(major)) report('ok', `Node ${process.versions.node}.`);
      else
        report(
          'warning',
          `Node ${process.version} is not tested.`,
          `Install Node ${testedNodes.at(-1)}.`,
        );
    },
  ],
  [
    'release',
    'Run npx pastpaper build, or npx pastpaper build --repair.',
    async ({ distDir }, report) => {
      const releases = await openCurrentRelease(distDir, () => {});
      await releases.close();
      if (releases.problem !== undefined) throw new Error(releases.problem);
      report('ok', `Release ${releases.current.id} is complete.`);
    },
  ],
  [
    'data folder',
    'Make the user that runs the gateway its owner, or set DATA_DIR to another folder.',
    async ({ dataDir }, report) => {
      const folder = await nearestFolder(resolve(dataDir));
      await rmdir(await mkdtemp(join(folder, '.doctor-')));
      const { mode } = await stat(folder);
      if (folder === resolve(dataDir) && (mode & 0o077) !== 0)
        report(
          'warning',
          `${dataDir} is open to other users (mode ${(mode & 0o777).toString(8)}). It contains the secret that signs sessions.`,
          `Run chmod 700 ${dataDir}.`,
        );
      else report('ok', `${dataDir} can be written.`);
    },
  ],
  [
    'database',
    'Start the server, or correct DATABASE_URL and the owner of the file. With another schema, install that version.',
    async ({ database, introspection, plans }, report) => {
      const location = describeLocation(database);
      const state = await inspectDatabase(database, async (opened) => {
        // With an authentication service elsewhere, that service names the plans.
        if (!introspection) await checkPlans(opened, plans);
      });
      const states = {
        missing: `${location} does not exist yet. The next start creates it.`,
        older: `${location} can be used. The next start migrates its schema.`,
        current: `${location} can be used.`,
      };
      report('ok', states[state]);
    },
  ],
  [
    'Redis',
    'Start it, or correct REDIS_URL. Until then, each gateway enforces limits by itself.',
    async ({ redis: location }, report) => {
      if (!location) return report('ok', 'REDIS_URL is not set.');
      const { openRedis } = await import('../limits/redis.ts');
      const logged: string[] = [];
      const log: Log = (message) => void logged.push(message);
      const { limits, close } = await openRedis({ location, clock: realSystem, log });
      const { isShared } = limits;
      await close();
      if (!isShared) throw new Error(logged[0] ?? 'Redis is unavailable.');
      return report('ok', 'Redis accepts writes.');
    },
  ],
  [
    'authentication service',
    'Start it, or correct INTROSPECTION_URL and INTROSPECTION_SECRET.',
    async ({ introspection, plans }, report) => {
      if (!introspection) return report('ok', 'The gateway checks keys itself.');
      let reason = '';
      const log: Log = (message) => {
        reason = message;
      };
      const { verifyKey, close } = introspectKeys(introspection, plans, realSystem, log);
      const { state } = await verifyKey('npx-pastpaper-doctor-asks-about-a-made-up-key');
      await close();
      const { origin } = new URL(introspection.url);
      if (state === 'unavailable') throw new Error(reason);
      if (state === 'valid') throw new Error(`${origin} accepts an invalid key.`);
      return report('ok', `${origin} responds, and rejects an invalid key.`);
    },
  ],
  [
    'mail',
    'Start the mail server, or correct SMTP_URL.',
    async ({ users: { mail } }, report) => {
      if (!mail) return report('ok', 'SMTP_URL is not set, so no email is sent.');
      const { openTransport } = await import('../accounts/mail.ts');
      const transport = openTransport(mail.server);
      await transport.verify().finally(() => transport.close());
      return report('ok', `The mail server ${new URL(mail.server).host} accepts the credentials.`);
    },
  ],
  [
    'ports',
    'Stop the process that uses it, unless it is this gateway, or set another port.',
    async ({ host, port, adminHost, adminPort }, report) => {
      if (port === adminPort && port !== 0)
        throw new Error(`ADMIN_PORT and PORT are the same: ${port}.`);
      await tryPort(host, port, '');
      if (adminPort !== undefined) await tryPort(adminHost, adminPort, 'ADMIN_');
      report('ok', `PORT ${port} on ${host} is free.`);
    },
  ],
  [
    'production',
    'Correct the settings.',
    async (config, report) => {
      const { users, trustProxy, introspection } = config;
      const warn = (message: string, advice: string) => report('warning', message, advice);
      if (!config.production)
        return warn(
          'NODE_ENV is not production. A development key is created, and weak secrets are accepted.',
          'Set NODE_ENV=production if others can reach the gateway.',
        );
      // With an authentication service elsewhere, sessions are that service's.
      if (!introspection && users.publicUrl === undefined)
        warn(
          'PUBLIC_URL is not set. Links and cookies use the Host header of each request.',
          'Set it to the address that users open, for example https://api.example.org.',
        );
      else if (users.publicUrl?.startsWith('http:'))
        warn(
          `PUBLIC_URL is ${users.publicUrl}: passwords and keys are sent unencrypted.`,
          'Put a proxy with TLS in front of the gateway, and set PUBLIC_URL to its HTTPS address.',
        );
      else if (users.publicUrl && trustProxy === false)
        warn(
          'PUBLIC_URL is HTTPS, but TRUST_PROXY is not set. All clients behind the proxy share one address.',
          'Set TRUST_PROXY to the number of proxies in front of the gateway, or to their addresses.',
        );
      if (config.adminPort === undefined)
        warn(
          'ADMIN_PORT is not set. The gateway cannot be monitored.',
          'Set it (docs/operations.md).',
        );
      else if (!isLoopback(config.adminHost))
        warn(
          `Health and metrics are at ${config.adminHost} and require no password.`,
          'Make sure that only your monitoring can reach that address.',
        );
      const anyToken =
        introspection && introspection.audience === undefined && !introspection.scopes;
      if (anyToken && new URL(introspection.url).pathname !== '/auth/introspect')
        warn(
          'INTROSPECTION_URL is another OAuth server. Its tokens for other services are accepted as keys.',
          'Set INTROSPECTION_AUDIENCE or INTROSPECTION_SCOPE (docs/authentication.md).',
        );
      const file = join(config.dataDir, developmentKeyFile);
      if ((await readFile(file, 'utf8').catch(() => '')).trim() !== '')
        warn(
          `${file} contains a development key from before NODE_ENV was production.`,
          'Revoke it with npx pastpaper keys revoke --account development, and remove the file.',
        );
      return undefined;
    },
  ],
];

/** The folder, or the nearest parent that exists. */
async function nearestFolder(path: string): Promise<string> {
  const entry = await stat(path).catch(() => undefined);
  return entry === undefined && dirname(path) !== path ? nearestFolder(dirname(path)) : path;
}

async function tryPort(host: string, port: number, prefix: '' | 'ADMIN_'): Promise<void> {
  const server = createServer();
  await listen(server, port, host, () => {}, prefix);
  server.close();
}

/** Milliseconds that a check may take. */
const timeLimit = 30_000;

const options = { json: { type: 'boolean', default: false } } as const;

/** Runs `pastpaper doctor`. Returns its exit status; a check that timed out may still keep the process running. */
export function main(
  args: readonly string[],
  usage: string,
  io: CommandIO = process,
): Promise<ExitStatus> {
  return runCommand(io, usage, async () => {
    const { json } = readArguments(args, options).values;
    const findings = await examine(io.env);
    const count = (state: string) => findings.filter((finding) => finding.state === state).length;
    const [problems, warnings] = [count('problem'), count('warning')];
    const width = Math.max(...findings.map(({ check }) => check.length));
    const indent = ' '.repeat('problem  '.length + width + 2);
    const lines = findings.map(({ state, check, message, advice }) => {
      const line = `${state.padEnd(7)}  ${check.padEnd(width)}  ${message}\n`;
      return advice === undefined ? line : `${line}${indent}${advice}\n`;
    });
    const counts = `${problems} problem${problems === 1 ? '' : 's'}, ${warnings} warning${warnings === 1 ? '' : 's'}.`;
    const end = problems + warnings === 0 ? 'All checks passed.' : counts;
    print(io, json, { findings, problems, warnings }, `${lines.join('')}\n${end}\n`);
    return problems > 0 ? 1 : 0;
  });
}

/** Without valid settings, nothing else can be checked. */
async function examine(env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  const settings = (state: Finding['state'], message: string, advice?: string) => ({
    ...{ check: 'settings', state, message },
    ...(advice !== undefined && { advice }),
  });
  let config: Config;
  try {
    config = readSettings(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = 'Correct it in the environment. The other checks did not run.';
    return error.message.split('\n').map((line) => settings('problem', line, advice));
  }
  // In production, readConfig rejects them.
  const weak = findWeakSecrets(env).map((line) =>
    settings('problem', line, 'In production, the gateway does not start.'),
  );
  const results = await Promise.all(checks.map((check) => runCheck(check, config)));
  return [
    ...(weak.length > 0 ? weak : [settings('ok', 'All settings are valid.')]),
    ...results.flat(),
  ];
}

/** Runs a check. @returns its findings, the last of which is what it threw */
export async function runCheck([check, advice, run]: Check, config: Config): Promise<Finding[]> {
  const findings: Finding[] = [];
  const report: Report = (state, message, more) =>
    void findings.push({ check, state, message, ...(more !== undefined && { advice: more }) });
  const late = delay(timeLimit, undefined, { ref: false }).then(() => {
    throw new Error(`The check did not finish within ${timeLimit / 1000} s.`);
  });
  await Promise.race([run(config, report), late]).catch((error: Error) => {
    if (error instanceof ListenError) report('problem', `${error.what}.`, error.advice);
    else report('problem', reasonOf(error), advice);
  });
  return findings;
}
