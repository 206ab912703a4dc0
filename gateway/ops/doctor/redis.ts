import { type Ask, Link } from '../../limits/redis/link.ts';
import { usualPatience } from '../../limits/redis/open.ts';
import { type Check, type Finding, ok, problem, warning } from './check.ts';
import { judgeClock } from './clock.ts';

export const redis: Check = {
  name: 'Redis',
  async look({ redisUrl }) {
    if (redisUrl === undefined) return [ok('Limits are kept by the gateway itself.')];
    const { host } = new URL(redisUrl);
    try {
      const link = await Link.open(redisUrl, usualPatience, (ask) => ask(['PING']));
      try {
        return [ok(`Redis at ${host} answers.`), ...(await judge(link.ask))];
      } finally {
        link.close('looked at');
      }
    } catch (error) {
      return [
        problem(
          `Redis at ${host} cannot be used: ${(error as Error).message}.`,
          'Start it, or correct REDIS_URL. Until then each replica keeps limits by itself.',
        ),
      ];
    }
  },
};

async function judge(ask: Ask): Promise<Finding[]> {
  await ask(['EVAL', 'return 1', '0']);
  const asked = Date.now();
  const [seconds, microseconds] = ((await ask(['TIME'])) as string[]).map(Number);
  const here = (asked + Date.now()) / 2;
  const ahead = (seconds ?? 0) * 1000 + (microseconds ?? 0) / 1000 - here;
  const facts = new Map(
    String(await ask(['INFO']))
      .match(/^\w+:.*/gm)
      ?.map((line) => factOf(line)),
  );
  return [judgeClock('Its', ahead), judgeLog(facts), judgeMemory(facts)];
}

/** A line of Redis's INFO. */
function factOf(line: string): readonly [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}

function judgeLog(facts: ReadonlyMap<string, string>): Finding {
  if (facts.get('aof_enabled') === '1') return ok('It writes counts to disk as they come.');
  return warning(
    'It writes no log of what it counts: a restart loses the counts that no gateway remembers.',
    'Set appendonly yes in its configuration.',
  );
}

function judgeMemory(facts: ReadonlyMap<string, string>): Finding {
  const [bound, policy = 'noeviction'] = [facts.get('maxmemory'), facts.get('maxmemory_policy')];
  if (bound === undefined || bound === '0' || policy === 'noeviction')
    return ok('It gives up no counts for memory.');
  return warning(
    `When its memory is full it gives up counts (maxmemory-policy ${policy}).`,
    'Set maxmemory-policy noeviction in its configuration.',
  );
}
