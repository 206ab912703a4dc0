import { type RequestHandler, Router } from 'express';
import type { Clock } from '../../../clock.ts';
import { createOwnKey, type OwnCreatedKey, rotateKey } from '../../create-key.ts';
import { type KeyListing, listOwnKeys } from '../../listing.ts';
import { revokeOwnKey } from '../../revoke-key.ts';
import type { Database } from '../../store/tables.ts';
import { allow, answer, answerError, answerNotFound } from '../answer.ts';
import { jsonBody } from '../body.ts';
import { limitAttempts } from '../people/attempts.ts';
import type { SessionResponse } from '../people/session.ts';

/** Bytes of a body: a name, and for how long. */
const longestBody = 4 * 1024;
/** Characters of a key's name. */
const longestName = 100;
/** Seconds. */
const longestLifetime = 10 * 366 * 86_400;
const longestOverlap = 90 * 86_400;

/** More keys than one makes by hand. */
const orders = { windowMs: 60_000, limit: 30, failedOnly: false };

/** The keys of the account that is signed in: to list, make, rotate and revoke. */
export function keyRoutes(
  signedIn: RequestHandler,
  database: Database,
  prefix: string,
  clock: Clock,
): Router {
  const router = Router();
  const json = jsonBody(longestBody);

  router.get('/', signedIn, async (_request, response: SessionResponse) => {
    const keys = await listOwnKeys(database, clock, response.locals.signedIn.account.id);
    answer(response, 200, { keys: keys.map(shown) });
  });

  router.post('/', limitAttempts(orders), json, signedIn, async (request, response: SessionResponse) => {
    const { name, expiresIn } = request.body ?? {};
    if (!isName(name)) return answerError(response, 400, nameFault);
    if (expiresIn !== null && !isSeconds(expiresIn, 1, longestLifetime)) {
      return answerError(
        response,
        400,
        `expiresIn is seconds, at most ${longestLifetime}, or null: for ever.`,
      );
    }
    const { account } = response.locals.signedIn;
    const lifetime = expiresIn === null ? undefined : expiresIn * 1000;
    const key = await createOwnKey(database, clock, account.id, { name: name.trim(), lifetime, prefix });
    return answer(response, 201, created(key));
  });

  router.all('/', allow('GET', 'POST'));

  router.param('id', (_request, response, next, id: string) => {
    if (/^key_[0-9a-f-]{36}$/.test(id)) next();
    else answerError(response, 404, 'There is no such key.');
  });

  router.post(
    '/:id/rotate',
    limitAttempts(orders),
    json,
    signedIn,
    async (request, response: SessionResponse) => {
      const { overlap } = request.body ?? {};
      if (!isSeconds(overlap, 0, longestOverlap)) {
        return answerError(response, 400, `overlap is seconds, from 0 to ${longestOverlap}.`);
      }
      const { account } = response.locals.signedIn;
      const rotation = { id: String(request.params['id']), overlap: overlap * 1000, prefix };
      const key = await rotateKey(database, clock, account.id, rotation);
      return answer(response, 201, created(key));
    },
  );
  router.all('/:id/rotate', allow('POST'));

  router.delete('/:id', signedIn, async (request, response: SessionResponse) => {
    const { account } = response.locals.signedIn;
    answer(
      response,
      200,
      shown(await revokeOwnKey(database, clock, account.id, String(request.params['id']))),
    );
  });
  router.all('/:id', allow('DELETE'));

  router.use(answerNotFound);
  return router;
}

const nameFault = `name is 1 to ${longestName} characters in one line.`;

function isName(name: unknown): name is string {
  if (typeof name !== 'string' || name.trim() === '') return false;
  return name.length <= longestName && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name);
}

function isSeconds(value: unknown, least: number, most: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
}

/** A key as its owner sees it: account and plan are said once, not with each key. */
function shown({ account: _account, plan: _plan, ...key }: KeyListing) {
  return key;
}

function created({ key, ...listing }: OwnCreatedKey) {
  return { ...shown(listing), key };
}
