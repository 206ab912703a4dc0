import { type AnsweredResponse, routeOf } from '../ops/route.ts';
import type { Details } from './log.ts';
import { requestIdOf } from './request-id.ts';

/** What a line in the log says of a request: nothing that its client chose, but for the id of a trusted proxy. */
export function ofRequest(response: AnsweredResponse): Details {
  const { account, keyId } = response.locals?.key ?? {};
  return {
    requestId: requestIdOf(response),
    route: routeOf(response),
    ...(account !== undefined && { account }),
    ...(keyId !== undefined && { keyId }),
  };
}
