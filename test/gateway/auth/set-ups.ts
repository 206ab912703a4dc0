import { defaultSetUp, skipOf } from '../running-gateway.ts';

/** Settings of a service behind a proxy: each `Visitor` sends its own address in X-Forwarded-For. */
export const behindProxy = { TRUST_PROXY: '1' };

/** The set-up of a test run, which `npm run test:long -- postgres` and `redis` change. */
export const setUps = [{ setUp: defaultSetUp, skip: skipOf(defaultSetUp) }];
