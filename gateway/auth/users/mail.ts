import { createTransport } from 'nodemailer';
import type { UsersConfig } from '../../config.ts';
import type { Log } from '../../log/logger.ts';
import { type Attempts, emailLimits } from '../attempts.ts';

/** Subject, and what is before and after the link. @param name of the bank */
const mailsOf = (name: string) =>
  ({
    /** A link that confirms the address. */
    verification: [
      'Confirm your address',
      `Open this link to confirm your address and to use your ${name} account:`,
      'The link is valid for one hour. If you did not sign up, ignore this email.',
    ],
    /** A link to the page that sets a new password. */
    reset: [
      'Set a new password',
      `Open this link to set a new password for your ${name} account:`,
      'The link works once and is valid for one hour. If you did not request it, ignore this email.',
    ],
    /** For a second sign-up with an address: its response must not reveal that there is an account. */
    existingAccount: [
      'You already have an account',
      `Someone, perhaps you, signed up for ${name} with this address. It already has an account. ` +
        'Sign in or set a new password here:',
    ],
  }) as const;

/** Sends a link to a user. */
export type SendMail = (kind: keyof ReturnType<typeof mailsOf>, to: string, link: string) => Promise<void>;

/** Opens connections to a mail server as they are needed. @param url `smtp:` or `smtps:`, with the credentials */
export function openTransport(url: string) {
  return createTransport({ url, connectionTimeout: timeLimit, greetingTimeout: timeLimit, socketTimeout: timeLimit });
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
  const mails = mailsOf(name);
  return async (kind, to, link) => {
    const [subject, before, ...after] = mails[kind];
    try {
      const { isAllowed } = await attempts.take(emailLimits.mails, to.toLowerCase());
      if (!isAllowed) return log('An email was not sent, because its address received too many in the last hour.');
      await transport.sendMail({
        from: { name, address: from },
        to,
        subject,
        text: `${[before, link, ...after].join('\n\n')}\n`,
      });
    } catch (error) {
      const { code, responseCode } = error as { code?: string; responseCode?: number };
      log(`An email could not be sent (${[code, responseCode].filter(Boolean).join(' ')}).`);
    }
  };
}
