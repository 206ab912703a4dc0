import { request } from 'playwright-core';
import { addUsage } from '../../gateway/accounts/add-usage.ts';
import type { Mailbox } from '../../gateway/accounts/users/mailbox.ts';
import type { RunningGateway } from '../../gateway/running-gateway.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** Keys of the sample account, with the time since they were created and last used. `lifetime` is in days. */
const keys = [
  { name: 'Workshop', made: 62 * day, used: 34 * day, lifetime: 30 },
  { name: 'Prototype', made: 48 * day, used: 41 * day, lifetime: null, revoked: 40 * day },
  { name: 'Laptop', made: 33 * day, used: 3 * day, lifetime: 90 },
  { name: 'Nightly import', made: 12 * day, used: 9 * hour, lifetime: 365 },
  { name: 'Mock test app', made: 2 * day, used: 4 * 60_000, lifetime: null },
] as const;

/** Requests by day of the month. */
const requests = [
  12, 31, 44, 9, 0, 3, 52, 61, 40, 37, 21, 4, 1, 57, 68, 66, 49, 30, 22, 6, 19, 33, 41, 38, 2, 0,
  27, 45,
];

/**
 * Creates an account with keys and usage.
 *
 * @param mailbox the mailbox that receives mail of the gateway
 * @returns the cookies of the session
 */
export async function fillSampleAccount({ baseUrl, database }: RunningGateway, mailbox: Mailbox) {
  const person = { email: 'asha.verma@example.org', password: 'a phrase of five words' };
  const client = await request.newContext({ baseURL: baseUrl });
  await client.post('/auth/sign-up/email', { data: { ...person, name: person.email } });
  await client.get((await mailbox.next(person.email)).link);
  await client.post('/auth/sign-in/email', { data: person });
  await client.get('/auth/account');
  const now = Date.now();
  const ids: string[] = [];
  for (const key of keys) {
    const { id } = await (
      await client.post('/auth/keys', { data: { name: key.name, expiresIn: null } })
    ).json();
    ids.push(id);
    const createdAt = now - key.made;
    await database
      .updateTable('keys')
      .set({
        createdAt,
        lastUsedAt: now - key.used,
        expiresAt: key.lifetime === null ? null : createdAt + key.lifetime * day,
        revokedAt: 'revoked' in key ? now - key.revoked : null,
      })
      .where('id', '=', id)
      .execute();
  }
  const { id: account } = await database
    .selectFrom('accounts')
    .select('id')
    .where('name', '=', person.email)
    .executeTakeFirstOrThrow();
  const [, , laptop = '', nightly = '', app = ''] = ids;
  await addUsage(
    database,
    usageUntil(now).flatMap(({ day, used }, index) => [
      { account, day, key: laptop, used: Math.round(used / 5) },
      {
        account,
        day,
        key: nightly,
        used: used - Math.round(used / 5),
        rejectedByRate: index % 4 === 0 ? 7 : 0,
      },
      ...(index % 7 === 2 ? [{ account, day, key: app, used: 11, rejectedByRate: 2 }] : []),
    ]),
  );
  return client.storageState();
}

/** Usage of each day of the month up to a time, in UTC. */
function usageUntil(now: number) {
  const today = new Date(now).toISOString().slice(0, 10);
  return requests
    .map((used, index) => ({
      day: `${today.slice(0, 8)}${String(index + 1).padStart(2, '0')}`,
      used,
    }))
    .filter((entry) => entry.day <= today && entry.used > 0);
}
