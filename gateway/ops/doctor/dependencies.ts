/** Checks of what the gateway depends on: database, release source, authentication service and mail server. */
import type { Plans } from '../../../build/release/plans.ts';
import { readPointer } from '../../../build/release/store/pointer.ts';
import { isPulled } from '../../../build/release/store/pull.ts';
import { openStore, StoreError } from '../../../build/release/store/store.ts';
import { parseIntrospection } from '../../access/introspection.ts';
import { type IntrospectionClient, introspectionClient } from '../../access/introspection-client.ts';
import { type DatabaseState, inspectDatabase } from '../../auth/store/inspect.ts';
import { adviceForNewer, describeNewer } from '../../auth/store/migrations.ts';
import { StorageError } from '../../auth/store/store.ts';
import type { Config, IntrospectionService } from '../../config.ts';
import { describeLocation } from '../../config-values.ts';
import { reasonOf } from '../../log/logger.ts';
import { publicKeyOf } from '../../release/pull-release.ts';
import { type Check, compareClocks, type Finding, formatCount, ok, problem, warning } from './check.ts';

export const database: Check = {
  name: 'database',
  async run(config) {
    const location = describeLocation(config.database);
    try {
      const state = await inspectDatabase(config.database);
      if (!state) return ok(`${location} does not exist yet. The next start creates it.`);
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
  if (pending.length === 0) return ok('Its schema is up to date.');
  return ok(`The next start migrates its schema, with ${formatCount(pending.length, 'change')}.`);
}

function checkPlans({ plans }: DatabaseState, config: Config): Finding[] {
  // With an authentication service elsewhere, that service names the plans.
  const missing = config.introspection ? [] : plans.filter((plan) => !Object.hasOwn(config.plans, plan));
  if (missing.length === 0) return [];
  const names = missing.map((plan) => `"${plan}"`).join(', ');
  return [
    problem(
      `Accounts have plans that are not configured: ${names}.`,
      'Add the plans to "plans" in pastpaper.config.json, or to PLANS, or change the accounts: pastpaper accounts plan NAME PLAN.',
    ),
  ];
}

/** A key that no service has issued. */
const invalidKey = 'npm-run-doctor-asks-about-a-made-up-key';

export const releaseSource: Check = {
  name: 'release source',
  async run({ releaseSource: source, distDir }) {
    if (!source) return ok('RELEASE_SOURCE is not set. Releases are built or copied here.');
    const store = await openStore(source.location, { attempts: 1 });
    try {
      const read = await readPointer(store, publicKeyOf(source));
      if (!read || read === 'unchanged')
        return problem(`${store.name} has no release.`, 'Run pastpaper releases push where you build.');
      const { release, publishedAt } = read.pointer;
      const findings = [
        ok(`${store.name} has release ${release}, pushed at ${publishedAt}.`),
        (await isPulled(distDir, store.name, read.text))
          ? ok('It is here.')
          : warning(
              'It is not here yet.',
              'A gateway fetches it within seconds. If it does not, its log says why.',
            ),
      ];
      return source.publicKey === undefined && source.location.url.startsWith('http:')
        ? [
            ...findings,
            warning(
              `${store.name} is not HTTPS, and releases need not be signed. Others on the network can replace them.`,
              'Use HTTPS, or set RELEASE_PUBLIC_KEY.',
            ),
          ]
        : findings;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return problem(
        `${store.name} cannot be used: ${error.message}.`,
        'Start it, or correct RELEASE_SOURCE, RELEASE_PUBLIC_KEY and the credentials. Until then, the gateway serves the last release.',
      );
    } finally {
      await store.close();
    }
  },
};

export const authenticationService: Check = {
  name: 'authentication service',
  async run({ introspection, plans }) {
    if (!introspection) return ok('INTROSPECTION_URL is not set. The gateway checks keys itself.');
    const { origin } = new URL(introspection.url);
    const client = introspectionClient(introspection);
    try {
      return await checkIntrospection(client, origin, introspection, plans);
    } catch (error) {
      return problem(
        `${origin} sent no valid response: ${reasonOf(error)}.`,
        'Start it, or correct INTROSPECTION_URL and INTROSPECTION_SECRET.',
      );
    } finally {
      await client.close();
    }
  },
};

export const mail: Check = {
  name: 'mail',
  async run({ introspection, users }) {
    if (introspection) return ok('The authentication service sends email.');
    if (!users.mail)
      return ok(
        'SMTP_URL is not set, so no email is sent. If a user forgets a password, run pastpaper accounts reset-link EMAIL.',
      );
    const { openTransport } = await import('../../auth/users/mail.ts');
    const { host } = new URL(users.mail.server);
    const transport = openTransport(users.mail.server);
    try {
      await transport.verify();
      return ok(`The mail server ${host} accepts connections and the credentials in SMTP_URL.`);
    } catch (error) {
      return problem(
        `The mail server ${host} cannot be used: ${(error as Error).message.trim()}.`,
        'Start it, or correct SMTP_URL.',
      );
    } finally {
      transport.close();
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
    return [problem(`${origin} accepts an invalid key.`, 'Correct INTROSPECTION_URL, or fix the service.')];
  }
  const findings = [ok(`${origin} responds to "${clientId}" and rejects an invalid key.`)];
  const moment = Date.parse(date ?? '');
  if (Number.isNaN(moment)) return findings;
  // A Date header has no milliseconds: on average it is half a second behind.
  return [...findings, compareClocks('Its', moment + 500 - (sentAt + receivedAt) / 2)];
}
