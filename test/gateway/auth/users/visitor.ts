import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

/** What the service answered. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The text as JSON; undefined when it is empty. */
  // biome-ignore lint/suspicious/noExplicitAny: what it is, each test asserts.
  readonly body: any;
}

/** Someone who signs up. */
export interface Person {
  readonly email: string;
  readonly password: string;
}

/** Somebody whom the service does not know yet. */
export function somebody(): Person {
  return { email: `${randomUUID()}@example.org`, password: `a phrase ${randomUUID()}` };
}

let addresses = 0;

/** An address that no other visitor of this process has. */
function nextAddress(): string {
  addresses += 1;
  return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/**
 * Asks the service as a browser does: it keeps cookies and follows no redirect. It comes from an address of
 * its own, which counts where the settings are `behindProxy`.
 */
export class Visitor {
  readonly authUrl: string;
  /** By name. */
  readonly cookies = new Map<string, string>();
  /** What every request bears. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(authUrl: string, headers: Readonly<Record<string, string>> = {}) {
    this.authUrl = authUrl;
    this.headers = { 'X-Forwarded-For': nextAddress(), ...headers };
  }

  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer> {
    return this.ask('GET', path, undefined, headers);
  }

  /** @param body of a type that JSON has */
  post(path: string, body: unknown = {}, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.ask('POST', path, JSON.stringify(body), { 'Content-Type': 'application/json', ...headers });
  }

  /** @param path beneath /auth/, or a whole address */
  async ask(
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(path.startsWith('http') ? path : `${this.authUrl}/${path}`, {
      method,
      headers: { ...this.headers, ...(cookie !== '' && { Cookie: cookie }), ...headers },
      redirect: 'manual',
      ...(body !== undefined && { body }),
    });
    for (const set of answer.headers.getSetCookie()) this.#keep(set);
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      body: text === '' ? undefined : JSON.parse(text),
    };
  }

  #keep(set: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
    if (value === '' || /; *max-age=0/i.test(set)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }

  /** The same person at another address. */
  elsewhere(): Visitor {
    const visitor = new Visitor(this.authUrl);
    for (const [name, value] of this.cookies) visitor.cookies.set(name, value);
    return visitor;
  }

  signUp({ email, password }: Person, more: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
    return this.post('sign-up/email', { name: email, email, password, ...more });
  }

  signIn({ email, password }: Person): Promise<Answer> {
    return this.post('sign-in/email', { email, password });
  }
}

/** All of an answer that an outsider can tell apart. */
export function seen({ status, text, headers }: Answer): unknown {
  return { status, text, headers: [...headers].filter(([name]) => name !== 'date') };
}

/** Asks until the answer is what it comes to be. */
export async function until<Value>(
  ask: () => Promise<Value>,
  isIt: (value: Value) => boolean,
): Promise<Value> {
  for (;;) {
    const value = await ask();
    if (isIt(value)) return value;
    await delay(50);
  }
}

/** A visitor who has signed up, where no mail is sent, and signed in. */
export async function signedIn(authUrl: string, person = somebody()): Promise<Visitor> {
  const visitor = new Visitor(authUrl);
  for (const answer of [await visitor.signUp(person), await visitor.signIn(person)]) {
    if (answer.status !== 200) throw new Error(`The service answered ${answer.status}: ${answer.text}`);
  }
  return visitor;
}
