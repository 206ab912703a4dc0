/** `pastpaper doctor`: opens what a gateway needs, as the gateway does, and says what failed and what to do. */
import { existsSync } from 'node:fs';
import {
  type CommandIO,
  type ExitStatus,
  print,
  readArguments,
  runCommand,
} from '../../build/command-line/command.ts';
import { inTime } from '../../build/release/waits.ts';
import { introspectKeys } from '../access/introspection.ts';
import { checkPlans } from '../accounts/open.ts';
import { openDatabase } from '../accounts/store/store.ts';
import { realSystem } from '../clock.ts';
import { type Config, ConfigError, openSignUp, readSettings } from '../config.ts';
import { describeLocation } from '../config-values.ts';
import { type Log, reasonOf } from '../log/logger.ts';
import { openCurrentRelease } from '../release/current-release.ts';

/** One result, in sentences. */
interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly message: string;
  /** What to do. */
  readonly advice?: string | undefined;
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
      return 'Redis accepts writes. Counts from before REDIS_URL was set stay in the database: usage starts at zero.';
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

/** What production should have: each warning, with what to do. */
function productionWarnings(config: Config): readonly (readonly string[])[] {
  const { users, trustProxy, introspection, production } = config;
  const { publicUrl } = users;
  if (!production)
    return [
      [
        'NODE_ENV is not production. A development key is created, and weak secrets are accepted.',
        'Set NODE_ENV=production if others can reach the gateway.',
      ],
    ];
  const warnings: (readonly string[])[] = [];
  if (!introspection && publicUrl === undefined)
    warnings.push([
      'PUBLIC_URL is not set. Links and cookies use the Host header of each request.',
      'Set it to the address that users open, for example https://api.example.org.',
    ]);
  if (publicUrl?.startsWith('http:'))
    warnings.push([
      `PUBLIC_URL is ${publicUrl}: passwords and keys are sent unencrypted.`,
      'Put a proxy with TLS in front of the gateway, and set PUBLIC_URL to its HTTPS address.',
    ]);
  if (publicUrl?.startsWith('https:') && trustProxy === false)
    warnings.push([
      'PUBLIC_URL is HTTPS, but TRUST_PROXY is not set. All clients behind the proxy share one address.',
      'Set TRUST_PROXY to the number of proxies in front of the gateway, or to their addresses.',
    ]);
  if (!introspection) warnings.push(openSignUp(config));
  return warnings.filter(({ length }) => length > 0);
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
    const lines = findings.map(({ state, check, message, advice = '' }) =>
      `${state.padEnd(8)} ${check}: ${message} ${advice}`.trimEnd(),
    );
    const end =
      problems + warnings === 0
        ? 'All checks passed.'
        : `Problems: ${problems}. Warnings: ${warnings}.`;
    print(io, json, { findings, problems, warnings }, `${lines.join('\n')}\n\n${end}\n`);
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
  const late = () => new Error(`The check did not finish within ${timeLimit / 1000} s.`);
  const results = checks.map(([check, advice, run]) =>
    inTime(run(config), timeLimit, late).then(
      (message): Finding => ({ check, state: 'ok', message }),
      (error): Finding => ({ check, state: 'problem', message: reasonOf(error), advice }),
    ),
  );
  const warnings = productionWarnings(config).map(
    ([message = '', advice]): Finding => ({
      check: 'production',
      state: 'warning',
      message,
      advice,
    }),
  );
  return [...(await Promise.all(results)), ...warnings];
}
