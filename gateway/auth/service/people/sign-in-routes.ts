import { type RequestHandler, Router } from 'express';
import type { PeopleConfig } from '../../../config.ts';
import type { Log } from '../../../log/log.ts';
import { allow, answerError } from '../answer.ts';
import { jsonBody } from '../body.ts';
import { limitAttempts, limitAttemptsFor } from './attempts.ts';
import { refuseLongEmail } from './email.ts';
import { forwardTo } from './forward.ts';
import type { PeopleOf } from './people-of.ts';
import { requestReset } from './request-reset.ts';

/** Bytes of a body: an address, a password, and where to go on. */
const longestBody = 8 * 1024;

const minute = 60_000;
const guesses = { windowMs: minute, limit: 10, failedOnly: true };
const guessesOfOne = { windowMs: 15 * minute, limit: 20, failedOnly: true };
const orders = { windowMs: 10 * minute, limit: 10, failedOnly: false };
/** What puts mails into someone's mailbox. */
const mailsToOne = { windowMs: 60 * minute, limit: 5, failedOnly: false };
const visits = { windowMs: minute, limit: 60, failedOnly: false };

/**
 * Sign-up, sign-in and what belongs to them: of all that better-auth answers, what the dashboard asks for, and
 * of what is sent there, the fields that are meant for it.
 */
export function signInRoutes(peopleOf: PeopleOf, { mail, providers }: PeopleConfig, log: Log): Router {
  // What passes here stands for the same there: better-auth's other endpoints are out of reach.
  const router = Router({ caseSensitive: true, strict: true });
  const forward = forwardTo(peopleOf);
  const json = [jsonBody(longestBody), refuseLongEmail];
  const mails = mail ? [limitAttemptsFor(mailsToOne)] : [];

  function post(path: string, ...handlers: readonly RequestHandler[]): void {
    router.post(path, json, ...handlers);
    router.all(path, allow('POST'));
  }

  post(
    '/sign-in/email',
    limitAttempts(guesses),
    limitAttemptsFor(guessesOfOne),
    forward(({ email, password, callbackURL }) => ({ email, password, callbackURL })),
  );
  post(
    '/sign-up/email',
    limitAttempts(orders),
    ...mails,
    // A name is asked for there, and used nowhere.
    forward(({ email, password, callbackURL }) => ({ name: email, email, password, callbackURL })),
  );
  post(
    '/sign-in/social',
    limitAttempts(orders),
    forward(({ provider, callbackURL, errorCallbackURL }) => ({ provider, callbackURL, errorCallbackURL })),
  );
  post(
    '/request-password-reset',
    limitAttempts(orders),
    ...mails,
    mail ? requestReset(peopleOf, log) : refuseReset,
  );
  post(
    '/reset-password',
    limitAttempts(guesses),
    forward(({ newPassword, token }) => ({ newPassword, token })),
  );
  post('/sign-out', forward());

  // Links of mails, and the way back from a provider: a browser follows them.
  for (const path of ['/verify-email', ...Object.keys(providers).map((name) => `/callback/${name}`)]) {
    router.head(path, allow('GET'));
    router.get(path, limitAttempts(visits), forward());
    router.all(path, allow('GET'));
  }
  return router;
}

const refuseReset: RequestHandler = (_request, response) => {
  answerError(response, 409, 'This service sends no mail: its operator can make you a link.');
};
