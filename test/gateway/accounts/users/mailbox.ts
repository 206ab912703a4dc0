import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface Mail {
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  /** The first link in the text. */
  readonly link: string;
}

/** A mail server on this machine, with the mails that it received. */
export interface Mailbox {
  /** Its SMTP_URL. */
  readonly url: string;
  /** Received mails that `next` has not returned. */
  readonly mails: readonly Mail[];
  /** Waits for the next mail to an address, and removes it. */
  next(to: string): Promise<Mail>;
  close(): Promise<void>;
}

/** Opens a mail server that accepts every mail, without a password. */
export async function openMailbox(): Promise<Mailbox> {
  const mails: Mail[] = [];
  const arrivals = new EventEmitter();
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    onData(stream, { envelope }, done) {
      text(stream).then((source) => {
        for (const { address } of envelope.rcptTo) mails.push(readMail(address, source));
        arrivals.emit('mail');
        done();
      }, done);
    },
  });
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    url: `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    mails,
    async next(to) {
      for (;;) {
        const index = mails.findIndex((mail) => mail.to === to);
        const [mail] = index < 0 ? [] : mails.splice(index, 1);
        if (mail) return mail;
        await once(arrivals, 'mail');
      }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function readMail(to: string, source: string): Mail {
  const end = source.indexOf('\r\n\r\n');
  const header = (name: string) =>
    new RegExp(`^${name}: (.*)$`, 'im').exec(source.slice(0, end))?.[1] ?? '';
  // Quoted-printable (RFC 2045, 6.7).
  const body = source.slice(end).replaceAll('=\r\n', '').replaceAll('=3D', '=');
  const [link = ''] = /http\S+/.exec(body) ?? [];
  return { to, from: header('From'), subject: header('Subject'), text: body.trim(), link };
}
