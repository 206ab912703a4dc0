import type { SetUp } from '../../running-gateway.ts';
import { postgres } from '../engines.ts';

/** Settings of a service whose visitors' addresses a proxy tells: each `Visitor` has one of its own. */
export const behindProxy = { TRUST_PROXY: '1' };

/** Set-ups on which the service itself is tested: each engine once, embedded and by itself. */
export const onBothEngines = (['embedded', 'service-postgres'] as const).map((setUp) => ({
  setUp,
  skip: skipOf(setUp),
}));

/** Why the tests of a set-up are skipped. */
export function skipOf(setUp: SetUp): string | false {
  return setUp.endsWith('postgres') ? postgres.skip : false;
}
