import type { Request } from 'express';
import { type GatewayResponse, refuse, type Step } from '../http.ts';
import type { KeyCheck, VerifyKey } from '../key-check.ts';
import type { Log } from '../log/log.ts';
import { ofRequest } from '../log/of-request.ts';
import { readCredentials } from './authorization.ts';
import type { FailedKeys } from './failed-keys.ts';

/** Lets a request on if it bears a valid API key (section 5 of the specification). */
export function requireKey(verifyKey: VerifyKey, failedKeys: FailedKeys, log: Log): Step {
  return (request, response, next) => {
    const credentials = readCredentials(request);
    switch (credentials.state) {
      case 'missing':
        return refuse(response, 'missingKey');
      case 'malformed':
        return refuse(response, 'malformedAuthorization');
      case 'token':
        break;
    }
    const check = verifyKey(credentials.token, request.socket);
    if (!(check instanceof Promise)) return goOn(check, request, response, next);
    return check.then((checked) => goOn(checked, request, response, next));
  };

  function goOn(check: KeyCheck, request: Request, response: GatewayResponse, next: () => void): unknown {
    switch (check.state) {
      case 'unknown':
      case 'expired':
      case 'revoked':
        return failedKeys.refuse(request, response);
      case 'unavailable':
        log('A request was answered with 502: its key could not be checked.', undefined, ofRequest(response));
        return refuse(response, 'authenticationUnreachable');
      case 'valid':
        response.locals.key = check;
        return next();
    }
  }
}
