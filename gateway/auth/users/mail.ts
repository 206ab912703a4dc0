import { createTransport } from 'nodemailer';
import type { UsersConfig } from '../../config.ts';
import type { Log } from '../../log/logger.ts';
import type { Attempts } from '../attempts.ts';

/** Subject, and what is before and after the link. */
const mails = {
  /** A link that confirms the address. */
  verification: [
    'Confirm your address',
    'Open this link to confirm your address and to use your Pastpaper account:',
    'The link is valid for one hour. If you did not sign up, ignore this mail.',
  ],
  /** A link to the page that sets a new password. */
  reset: [
    'Set a new password',
    'Open this link to set a new password for your Pastpaper account:',
    'The link works once and is valid for one hour. If you did not ask for it, ignore this mail.',
  ],
  /** For a second sign-up with an address: its response must not reveal that there is an account. */
  existingAccount: [
    'You have an account already',
    'Someone, perhaps you, signed up for Pastpaper with this address. It already has an account. Sign in or set a new password here:',
  ],
} as const;

/** Sends a link to a user. */
export type SendMail = (kind: keyof typeof mails, to: string, link: string) => Promise<void>;

/** Milliseconds for the connection to the mail server, and for each of its responses. */
const timeLimit = 10_000;

/** Mails to one address: whatever causes them, nobody's mailbox is filled. */
const mailsByEmail = { name: 'mails', windowMs: 3_600_000, limit: 5 };

/**
 * Sends mail through the SMTP server of the settings. It never rejects: a response must not depend on whether mail
 * was sent. Failures are logged without address and link, and mails beyond the limit of an address are not sent.
 */
export function smtpMailer(
  { server, from }: NonNullable<UsersConfig['mail']>,
  attempts: Attempts,
  log: Log,
): SendMail {
  const transport = createTransport({
    url: server,
    connectionTimeout: timeLimit,
    greetingTimeout: timeLimit,
    socketTimeout: timeLimit,
  });
  return async (kind, to, link) => {
    const [subject, before, ...after] = mails[kind];
    try {
      const { isAllowed } = await attempts.take(mailsByEmail, to.toLowerCase());
      if (!isAllowed) return log('A mail was not sent: its address has had too many in the last hour.');
      await transport.sendMail({ from, to, subject, text: `${[before, link, ...after].join('\n\n')}\n` });
    } catch (error) {
      const { code, responseCode } = error as { code?: string; responseCode?: number };
      log(`A mail could not be sent (${[code, responseCode].filter(Boolean).join(' ')}).`);
    }
  };
}
