import type { RequestHandler } from 'express';
import type { Log } from '../../../log/log.ts';
import { answer, answerError } from '../answer.ts';
import { invalidEmail } from './email.ts';
import type { PeopleOf } from './people-of.ts';

/**
 * Has a link to set a new password sent, if the address has an account. The answer waits for nothing, so that
 * the time it takes does not tell.
 */
export function requestReset(peopleOf: PeopleOf, log: Log): RequestHandler {
  return (request, response) => {
    const email: unknown = request.body?.email;
    if (typeof email !== 'string' || !/^[^\s@]+@[^\s@]+$/.test(email)) {
      return answerError(response, 400, invalidEmail);
    }
    answer(response, 200, {});
    return peopleOf(request)
      .then(({ api }) => api.requestPasswordReset({ body: { email } }))
      .catch((error: Error) => log('A link to set a new password could not be made.', error));
  };
}
