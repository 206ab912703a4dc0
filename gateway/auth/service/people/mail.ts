import { createTransport } from 'nodemailer';
import type { PeopleConfig } from '../../../config.ts';
import type { Log } from '../../../log/log.ts';
import type { Post } from './post.ts';

/** Milliseconds to reach the mail server, and for each of its answers. */
const timeLimit = 10_000;

/**
 * Sends links by mail, through the SMTP server of the settings. It never rejects: the one who asked for a
 * link is not told whether it left. Failures are logged without address and link.
 */
export function mailPost({ server, from }: NonNullable<PeopleConfig['mail']>, log: Log): Post {
  const transport = createTransport({
    url: server,
    connectionTimeout: timeLimit,
    greetingTimeout: timeLimit,
    socketTimeout: timeLimit,
  });

  async function send(to: string, subject: string, ...paragraphs: readonly string[]): Promise<void> {
    try {
      await transport.sendMail({ from, to, subject, text: `${paragraphs.join('\n\n')}\n` });
    } catch (error) {
      const { code, responseCode } = error as { code?: string; responseCode?: number };
      log(`A mail could not be sent (${[code, responseCode].filter(Boolean).join(' ')}).`);
    }
  }

  return {
    verification: (to, link) =>
      send(
        to,
        'Confirm your address',
        'Open this link to confirm your address and to use your Pastpaper account:',
        link,
        'It works for an hour. If you did not sign up, ignore this mail.',
      ),
    reset: (to, link) =>
      send(
        to,
        'Set a new password',
        'Open this link to set a new password for your Pastpaper account:',
        link,
        'It works once, within an hour. If you did not ask for it, ignore this mail.',
      ),
    existingAccount: (to, link) =>
      send(
        to,
        'You have an account already',
        'Someone, perhaps you, signed up at Pastpaper with this address. It has an account already: sign in, or set a new password there:',
        link,
      ),
  };
}
