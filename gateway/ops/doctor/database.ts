import { type DatabaseState, lookAtDatabase } from '../../auth/look-at.ts';
import { StorageError } from '../../auth/store/database.ts';
import { describeLocation } from '../../auth/store/location.ts';
import type { Config } from '../../config.ts';
import { type Check, type Finding, ok, problem } from './check.ts';
import { judgeClock } from './clock.ts';
import { counted } from './words.ts';

export const database: Check = {
  name: 'database',
  async look(config) {
    const where = describeLocation(config.database);
    try {
      const state = await lookAtDatabase(config.database);
      if (!state) return [ok(`${where} is not there yet: the next start makes it.`)];
      return [
        ok(`${where} can be read and written.`),
        judgeVersion(state),
        ...judgePlans(state, config),
        ...(state.ahead === undefined ? [] : [judgeClock('Its', state.ahead)]),
      ];
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      const advice =
        config.database.kind === 'postgres'
          ? 'Start the server, open the way to it, or change DATABASE_URL.'
          : 'Give the file and its folder to the user that runs the gateway, or change DATABASE_URL.';
      return [problem(error.message, advice)];
    }
  },
};

function judgeVersion({ pending, unknown }: DatabaseState): Finding {
  if (unknown.length > 0) {
    return problem(
      `A newer version of this program has changed it (${unknown.join(', ')}).`,
      'Run that version, or restore the database from before.',
    );
  }
  if (pending.length === 0) return ok('Its tables are up to date.');
  return ok(`The next start brings its tables up to date, by ${counted(pending.length, 'change')}.`);
}

function judgePlans({ plans }: DatabaseState, config: Config): Finding[] {
  // The service elsewhere says whose plan is what.
  const missing = config.introspection ? [] : plans.filter((plan) => !Object.hasOwn(config.plans, plan));
  if (missing.length === 0) return [];
  const names = missing.map((plan) => `"${plan}"`).join(', ');
  return [
    problem(
      `Accounts are on plans that PLANS does not have: ${names}.`,
      'Add them there, or put the accounts on others by npm run accounts -- plan NAME PLAN.',
    ),
  ];
}
