/** An answer of the service that is no success. The message is the service's own sentence. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** No answer that the service itself could have given. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';

  constructor() {
    super('The authentication service is not answering. Check your connection, or try again in a moment.');
  }
}

/** What a gateway or a proxy answers in place of a service that is down. */
const standIns = new Set([502, 503, 504]);

/**
 * Asks the service under `/auth/`.
 *
 * @param body is sent as JSON; undefined: no body
 * @returns what the service answers, which is believed to be of the type asked for
 * @throws Refusal when the service refuses; Unreachable when it does not answer
 */
export async function ask<Answer>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Answer> {
  const request: RequestInit = { method, cache: 'no-store', credentials: 'same-origin' };
  if (method !== 'GET') request.headers = { 'Content-Type': 'application/json' };
  if (body !== undefined) request.body = JSON.stringify(body);
  const response = await fetch(`/auth/${path}`, request).catch(() => {
    throw new Unreachable();
  });
  if (standIns.has(response.status)) throw new Unreachable();
  const answer: unknown = await response.json().catch(() => {
    throw new Unreachable();
  });
  if (!response.ok) throw refusal(response, answer);
  return answer as Answer;
}

/** Whether an error says that nobody is signed in. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof Refusal && error.status === 401;
}

/** The sentence to show for an error; one that is nobody's answer is a mistake of these pages. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Refusal || error instanceof Unreachable) return error.message;
  console.error(error);
  return 'Something in this page went wrong. Load it again, please.';
}

function refusal({ status }: Response, answer: unknown): Refusal {
  const error = (answer as { readonly error?: unknown } | null)?.error;
  return new Refusal(status, typeof error === 'string' ? error : `The service answered with ${status}.`);
}
