import { skipOf } from '../../running-gateway.ts';

/** Settings of a service whose visitors' addresses a proxy tells: each `Visitor` has one of its own. */
export const behindProxy = { TRUST_PROXY: '1' };

/** Set-ups on which the service itself is tested: each engine once, embedded and by itself. */
export const onBothEngines = (['embedded', 'service-postgres'] as const).map((setUp) => ({
  setUp,
  skip: skipOf(setUp),
}));

/** Set-ups on which usage is tested: each place where it is counted, embedded and by itself. */
export const whereverUsageIs = (
  ['embedded', 'service-postgres', 'embedded-redis', 'service-redis'] as const
).map((setUp) => ({ setUp, skip: skipOf(setUp) }));
