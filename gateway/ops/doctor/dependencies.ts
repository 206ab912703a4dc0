/** Checks of what the gateway depends on: database, Redis and authentication service. */
import type { Plans } from '../../../build/release/plans.ts';
import { parseIntrospection } from '../../access/introspection.ts';
import { type IntrospectionClient, introspectionClient } from '../../access/introspection-client.ts';
import { type DatabaseState, inspectDatabase } from '../../auth/store/inspect.ts';
import { adviceForNewer, describeNewer } from '../../auth/store/migrations.ts';
import { StorageError } from '../../auth/store/store.ts';
import type { Config, IntrospectionService } from '../../config.ts';
import { describeLocation } from '../../config-values.ts';
import { type Ask, Link } from '../../limits/redis/connection.ts';
import { defaultTimeout } from '../../limits/redis/shared-limits.ts';
import { reasonOf } from '../../log/logger.ts';
import { type Check, compareClocks, type Finding, formatCount, ok, problem, warning } from './check.ts';

export const database: Check = {
  name: 'database',
  async run(config) {
    const location = describeLocation(config.database);
    try {
      const state = await inspectDatabase(config.database);
      if (!state) return ok(`${location} does not exist yet: the next start creates it.`);
      return [
        ok(`${location} can be read and written.`),
        checkMigrations(state),
        ...checkPlans(state, config),
        ...(state.ahead === undefined ? [] : [compareClocks('Its', state.ahead)]),
      ];
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      const advice =
        config.database.kind === 'postgres'
          ? 'Start the server, allow connections to it, or change DATABASE_URL.'
          : 'Make the user that runs the gateway the owner of the file and its folder, or change DATABASE_URL.';
      return problem(error.message, advice);
    }
  },
};

function checkMigrations({ pending, unknown }: DatabaseState): Finding {
  if (unknown.length > 0) {
    return problem(describeNewer(unknown), adviceForNewer);
  }
  if (pending.length === 0) return ok('Its tables are up to date.');
  return ok(`The next start brings its tables up to date, by ${formatCount(pending.length, 'change')}.`);
}

function checkPlans({ plans }: DatabaseState, config: Config): Finding[] {
  // With an authentication service elsewhere, that service names the plans.
  const missing = config.introspection ? [] : plans.filter((plan) => !Object.hasOwn(config.plans, plan));
  if (missing.length === 0) return [];
  const names = missing.map((plan) => `"${plan}"`).join(', ');
  return [
    problem(
      `Accounts are on plans that PLANS does not have: ${names}.`,
      'Add them there, or move the accounts to other plans: npm run accounts -- plan NAME PLAN.',
    ),
  ];
}

export const redis: Check = {
  name: 'Redis',
  async run({ redisUrl }) {
    if (redisUrl === undefined) return ok('The gateway counts limits itself.');
    const { host } = new URL(redisUrl);
    try {
      const link = await Link.open(redisUrl, defaultTimeout, (ask) => ask(['PING']));
      try {
        return [ok(`Redis at ${host} responds.`), ...(await checkRedis(link.ask))];
      } finally {
        link.close('checked');
      }
    } catch (error) {
      return problem(
        `Redis at ${host} cannot be used: ${(error as Error).message}.`,
        'Start it, or correct REDIS_URL. Until then each replica counts limits by itself.',
      );
    }
  },
};

async function checkRedis(ask: Ask): Promise<Finding[]> {
  await ask(['EVAL', 'return 1', '0']);
  const sentAt = Date.now();
  const [seconds, microseconds] = ((await ask(['TIME'])) as string[]).map(Number);
  const here = (sentAt + Date.now()) / 2;
  const ahead = (seconds ?? 0) * 1000 + (microseconds ?? 0) / 1000 - here;
  const lines = String(await ask(['INFO'])).split('\r\n');
  const info: Info = Object.fromEntries(lines.map((line) => line.split(':', 2)));
  return [compareClocks('Its', ahead), checkAppendOnlyFile(info), checkEviction(info)];
}

/** The fields of Redis's INFO. */
type Info = Readonly<Record<string, string | undefined>>;

function checkAppendOnlyFile({ aof_enabled }: Info): Finding {
  if (aof_enabled === '1') return ok('It writes every count to disk.');
  return warning(
    'It does not write every count to disk: a restart loses counts that no gateway remembers.',
    'Set appendonly yes in its configuration.',
  );
}

function checkEviction({ maxmemory = '0', maxmemory_policy: policy = 'noeviction' }: Info): Finding {
  if (maxmemory === '0' || policy === 'noeviction') return ok('It never evicts counts.');
  return warning(
    `It evicts counts when its memory is full (maxmemory-policy ${policy}).`,
    'Set maxmemory-policy noeviction in its configuration.',
  );
}

/** A key that no service has issued. */
const invalidKey = 'npm-run-doctor-asks-about-a-made-up-key';

export const authenticationService: Check = {
  name: 'authentication service',
  async run({ introspection, plans }) {
    if (!introspection) return ok('Keys are checked in the gateway itself.');
    const { origin } = new URL(introspection.url);
    const client = introspectionClient(introspection);
    try {
      return await checkIntrospection(client, origin, introspection, plans);
    } catch (error) {
      return problem(
        `${origin} gives no usable response: ${reasonOf(error)}.`,
        'Start it, or correct INTROSPECTION_URL and INTROSPECTION_SECRET.',
      );
    } finally {
      await client.close();
    }
  },
};

async function checkIntrospection(
  client: IntrospectionClient,
  origin: string,
  { clientId }: IntrospectionService,
  plans: Plans,
): Promise<Finding[]> {
  const sentAt = Date.now();
  const { body, date } = await client.introspect(invalidKey);
  const receivedAt = Date.now();
  if (parseIntrospection(body, {}, plans, receivedAt).state === 'valid') {
    return [problem(`${origin} accepts an invalid key.`, 'Correct INTROSPECTION_URL, or that service.')];
  }
  const findings = [ok(`${origin} responds to "${clientId}" and rejects an invalid key.`)];
  const moment = Date.parse(date ?? '');
  if (Number.isNaN(moment)) return findings;
  // A Date header has no milliseconds: on average it is half a second behind.
  return [...findings, compareClocks('Its', moment + 500 - (sentAt + receivedAt) / 2)];
}
