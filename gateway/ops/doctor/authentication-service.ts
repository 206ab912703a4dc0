import type { Plans } from '../../../build/release/plans.ts';
import { IntrospectionClient } from '../../access/introspection-client.ts';
import { readIntrospection } from '../../access/introspection-response.ts';
import type { IntrospectionService } from '../../config.ts';
import { type Check, type Finding, ok, problem } from './check.ts';
import { judgeClock } from './clock.ts';

/** No service knows it: it is made up. */
const madeUpKey = 'npm-run-doctor-asks-about-a-made-up-key';

export const authenticationService: Check = {
  name: 'authentication service',
  async look({ introspection, plans }) {
    if (!introspection) return [ok('Keys are checked in the gateway itself.')];
    const { origin } = new URL(introspection.url);
    const client = new IntrospectionClient(introspection);
    try {
      return await ask(client, origin, introspection, plans);
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      return [
        problem(
          `${origin} gives no usable answer: ${message || code}.`,
          'Start it, or correct INTROSPECTION_URL and INTROSPECTION_SECRET.',
        ),
      ];
    } finally {
      await client.close();
    }
  },
};

async function ask(
  client: IntrospectionClient,
  origin: string,
  { clientId }: IntrospectionService,
  plans: Plans,
): Promise<Finding[]> {
  const asked = Date.now();
  const { body, date } = await client.answerTo(madeUpKey);
  const answered = Date.now();
  const check = readIntrospection(body, plans, answered);
  if (check.state === 'valid') {
    return [
      problem(
        `${origin} takes a made-up key for a valid one.`,
        'Correct INTROSPECTION_URL, or that service.',
      ),
    ];
  }
  const findings = [ok(`${origin} answers "${clientId}", and refuses a made-up key.`)];
  const moment = Date.parse(date ?? '');
  if (Number.isNaN(moment)) return findings;
  // A Date field says which second it was, not where in it.
  return [...findings, judgeClock('Its', moment + 500 - (asked + answered) / 2)];
}
