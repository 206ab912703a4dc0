import type { Request, RequestHandler, Response } from 'express';
import { answer, answerError, UnavailableError } from '../answer.ts';
import { invalidEmail } from './email.ts';
import type { People } from './people.ts';
import type { PeopleOf } from './people-of.ts';

/** Answers by handing on to better-auth: a body with these fields and no other. */
export type Forward = (fields?: FieldsOf) => RequestHandler;

/** What better-auth is told of a body. */
export type FieldsOf = (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;

export function forwardTo(peopleOf: PeopleOf): Forward {
  return (fieldsOf = () => ({})) =>
    async (request, response) => {
      const people = await peopleOf(request);
      const body = fieldsOf(isObject(request.body) ? request.body : {});
      const ask = () => people.handler(toWebRequest(request, body, String(people.options.baseURL)));
      const result = await ask();
      // Of two sign-ups at once with one address, the later now finds that there is an account.
      await relay(response, result.status === 422 ? await ask() : result, people, request.method);
    };
}

/** better-auth needs no header but the cookies: what says where a request came from has been looked at. */
function toWebRequest(
  { method, headers, originalUrl }: Request,
  body: unknown,
  origin: string,
): globalThis.Request {
  // Links have all they need in their query; what is sent has it in its body.
  const target = method === 'GET' ? originalUrl : originalUrl.split('?', 1)[0];
  return new globalThis.Request(new URL(target ?? '', origin), {
    method,
    headers: { 'Content-Type': 'application/json', Cookie: headers.cookie ?? '' },
    body: method === 'GET' ? null : JSON.stringify(body),
  });
}

/** Hands on status, cookies and where to go; of the body no more, for it holds the session's token. */
async function relay(
  response: Response,
  result: globalThis.Response,
  { options }: People,
  method: string,
): Promise<void> {
  const { status, headers } = result;
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) response.setHeader('Set-Cookie', cookies);
  const location = headers.get('Location');
  if (status >= 300 && status < 400 && location !== null) {
    return redirect(response, ownPath(location, String(options.baseURL)));
  }
  const body = await readBody(result);
  if (status < 400) return answer(response, 200, typeof body['url'] === 'string' ? { url: body['url'] } : {});
  if (status >= 500 || status === 422) throw new UnavailableError(`Accounts answered ${status}.`);
  const error = faultOf(body);
  if (method === 'GET') {
    const why = new URLSearchParams({ error: error ?? 'The link does not work.' });
    return redirect(response, `/dashboard/sign-in/?${why}`);
  }
  return answerError(response, status, error ?? 'The request cannot be read.');
}

/** A path of this service, whatever a link said: `/..//host` is one that resolves to another host. */
function ownPath(location: string, origin: string): string {
  const { origin: target, pathname, search, hash } = new URL(location, origin);
  const isOwn = target === origin && !pathname.startsWith('//');
  return isOwn ? pathname + search + hash : '/dashboard/sign-in/';
}

function redirect(response: Response, location: string): void {
  response.writeHead(302, { Location: location, 'Cache-Control': 'no-store', 'Content-Length': 0 }).end();
}

/** What is wrong with a request, in words for people; undefined: its form, which is no person's doing. */
function faultOf({ code, message }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof message !== 'string') return undefined;
  if (code !== 'VALIDATION_ERROR') return message;
  return message.startsWith('[body.email]') ? invalidEmail : undefined;
}

async function readBody(result: globalThis.Response): Promise<Readonly<Record<string, unknown>>> {
  const body: unknown = await result.json().catch(() => undefined);
  return isObject(body) ? body : {};
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
