import { type GatewayResponse, refuse, type Step } from '../http.ts';
import type { KeyCheck, VerifyKey } from '../key-check.ts';
import { readCredentials } from './authorization.ts';

/** Lets a request on if it bears a valid API key (section 5 of the specification). */
export function requireKey(verifyKey: VerifyKey): Step {
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
    if (!(check instanceof Promise)) return goOn(check, response, next);
    return check.then((checked) => goOn(checked, response, next));
  };
}

function goOn(check: KeyCheck, response: GatewayResponse, next: () => void): unknown {
  switch (check.state) {
    case 'unknown':
    case 'expired':
    case 'revoked':
      return refuse(response, 'invalidKey');
    case 'unavailable':
      return refuse(response, 'authenticationUnreachable');
    case 'valid':
      response.locals.key = check;
      return next();
  }
}
