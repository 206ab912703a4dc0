import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../config.ts';
import { type Check, type Finding, problem } from './check.ts';

/** A finding, and the check whose it is. */
export type Told = Finding & { readonly check: string };

/**
 * Runs checks side by side.
 *
 * @param timeLimit milliseconds that each has
 * @returns what they found, in the order of the checks
 */
export async function runChecks(
  checks: readonly Check[],
  config: Config,
  timeLimit: number,
): Promise<readonly Told[]> {
  const findings = await Promise.all(
    checks.map(async (check) => (await look(check, config, timeLimit)).map((each) => told(check.name, each))),
  );
  return findings.flat();
}

export function told(check: string, finding: Finding): Told {
  return { check, ...finding };
}

async function look(check: Check, config: Config, timeLimit: number): Promise<readonly Finding[]> {
  const late = delay(timeLimit, undefined, { ref: false }).then(() => [
    problem(
      `This could not be told within ${timeLimit / 1000} s.`,
      'See what holds it up: a disk, or the network.',
    ),
  ]);
  return Promise.race([check.look(config), late]).catch((error: Error) => [
    problem(`This could not be told: ${error.message}.`, 'Run this as the user that runs the gateway.'),
  ]);
}
