import type { RedisLocation } from '../../config-values.ts';
import { RedisUnavailable } from '../store.ts';
import { addressOf, type OnBreak, openServer, type RedisClient, urlAt } from './client.ts';

type SentinelLocation = Extract<RedisLocation, { kind: 'sentinel' }>;

/** Milliseconds between checks whether Sentinels have promoted a replica. */
const checkInterval = 1000;

/**
 * Connects to the primary that Sentinels monitor, and asks them again and again: an isolated primary does not know that
 * it has been replaced. `createSentinel` of @redis/client would break a promise of docs/faults.md: with it, all commands
 * wait for a Sentinel that hangs, fail when no Sentinel responds, and go to the primary of the first one that does.
 *
 * @throws RedisUnavailable
 */
export async function openPrimary(
  location: SentinelLocation,
  timeout: number,
  onBreak: OnBreak,
): Promise<RedisClient> {
  const url = await findPrimary(location, timeout);
  const client = await openServer(url, timeout, onBreak);
  const timer = setInterval(async () => {
    const current = await findPrimary(location, timeout).catch(() => url);
    if (current !== url) onBreak(`the primary is now ${new URL(current).host}`, '');
  }, checkInterval).unref();
  const close = () => {
    clearInterval(timer);
    client.close();
  };
  return { ...client, disconnect: close, close };
}

/**
 * Finds the primary that Sentinels monitor. If they disagree, the one of the latest failover: a Sentinel that was down
 * or isolated still names the one before.
 *
 * @param timeout milliseconds that each of them has to reply
 * @returns its URL
 * @throws RedisUnavailable when none of them knows it
 */
export async function findPrimary(location: SentinelLocation, timeout: number): Promise<string> {
  const views = await Promise.allSettled(
    location.urls.map((url) => askSentinel(url, location.name, timeout)),
  );
  const known = views.flatMap((view) => (view.status === 'fulfilled' ? [view.value] : []));
  const [latest] = known.sort((one, other) => other.epoch - one.epoch);
  if (!latest) throw (views[0] as PromiseRejectedResult).reason;
  return urlAt(`${location.urls[0]}/${location.database}`, latest.address);
}

/**
 * Asks a Sentinel for the primary, `HOST:PORT`, and the number of its last failover.
 *
 * @param url with the credentials of Redis. They are sent only to a Sentinel that requires them.
 * @throws RedisUnavailable
 */
export async function askSentinel(url: string, name: string, timeout: number) {
  const anonymous = new URL(url);
  anonymous.username = '';
  anonymous.password = '';
  const ask = async (to: string) => {
    const client = await openServer(to, timeout, undefined, timeout);
    return client.ask('', ['SENTINEL', 'MASTER', name]).finally(() => client.close());
  };
  try {
    const fields = (await ask(anonymous.href).catch((error: Error) => {
      if (error.message.startsWith('NOAUTH')) return ask(url);
      throw error;
    })) as readonly string[];
    const field = (key: string) => fields[fields.indexOf(key) + 1] ?? '';
    return { address: addressOf(field('ip'), field('port')), epoch: Number(field('config-epoch')) };
  } catch (error) {
    throw new RedisUnavailable(`Sentinel at ${anonymous.host}: ${(error as Error).message}`);
  }
}
