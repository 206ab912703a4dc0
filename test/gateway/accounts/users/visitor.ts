import { randomUUID } from 'node:crypto';

/** A response of the service. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed JSON; undefined if the text is empty. */
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts its shape.
  readonly body: any;
}

/** The credentials of a user. */
export interface NewUser {
  readonly email: string;
  readonly password: string;
}

/** Returns the credentials of a user who has not signed up yet. */
export function newUser(): NewUser {
  return { email: `${randomUUID()}@example.org`, password: `a phrase ${randomUUID()}` };
}

let addresses = 0;

/** Returns an IP address that no other visitor of this process has. */
function nextAddress(): string {
  addresses += 1;
  return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/**
 * Sends requests to the service as a browser does: it stores cookies, but follows no redirects. It has its own IP
 * address if the settings are `behindProxy`.
 */
export class Visitor {
  readonly authUrl: string;
  /** Values by name. */
  readonly cookies = new Map<string, string>();
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(authUrl: string, headers: Readonly<Record<string, string>> = {}) {
    this.authUrl = authUrl;
    this.headers = { 'X-Forwarded-For': nextAddress(), ...headers };
  }

  /** The cookie of the session: name and value. */
  get session(): readonly [string, string] | undefined {
    return [...this.cookies].find(([name]) => name.endsWith('session_token'));
  }

  get(path: string, headers?: Readonly<Record<string, string>>): Promise<ServiceResponse> {
    return this.request('GET', path, undefined, headers);
  }

  /** @param body to send as JSON */
  post(
    path: string,
    body: unknown = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ServiceResponse> {
    return this.request('POST', path, JSON.stringify(body), {
      'Content-Type': 'application/json',
      ...headers,
    });
  }

  /** @param path below /auth/, or a URL */
  async request(
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ServiceResponse> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(path.startsWith('http') ? path : `${this.authUrl}/${path}`, {
      method,
      headers: { ...this.headers, ...(cookie !== '' && { Cookie: cookie }), ...headers },
      redirect: 'manual',
      ...(body !== undefined && { body }),
    });
    for (const set of response.headers.getSetCookie()) this.#storeCookie(set);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? undefined : JSON.parse(text),
    };
  }

  #storeCookie(set: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
    if (value === '' || /; *max-age=0/i.test(set)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }

  /** Sends a DELETE request. */
  remove(path: string, body: unknown = {}): Promise<ServiceResponse> {
    return this.request('DELETE', path, JSON.stringify(body), {
      'Content-Type': 'application/json',
    });
  }

  /** The same session from another IP address. */
  elsewhere(address = nextAddress()): Visitor {
    const visitor = new Visitor(this.authUrl, { 'X-Forwarded-For': address });
    for (const [name, value] of this.cookies) visitor.cookies.set(name, value);
    return visitor;
  }

  signUp(
    { email, password }: NewUser,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<ServiceResponse> {
    return this.post('sign-up/email', { name: email, email, password, ...more });
  }

  signIn({ email, password }: NewUser): Promise<ServiceResponse> {
    return this.post('sign-in/email', { email, password });
  }

  /** Creates a key for the user who is signed in, by default one that never expires. */
  async createKey(key: object = { name: 'laptop', expiresIn: null }) {
    return (await this.post('keys', key)).body;
  }
}

/** The parts of a response that must not reveal whether an account exists. */
export function visibleParts({ status, text, headers }: ServiceResponse): unknown {
  return { status, text, headers: [...headers].filter(([name]) => name !== 'date') };
}

/** The status of a download with a key. */
export async function statusOf(baseUrl: string, key: string): Promise<number> {
  const headers = { Authorization: `Bearer ${key}` };
  const response = await fetch(`${baseUrl}/neet/2024/s1/physics.json`, { headers });
  await response.arrayBuffer();
  return response.status;
}

/** Signs up and signs in, at a service that sends no mails. */
export async function signedIn(authUrl: string, user = newUser()): Promise<Visitor> {
  const visitor = new Visitor(authUrl);
  for (const response of [await visitor.signUp(user), await visitor.signIn(user)]) {
    if (response.status !== 200)
      throw new Error(`The service responded with ${response.status}: ${response.text}`);
  }
  return visitor;
}
