import { closeAtEnd } from '../../close-at-end.ts';
import { FakeSystem, fixDate } from '../fake-system.ts';
import { type RunningGateway, runGateway } from '../running-gateway.ts';

/** Settings of a service behind a proxy: each `Visitor` sends its own address in X-Forwarded-For. */
export const behindProxy = { TRUST_PROXY: '1' };

/** The same, with sign-in through providers. */
export const withProviders = {
  ...behindProxy,
  GOOGLE_CLIENT_ID: 'our-google-id',
  GOOGLE_CLIENT_SECRET: 'our-google-secret',
  GITHUB_CLIENT_ID: 'our-github-id',
  GITHUB_CLIENT_SECRET: 'our-github-secret',
};

const shared = new Map<string, Promise<RunningGateway>>();
closeAtEnd(async () => {
  for (const running of shared.values()) await (await running).close();
});

/**
 * Runs a gateway that all tests of this process with the same settings share. It has users, keys and usage of others.
 * It is async for the test runner, which assigns tests to the suite that created the promise they wait for.
 */
export async function sharedGateway(
  settings: Readonly<Record<string, string>> = behindProxy,
): Promise<RunningGateway> {
  const name = JSON.stringify(settings);
  const running = shared.get(name) ?? runGateway(settings);
  shared.set(name, running);
  // The file of tests that started it may have been another one, and each begins with the date of its set-up.
  if ((await running).system instanceof FakeSystem) fixDate();
  return running;
}
