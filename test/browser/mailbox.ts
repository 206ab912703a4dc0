import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';

/** A mail server on this machine, and what came to it. */
export interface Mailbox {
  /** Its address, as `SMTP_URL` takes it. */
  readonly url: string;
  /** The link in the next mail to an address; waits for the mail. */
  nextLink(to: string): Promise<string>;
  close(): Promise<void>;
}

/** Opens a mail server that takes every mail, without a password. */
export async function openMailbox(): Promise<Mailbox> {
  const mails: { readonly to: string; readonly body: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    onData(stream, { envelope }, done) {
      text(stream).then((body) => {
        for (const { address } of envelope.rcptTo) mails.push({ to: address, body });
        done();
      }, done);
    },
  });
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    url: `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    async nextLink(to) {
      for (;;) {
        const index = mails.findIndex((mail) => mail.to === to);
        const [mail] = index < 0 ? [] : mails.splice(index, 1);
        if (mail) return linkIn(mail.body);
        await delay(20);
      }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The link of a mail; a long one is broken over lines (RFC 2045, 6.7). */
function linkIn(body: string): string {
  const [link] = /http\S+/.exec(body.replaceAll('=\r\n', '').replaceAll('=3D', '=')) ?? [];
  if (link === undefined) throw new Error('The mail has no link.');
  return link;
}
