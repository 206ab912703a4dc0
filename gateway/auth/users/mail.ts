import { createTransport } from 'nodemailer';
import type { UsersConfig } from '../../config.ts';
import type { Log } from '../../log/logger.ts';
import { type Attempts, emailLimits } from '../attempts.ts';
import mails from './mails.json' with { type: 'json' };

/**
 * Sends a link to a user. `mails.json` has the texts: `verification` confirms the address, `reset` leads to the page that
 * sets a new password, `existingAccount` is for a second sign-up, whose response must not reveal that there is an account.
 */
export type SendMail = (kind: keyof typeof mails, to: string, link: string) => Promise<void>;

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
  return async (kind, to, link) => {
    const { subject, paragraphs } = mails[kind];
    const text = paragraphs.join('\n\n').replace('{{name}}', () => name);
    try {
      const { isAllowed } = await attempts.take(emailLimits.mails, to.toLowerCase());
      if (!isAllowed) return log('An email was not sent, because its address received too many in the last hour.');
      const sender = { name, address: from };
      await transport.sendMail({ from: sender, to, subject, text: `${text.replace('{{link}}', () => link)}\n` });
    } catch (error) {
      const { code, responseCode } = error as { code?: string; responseCode?: number };
      log(`An email could not be sent (${[code, responseCode].filter(Boolean).join(' ')}).`);
    }
  };
}
