import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { Locals } from '../http.ts';
import type { Target } from '../target.ts';

/** The kinds of targets by which requests are counted and logged: a path would make a series of its own of each. */
export const routes = [
  'root',
  'exam',
  'year',
  'file',
  'diagram',
  'page',
  'introspection',
  'auth',
  'malformed',
] as const;

export type Route = (typeof routes)[number];

/** A response as the steps leave it, if it came to them. */
export type AnsweredResponse = ServerResponse & { readonly locals?: Partial<Locals> };

/** The kind of what a request asked for. */
export function routeOf({ locals, req }: AnsweredResponse): Route {
  return locals?.target ? ofTarget(locals.target) : ofUrl(req as Request);
}

function ofTarget({ kind }: Target): Route {
  return kind === 'invalid-year' ? 'malformed' : kind;
}

/** What has no target was handed to the authentication service before one was read, or is no target of HTTP. */
function ofUrl({ originalUrl }: Request): Route {
  if (!originalUrl.startsWith('/auth')) return 'malformed';
  return originalUrl.startsWith('/auth/introspect') ? 'introspection' : 'auth';
}
