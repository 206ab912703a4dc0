import type { Clock } from '../../../clock.ts';
import type { Config } from '../../../config.ts';
import { defaultPlan } from '../../../limits/plans.ts';
import { MissingError } from '../../request-error.ts';
import type { Database } from '../../store/tables.ts';
import { keptSessionSecret } from './session-secret.ts';

/**
 * A link to set a new password, for the operator to hand on where no mail is sent.
 *
 * @param email the address that the person signs in with
 * @throws MissingError when no one signs in with it
 */
export async function resetLink(
  config: Config,
  database: Database,
  clock: Clock,
  email: string,
): Promise<string> {
  const { people, plans, dataDir, host, port } = config;
  const user = await database
    .selectFrom('users')
    .select('email')
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
  if (!user)
    throw new MissingError(`No one signs in as "${email}". npm run accounts -- list shows who does.`);
  const links: string[] = [];
  const { openPeople } = await import('./people.ts');
  const { api } = openPeople({
    database,
    kind: config.database.kind,
    providers: {},
    origin: people.publicUrl ?? `http://${host}:${port}`,
    secureCookies: false,
    sessionSecret: people.sessionSecret ?? (await keptSessionSecret(dataDir)),
    plan: defaultPlan(plans),
    post: {
      verification: async () => {},
      reset: async (_to, link) => void links.push(link),
      existingAccount: async () => {},
    },
    clock,
    log: () => {},
  });
  await api.requestPasswordReset({ body: { email: user.email } });
  const [link] = links;
  if (link === undefined) throw new Error('No link was made.');
  return link;
}
