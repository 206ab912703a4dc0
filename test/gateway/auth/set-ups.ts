import { defaultSetUp, skipOf } from '../running-gateway.ts';

/** Settings of a service whose visitors' addresses a proxy tells: each `Visitor` has one of its own. */
export const behindProxy = { TRUST_PROXY: '1' };

/** The set-up of a run of tests; that of `npm run test:long -- postgres` and `redis` is another. */
export const setUps = [{ setUp: defaultSetUp, skip: skipOf(defaultSetUp) }];
