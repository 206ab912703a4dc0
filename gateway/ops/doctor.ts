/** `pastpaper doctor`: opens what a gateway needs, as the gateway does, and says what failed and what to do. */
import { existsSync } from 'node:fs';
import {
  type CommandIO,
  type ExitStatus,
  print,
  readArguments,
  runCommand,
} from '../../build/command-line/command.ts';
import { introspectKeys } from '../access/introspection.ts';
import { checkPlans } from '../accounts/open.ts';
import { openDatabase } from '../accounts/store/store.ts';
import { realSystem } from '../clock.ts';
import { type Config, ConfigError, readSettings } from '../config.ts';
import { describeLocation } from '../config-values.ts';
import { type Log, reasonOf } from '../log/logger.ts';
import { openCurrentRelease } from '../release/current-release.ts';

/** One result, in sentences. */
interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'problem';
  readonly message: string;
  /** What to do. */
  readonly advice?: string;
}

/** Opens one thing that an installation needs. Returns what it found; throws a problem. */
type Check = readonly [name: string, advice: string, run: (config: Config) => Promise<string>];

/** In the order of the report. */
const checks: readonly Check[] = [
  [
    'release',
    'Run npx pastpaper build, or npx pastpaper build --repair.',
    async ({ distDir }) => {
      const releases = await openCurrentRelease(distDir, () => {});
      await releases.close();
      if (releases.problem !== undefined) throw new Error(releases.problem);
      return `Release ${releases.current.id} is complete.`;
    },
  ],
  [
    'database',
    'Start the server, or correct DATABASE_URL and the owner of the file. With another schema, install that version.',
    async ({ database, introspection, plans }) => {
      const location = describeLocation(database);
      if (database.kind === 'sqlite' && !existsSync(database.file))
        return `${location} does not exist yet. The next start creates it.`;
      const opened = await openDatabase(database);
      try {
        // With an authentication service elsewhere, that service names the plans.
        if (!introspection) await checkPlans(opened, plans);
      } finally {
        await opened.destroy();
      }
      return `${location} can be used.`;
    },
  ],
  [
    'Redis',
    'Start it, or correct REDIS_URL. Until then, each gateway enforces limits by itself.',
    async ({ redis: location }) => {
      if (!location) return 'REDIS_URL is not set.';
      const { openRedis } = await import('../limits/redis.ts');
      const logged: string[] = [];
      const log: Log = (message) => void logged.push(message);
      const { limits, close } = await openRedis({ location, clock: realSystem, log });
      const { isShared } = limits;
      await close();
      if (!isShared) throw new Error(logged[0] ?? 'Redis is unavailable.');
      return 'Redis accepts writes.';
    },
  ],
  [
    'authentication service',
    'Start it, or correct INTROSPECTION_URL and INTROSPECTION_SECRET.',
    async ({ introspection, plans }) => {
      if (!introspection) return 'The gateway checks keys itself.';
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
      return `${origin} responds, and rejects an invalid key.`;
    },
  ],
  [
    'mail',
    'Start the mail server, or correct SMTP_URL.',
    async ({ users: { mail } }) => {
      if (!mail) return 'SMTP_URL is not set, so no email is sent.';
      const { openTransport } = await import('../accounts/mail.ts');
      const transport = openTransport(mail.server);
      await transport.verify().finally(() => transport.close());
      return `The mail server ${new URL(mail.server).host} accepts the credentials.`;
    },
  ],
];

const options = { json: { type: 'boolean', default: false } } as const;

/** Runs `pastpaper doctor`. Returns its exit status. */
export function main(
  args: readonly string[],
  usage: string,
  io: CommandIO = process,
): Promise<ExitStatus> {
  return runCommand(io, usage, async () => {
    const { json } = readArguments(args, options).values;
    const findings = await examine(io.env);
    const problems = findings.filter(({ state }) => state === 'problem').length;
    const lines = findings.map(({ state, check, message, advice = '' }) =>
      `${state.padEnd(8)} ${check}: ${message} ${advice}`.trimEnd(),
    );
    const end = problems === 0 ? 'All checks passed.' : `Problems: ${problems}.`;
    print(io, json, { findings, problems }, `${lines.join('\n')}\n\n${end}\n`);
    return problems > 0 ? 1 : 0;
  });
}

/** Without valid settings, nothing else can be checked. */
async function examine(env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  let config: Config;
  try {
    config = readSettings(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = 'Correct it in the environment. The other checks did not run.';
    return error.message
      .split('\n')
      .map((message) => ({ check: 'settings', state: 'problem', message, advice }));
  }
  return Promise.all(checks.map((check) => runCheck(check, config)));
}

async function runCheck([check, advice, run]: Check, config: Config): Promise<Finding> {
  return run(config).then(
    (message) => ({ check, state: 'ok', message }),
    (error: unknown) => ({ check, state: 'problem', message: reasonOf(error), advice }),
  );
}
