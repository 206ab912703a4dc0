import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { calendarOf } from '../limits/calendar.ts';
import { isoOrNull, liveKeys } from './listing.ts';
import { MissingError } from './request-error.ts';
import type { AccountRow, Database, UserRow } from './store/tables.ts';

/** An account as lists show it. Moments are ISO 8601, UTC. */
export interface AccountListing {
  readonly id: string;
  readonly name: string;
  /** Address that its person signs in with; null where the operator made the account. */
  readonly email: string | null;
  readonly plan: string;
  readonly state: 'active' | 'blocked';
  readonly createdAt: string;
  readonly blockedAt: string | null;
  /** Keys that work now. */
  readonly liveKeys: number;
  /** Requests counted this month. */
  readonly used: number;
}

/** The account that the operator calls by a name; a name that is new makes one. */
export async function findOrCreateAccount(
  database: Database,
  now: number,
  name: string,
  plan: string,
): Promise<AccountRow> {
  await insertAccount(database, newAccount(now, name, plan, null));
  return database.selectFrom('accounts').selectAll().where('name', '=', name).executeTakeFirstOrThrow();
}

/**
 * The account of a person. It is made when the person first comes, and named by the address; where the
 * operator gave that name to another account already, by address and id.
 *
 * @param plan of a new account
 */
export async function accountOfUser(
  database: Database,
  clock: Clock,
  { id, email }: UserRow,
  plan: string,
): Promise<AccountRow> {
  for (const name of [email, `${email} (${id})`]) {
    const found = await database
      .selectFrom('accounts')
      .selectAll()
      .where('userId', '=', id)
      .executeTakeFirst();
    if (found) return found;
    await insertAccount(database, newAccount(clock.now(), name, plan, id));
  }
  return database.selectFrom('accounts').selectAll().where('userId', '=', id).executeTakeFirstOrThrow();
}

/** All accounts, oldest first. */
export async function listAccounts(database: Database, clock: Clock): Promise<AccountListing[]> {
  return readListings(database, clock.now());
}

/**
 * Puts an account on another plan. It counts from the next check of a key on; what was used this month stays.
 *
 * @throws MissingError when there is no such account
 */
export async function changePlan(
  database: Database,
  clock: Clock,
  name: string,
  plan: string,
): Promise<AccountListing> {
  return update(database, clock.now(), name, { plan });
}

/**
 * Blocks an account: its keys are refused, and its person is signed out and cannot sign in. Blocking it
 * again changes nothing.
 *
 * @throws MissingError when there is no such account
 */
export async function blockAccount(database: Database, clock: Clock, name: string): Promise<AccountListing> {
  return database.transaction().execute(async (transaction) => {
    const { id, userId, blockedAt } = await requireAccount(transaction, name);
    await transaction
      .updateTable('accounts')
      .set({ blockedAt: blockedAt ?? clock.now() })
      .where('id', '=', id)
      .execute();
    if (userId !== null) await transaction.deleteFrom('sessions').where('userId', '=', userId).execute();
    return listingOf(transaction, clock.now(), id);
  });
}

/**
 * Lets a blocked account in again, with the keys it had.
 *
 * @throws MissingError when there is no such account
 */
export async function unblockAccount(
  database: Database,
  clock: Clock,
  name: string,
): Promise<AccountListing> {
  return update(database, clock.now(), name, { blockedAt: null });
}

/** @throws MissingError when there is no such account */
export async function requireAccount(database: Database, name: string): Promise<AccountRow> {
  const account = await database
    .selectFrom('accounts')
    .selectAll()
    .where('name', '=', name)
    .executeTakeFirst();
  if (account) return account;
  throw new MissingError(`There is no account "${name}". npm run accounts -- list shows them.`);
}

/** The plans that accounts are on. */
export async function plansInUse(database: Database): Promise<string[]> {
  const rows = await database.selectFrom('accounts').select('plan').distinct().orderBy('plan').execute();
  return rows.map(({ plan }) => plan);
}

function update(
  database: Database,
  now: number,
  name: string,
  changes: Partial<Pick<AccountRow, 'plan' | 'blockedAt'>>,
): Promise<AccountListing> {
  return database.transaction().execute(async (transaction) => {
    const { id } = await requireAccount(transaction, name);
    await transaction.updateTable('accounts').set(changes).where('id', '=', id).execute();
    return listingOf(transaction, now, id);
  });
}

function newAccount(now: number, name: string, plan: string, userId: string | null): AccountRow {
  return { id: `acc_${randomUUID()}`, name, plan, createdAt: now, userId, blockedAt: null };
}

/** Does nothing where the name or the person has an account: another process may have made it just now. */
async function insertAccount(database: Database, account: AccountRow): Promise<void> {
  await database
    .insertInto('accounts')
    .values(account)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function listingOf(database: Database, now: number, id: string): Promise<AccountListing> {
  const [listing] = await readListings(database, now, id);
  if (!listing) throw new Error('An account was removed while it was changed.');
  return listing;
}

async function readListings(database: Database, now: number, id?: string): Promise<AccountListing[]> {
  const live = liveKeys(database, now)
    .select(['accountId', (select) => select.fn.countAll<number>().as('count')])
    .groupBy('accountId')
    .as('live');
  const query = database
    .selectFrom('accounts')
    .leftJoin('users', 'users.id', 'accounts.userId')
    .leftJoin(live, 'live.accountId', 'accounts.id')
    .leftJoin('usage', (join) =>
      join.onRef('usage.account', '=', 'accounts.id').on('usage.month', '=', calendarOf(now).month),
    )
    .select(['accounts.id', 'accounts.name', 'accounts.plan', 'accounts.createdAt', 'accounts.blockedAt'])
    .select(['users.email', 'live.count', 'usage.used'])
    .orderBy('accounts.createdAt')
    .orderBy('accounts.id');
  const rows = await (id === undefined ? query : query.where('accounts.id', '=', id)).execute();
  return rows.map(({ count, used, email, ...account }) => ({
    id: account.id,
    name: account.name,
    email,
    plan: account.plan,
    state: account.blockedAt === null ? 'active' : 'blocked',
    createdAt: new Date(account.createdAt).toISOString(),
    blockedAt: isoOrNull(account.blockedAt),
    liveKeys: count ?? 0,
    used: used ?? 0,
  }));
}
