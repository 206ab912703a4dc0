import { createTransport } from 'nodemailer';
import type { Clock } from '../clock.ts';
import type { Config, UsersConfig } from '../config.ts';
import { calendarOf } from '../limits/decision.ts';
import type { UsageReader } from '../limits/store.ts';
import type { Log } from '../log/logger.ts';
import type { Attempts } from './attempts.ts';
import mails from './mails.json' with { type: 'json' };
import type { Database } from './store/tables.ts';

/**
 * Sends a link to a user. `mails.json` has the texts: `verification` confirms the address, `reset` leads to the page that
 * sets a new password, `existingAccount` is for a second sign-up, whose response must not reveal that there is an account,
 * `quota` says that most of the month's quota is used, with `values` for the numbers in its text.
 */
export type SendMail = (
  kind: keyof typeof mails,
  to: string,
  link: string,
  values?: Values,
) => Promise<void>;
type Values = Readonly<Record<string, string>>;

/** Opens connections to a mail server as they are needed. @param url `smtp:` or `smtps:`, with the credentials */
export function openTransport(url: string) {
  return createTransport({
    url,
    connectionTimeout: timeLimit,
    greetingTimeout: timeLimit,
    socketTimeout: timeLimit,
  });
}

/** Milliseconds for the connection to the mail server, and for each of its responses. */
const timeLimit = 10_000;

/**
 * Sends mail through the SMTP server of the settings. It never rejects: a response must not depend on whether mail
 * was sent. Failures are logged without address and link, and mails beyond the limit of an address are not sent.
 */
export function smtpMailer(
  { server, from }: NonNullable<UsersConfig['mail']>,
  name: string,
  attempts: Attempts,
  log: Log,
): SendMail {
  const transport = openTransport(server);
  return async (kind, to, link, values) => {
    const { subject, paragraphs } = mails[kind];
    const places: Values = { name, link, ...values };
    const text = paragraphs
      .join('\n\n')
      .replace(/\{\{(\w+)\}\}/g, (_, place: string) => places[place] ?? '');
    try {
      if (!attempts.take('mails', to.toLowerCase()))
        return log(
          'An email was not sent, because its address received too many in the last hour.',
        );
      const sender = { name, address: from };
      await transport.sendMail({ from: sender, to, subject, text: `${text}\n` });
    } catch (error) {
      const { code, responseCode } = error as { code?: string; responseCode?: number };
      log(`An email could not be sent (${[code, responseCode].filter(Boolean).join(' ')}).`);
    }
  };
}

/** The share of a month's quota that an email is about. */
const quotaShare = 0.8;

/** Milliseconds before the end of a key at which its owner gets an email. */
const expiryNotice = 7 * 86_400_000;

interface WarningParts {
  readonly plans: Config['plans'];
  readonly database: Database;
  readonly usage: Pick<UsageReader, 'read'>;
  readonly sendMail: SendMail;
  /** Scheme and host of the dashboard. */
  readonly origin: string;
  readonly clock: Clock;
  /** Whether to send no more. */
  isClosing(): boolean;
}

/**
 * Sends the emails that are due: once a month to each user who wants it and has used 80 % of the quota, and once to the
 * user of each key that expires within 7 days, unless the key was rotated or lasted no longer than that. Of several
 * processes, the one that stores first that it sends an email sends it.
 *
 * @throws the error of the database or of Redis
 */
export async function sendWarnings(parts: WarningParts): Promise<void> {
  await sendQuotaMails(parts);
  await sendExpiryMails(parts);
}

async function sendQuotaMails(parts: WarningParts): Promise<void> {
  const { plans, database, usage, sendMail, origin, clock, isClosing } = parts;
  const { month, monthEnd } = calendarOf(clock.now());
  const accounts = await database
    .selectFrom('accounts')
    .innerJoin('users', 'users.id', 'accounts.userId')
    .select(['accounts.id', 'accounts.plan', 'users.email'])
    .where('quotaMail', '=', 1)
    .where('quotaMailMonth', 'is distinct from', month)
    .where('blockedAt', 'is', null)
    .execute();
  for (const { id, plan, email } of accounts) {
    if (isClosing()) return;
    const quota = plans[plan]?.perMonth ?? Number.POSITIVE_INFINITY;
    const used = await usage.read(id, month);
    if (used < quota * quotaShare) continue;
    const claimed = await database
      .updateTable('accounts')
      .set({ quotaMailMonth: month })
      .where('id', '=', id)
      .where('quotaMailMonth', 'is distinct from', month)
      .returning('id')
      .executeTakeFirst();
    const values = {
      used: used.toLocaleString('en-GB'),
      quota: quota.toLocaleString('en-GB'),
      resetAt: dateOf(monthEnd),
    };
    if (claimed) await sendMail('quota', email, `${origin}/dashboard/`, values);
  }
}

async function sendExpiryMails(parts: WarningParts): Promise<void> {
  const { database, sendMail, origin, clock, isClosing } = parts;
  const now = clock.now();
  const keys = await database
    .selectFrom('keys')
    .innerJoin('accounts', 'accounts.id', 'keys.accountId')
    .innerJoin('users', 'users.id', 'accounts.userId')
    .select(['keys.id', 'keys.name as key', 'keys.start', 'keys.createdAt', 'keys.expiresAt'])
    .select('users.email')
    .where('keys.expiresAt', '>', now)
    .where('keys.expiresAt', '<=', now + expiryNotice)
    .where('keys.revokedAt', 'is', null)
    .where('keys.replacedBy', 'is', null)
    .where('keys.expiryMailAt', 'is', null)
    .where('accounts.blockedAt', 'is', null)
    .execute();
  for (const { id, key, start, createdAt, expiresAt, email } of keys) {
    if (isClosing()) return;
    if (expiresAt === null || expiresAt - createdAt <= expiryNotice) continue;
    const claimed = await database
      .updateTable('keys')
      .set({ expiryMailAt: now })
      .where('id', '=', id)
      .where('expiryMailAt', 'is', null)
      .returning('id')
      .executeTakeFirst();
    const values = { key, start, expiresOn: dateOf(expiresAt) };
    if (claimed) await sendMail('expiry', email, `${origin}/dashboard/`, values);
  }
}

/** `2026-11-21` */
function dateOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
