import type { IncomingMessage } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import { everyAnswer } from '../build/release/headers.ts';
import { refuse, type Step } from './http.ts';
import type { Log } from './log/log.ts';
import { ofRequest } from './log/of-request.ts';
import { parseTarget, type Target } from './target.ts';

/** Every answer is of the type that it says. */
export const refuseSniffing: Step = (_request, response, next) => {
  response.set(everyAnswer);
  next();
};

/** URLs whose targets are remembered, and characters of the longest: clients ask for the same ones again and again. */
const mostRemembered = 10_000;
const longestRemembered = 100;

const remembered = new LRUCache<string, Target>({ max: mostRemembered });

/** Reads what the URL asks for, for the steps that follow. */
export const readTarget: Step = ({ url }, response, next) => {
  const known = remembered.get(url);
  const target = known ?? parseTarget(url);
  if (!known && url.length <= longestRemembered) remembered.set(url, target);
  response.locals.target = target;
  next();
};

/** Anything but GET is refused (design: HTTP). */
export const onlyGet: Step = (request, response, next) => {
  if (request.method === 'GET') next();
  else refuse(response, 'methodNotAllowed');
};

/** A request names one host (RFC 9112, 3.2) and a target of some endpoint's shape. */
export const onlyWellFormed: Step = (request, response, next) => {
  const { kind } = response.locals.target;
  if (kind === 'malformed' || !namesOneHost(request)) {
    refuse(response, 'malformedUrl');
  } else if (kind === 'invalid-year') {
    refuse(response, 'invalidYear');
  } else {
    next();
  }
};

/** A host by name or address, perhaps with a port (RFC 3986, 3.2.2 and 3.2.3); an empty one is none, and may be sent. */
const oneHost = /^(?:(?:[\w\-.~!$&'()*+,;=]|%[\da-f]{2})*|\[[\w\-.~!$&'()*+,;=:]+\])(?::\d*)?$/i;

/** The server joins several by a comma and a space, and no host holds a space. */
function namesOneHost({ headers: { host }, httpVersionMinor }: IncomingMessage): boolean {
  return host === undefined ? httpVersionMinor === 0 : oneHost.test(host);
}

/** Answers what a step threw, in no more words than that it failed. */
export function answerFault(log: Log): ErrorRequestHandler {
  return (error, _request, response, _next) => {
    log('A request failed inside the gateway.', error, ofRequest(response));
    if (response.headersSent) response.destroy();
    else refuse(response, 'internal');
  };
}
