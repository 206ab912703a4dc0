import { createHmac, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { UserError } from '../../build/release/user-error.ts';
import type { Clock } from '../clock.ts';
import { calendarOf } from '../limits/decision.ts';
import type { AccountRow, Database } from './store/tables.ts';

/** A request cannot be met. With its status, the authentication service responds. */
export class RequestError extends UserError {
  override readonly exitStatus = 1;
  /** 409: accounts or keys are in a state that does not allow the request. */
  readonly status: 400 | 401 | 404 | 409;

  constructor(message: string, status: RequestError['status'] = 409) {
    super(message);
    this.status = status;
  }
}

export const notSignedIn = 'You are not signed in.';

/** Finds an account by the operator's name for it, and creates it if it is new. */
export async function findOrCreateAccount(
  database: Database,
  now: number,
  name: string,
  plan: string,
): Promise<AccountRow> {
  await insertAccount(database, { name, plan, createdAt: now, userId: null });
  return database
    .selectFrom('accounts')
    .selectAll()
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
}

/**
 * Finds the account of a user, and creates it at the first sign-in. Its name is the user's address, or address and id if
 * the operator has given that name to another account. Its id is a keyed hash of the address: after a deletion, the
 * next account of the address continues the month's usage.
 *
 * @param secret of the service
 * @param plan of a new account
 * @throws RequestError when there is no such user any more
 */
export async function accountOfUser(
  database: Database,
  clock: Clock,
  secret: string,
  userId: string,
  plan: string,
): Promise<AccountRow> {
  const find = (from: Database) =>
    from.selectFrom('accounts').selectAll().where('userId', '=', userId).executeTakeFirst();
  const account = await find(database);
  if (account) return account;
  return database.transaction().execute(async (transaction) => {
    // Locks the user, so that no deletion comes between.
    const user = await transaction
      .updateTable('users')
      .set((set) => ({ email: set.ref('email') }))
      .where('id', '=', userId)
      .returning('email')
      .executeTakeFirst();
    // It was deleted meanwhile.
    if (!user) throw new RequestError(notSignedIn, 401);
    const id = idOfAddress(secret, user.email);
    const createdAt = clock.now();
    for (const name of [user.email, `${user.email} (${userId})`]) {
      await insertAccount(transaction, { id, name, plan, createdAt, userId });
      const created = await find(transaction);
      if (created) return created;
    }
    throw new Error('The name of a new account is taken.');
  });
}

function idOfAddress(secret: string, email: string): string {
  const hmac = createHmac('sha256', secret).update(`account\n${email.toLowerCase()}`);
  return `acc_${hmac.digest('base64url').slice(0, 36)}`;
}

/** Does nothing if the name or the user already has an account: another process may have created it just now. */
async function insertAccount(
  database: Database,
  account: Pick<AccountRow, 'name' | 'plan' | 'createdAt' | 'userId'> & Partial<AccountRow>,
): Promise<void> {
  await database
    .insertInto('accounts')
    .values({ id: `acc_${randomUUID()}`, quotaMail: 0, ...account })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Moves an account to another plan, from the next key check on, or blocks or unblocks it: the keys of a blocked account
 * are rejected, and its user is signed out and cannot sign in.
 *
 * @returns its id
 * @throws RequestError when there is no account with this name
 */
export function changeAccount(
  database: Database,
  name: string,
  changes: Partial<Pick<AccountRow, 'plan' | 'blockedAt'>>,
): Promise<string> {
  return database.transaction().execute(async (transaction) => {
    const { id, userId } = await requireAccount(transaction, name);
    await transaction.updateTable('accounts').set(changes).where('id', '=', id).execute();
    if (userId !== null && changes.blockedAt)
      await transaction.deleteFrom('sessions').where('userId', '=', userId).execute();
    return id;
  });
}

/**
 * Deletes an account with its keys and usage and, if it belongs to a user, the user with all sessions and links. Of a
 * user, the sum of this month's usage stays until the month ends, for `accountOfUser`. Usage in Redis expires there.
 */
export async function deleteAccount(
  database: Database,
  clock: Clock,
  { id, userId }: AccountRow,
): Promise<void> {
  const keptMonth = userId === null ? '' : calendarOf(clock.now()).month;
  return database.transaction().execute(async (transaction) => {
    // Sessions and logins are deleted with the user, which is first, as in `accountOfUser`.
    await transaction
      .deleteFrom('users')
      .where('id', '=', userId ?? '')
      .execute();
    await lockAccount(transaction, id);
    await transaction.deleteFrom('keys').where('accountId', '=', id).execute();
    await transaction.deleteFrom('accounts').where('id', '=', id).execute();
    await transaction
      .deleteFrom('usage')
      .where('account', '=', id)
      .where('month', '!=', keptMonth)
      .execute();
    await transaction.deleteFrom('keyUsage').where('account', '=', id).execute();
    await transaction
      .deleteFrom('verifications')
      .where('value', '=', userId ?? '')
      .execute();
  });
}

/** Removes the usage of deleted accounts in months that have ended. @param now milliseconds since 1970, UTC */
export async function removeEndedUsage(database: Database, now: number): Promise<void> {
  await database
    .deleteFrom('usage')
    .where('month', '<', calendarOf(now).month)
    .where('account', 'not in', database.selectFrom('accounts').select('id'))
    .execute();
}

/** Locks an account until a transaction ends. Writes an unchanged value, because SQLite has no `for update`. */
export async function lockAccount(transaction: Database, id: string): Promise<void> {
  await transaction
    .updateTable('accounts')
    .set((set) => ({ plan: set.ref('plan') }))
    .where('id', '=', id)
    .execute();
}

/** @throws RequestError when there is no account with this name */
export async function requireAccount(database: Database, name: string): Promise<AccountRow> {
  const account = await database
    .selectFrom('accounts')
    .selectAll()
    .where('name', '=', name)
    .executeTakeFirst();
  if (account) return account;
  throw new RequestError(
    `There is no account "${name}". Run npx pastpaper accounts list to see all accounts.`,
    404,
  );
}

export type AccountListing = Awaited<ReturnType<typeof listAccounts>>[number];

/** Lists all accounts, oldest first, or the one with an id. Times are ISO 8601, UTC. */
export async function listAccounts(database: Database, clock: Clock, id?: string) {
  const now = clock.now();
  const keys = database
    .selectFrom('keys')
    .select(['accountId', (select) => select.fn.max('lastUsedAt').as('lastUsedAt')])
    .select((select) => select.fn.countAll<number>().filterWhere(keyEnd, '>', now).as('live'))
    .groupBy('accountId')
    .as('keysOfAccount');
  const rows = await database
    .selectFrom('accounts')
    .leftJoin('users', 'users.id', 'accounts.userId')
    .leftJoin(keys, 'keysOfAccount.accountId', 'accounts.id')
    .leftJoin('usage', (join) =>
      join.onRef('usage.account', '=', 'accounts.id').on('usage.month', '=', calendarOf(now).month),
    )
    .select([
      'accounts.id',
      'accounts.name',
      'accounts.plan',
      'accounts.createdAt',
      'accounts.blockedAt',
    ])
    .select(['users.email', 'usage.used', 'keysOfAccount.live', 'keysOfAccount.lastUsedAt'])
    .where((where) => where.and(id === undefined ? {} : { 'accounts.id': id }))
    .orderBy('accounts.createdAt')
    .orderBy('accounts.id')
    .execute();
  return rows.map(({ live, used, email, lastUsedAt, ...account }) => ({
    id: account.id,
    name: account.name,
    /** Address of the user; null if the operator created the account. */
    email,
    plan: account.plan,
    state: account.blockedAt === null ? ('active' as const) : ('blocked' as const),
    createdAt: new Date(account.createdAt).toISOString(),
    blockedAt: isoOrNull(account.blockedAt),
    liveKeys: live ?? 0,
    /** Requests counted this month. */
    used: used ?? 0,
    /** When one of its keys was last used, to the minute. */
    lastUsedAt: isoOrNull(lastUsedAt),
  }));
}

/** When a key was revoked, or else expires: milliseconds since 1970, UTC. An index has this expression. */
export const keyEnd = sql<number>`coalesce("revokedAt", "expiresAt", 9007199254740991)`;

/** Whether a name of an account or a key is one line, with a character that is visible. */
export function isName(name: string): boolean {
  // Hangul fillers are letters that are ignorable, and the blank of braille is a symbol.
  const shown = name.replace(/[\p{Default_Ignorable_Code_Point}\u2800]/gu, '');
  return !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) && /[\p{L}\p{N}\p{P}\p{S}]/u.test(shown);
}

/** @param moment milliseconds since 1970, UTC */
export function isoOrNull(moment: number | null): string | null {
  return moment === null ? null : new Date(moment).toISOString();
}
