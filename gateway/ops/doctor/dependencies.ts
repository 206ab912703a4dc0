/** Checks of what the gateway depends on: database, authentication service and mail server. */
import { parseIntrospection } from '../../access/introspection.ts';
import { introspectionClient } from '../../access/introspection-client.ts';
import { type DatabaseState, inspectDatabase, unknownPlans } from '../../auth/store/inspect.ts';
import { adviceForNewer, describeNewer } from '../../auth/store/migrations.ts';
import { StorageError } from '../../auth/store/store.ts';
import { describeLocation } from '../../config-values.ts';
import { reasonOf } from '../../log/logger.ts';
import {
  type Check,
  compareClocks,
  type Finding,
  formatCount,
  found,
  ok,
  problem,
} from './check.ts';

export const database: Check = {
  name: 'database',
  async *run(config) {
    const location = describeLocation(config.database);
    try {
      const state = await inspectDatabase(config.database);
      if (!state) return yield ok(`${location} does not exist yet. The next start creates it.`);
      yield ok(`${location} can be read and written.`);
      yield checkMigrations(state);
      // With an authentication service elsewhere, that service names the plans.
      const missing = config.introspection ? [] : unknownPlans(state.plans, config.plans);
      if (missing.length > 0) yield found('unknown-plans', { plans: missing.join(', ') });
      if (state.ahead !== undefined) yield compareClocks('Its', state.ahead);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      yield problem(
        error.message,
        config.database.kind === 'postgres'
          ? 'Start the server, allow connections to it, or change DATABASE_URL.'
          : 'Make the user that runs the gateway the owner of the file and its folder, or change DATABASE_URL.',
      );
    }
  },
};

function checkMigrations({ pending, unknown }: DatabaseState): Finding {
  if (unknown.length > 0) return problem(describeNewer(unknown), adviceForNewer);
  if (pending.length === 0) return ok('Its schema is up to date.');
  return ok(`The next start migrates its schema, with ${formatCount(pending.length, 'change')}.`);
}

/** A key that no service has issued. */
const invalidKey = 'npm-run-doctor-asks-about-a-made-up-key';

export const authenticationService: Check = {
  name: 'authentication service',
  async *run({ introspection, plans }) {
    if (!introspection)
      return yield ok('INTROSPECTION_URL is not set. The gateway checks keys itself.');
    const { origin } = new URL(introspection.url);
    const client = introspectionClient(introspection);
    try {
      const sentAt = Date.now();
      const { body, date } = await client.introspect(invalidKey);
      const receivedAt = Date.now();
      if (parseIntrospection(body, {}, plans, receivedAt).state === 'valid')
        return yield found('invalid-key-accepted', { origin });
      yield ok(`${origin} responds to "${introspection.clientId}" and rejects an invalid key.`);
      const moment = Date.parse(date ?? '');
      // A Date header has no milliseconds: on average it is half a second behind.
      if (!Number.isNaN(moment))
        yield compareClocks('Its', moment + 500 - (sentAt + receivedAt) / 2);
    } catch (error) {
      yield found('no-valid-response', { origin, reason: reasonOf(error) });
    } finally {
      await client.close();
    }
  },
};

export const mail: Check = {
  name: 'mail',
  async *run({ introspection, users }) {
    if (introspection) return yield ok('The authentication service sends email.');
    if (!users.mail)
      return yield ok(
        'SMTP_URL is not set, so no email is sent. If a user forgets a password, run npx pastpaper accounts reset-link EMAIL.',
      );
    const { openTransport } = await import('../../auth/users/mail.ts');
    const { host } = new URL(users.mail.server);
    const transport = openTransport(users.mail.server);
    try {
      await transport.verify();
      yield ok(`The mail server ${host} accepts connections and the credentials in SMTP_URL.`);
    } catch (error) {
      yield found('mail-unusable', { host, reason: (error as Error).message.trim() });
    } finally {
      transport.close();
    }
  },
};
