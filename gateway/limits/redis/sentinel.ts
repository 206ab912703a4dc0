import type { RedisLocation } from '../../config-values.ts';
import { RedisUnavailable } from '../store.ts';
import { addressOf, urlAt } from './address.ts';
import { type OnBreak, openServer, type RedisClient } from './client.ts';

type SentinelLocation = Extract<RedisLocation, { kind: 'sentinel' }>;

/** Milliseconds between checks whether Sentinels have promoted a replica. */
const checkInterval = 1000;

/** What a Sentinel knows about the primary. */
interface SentinelView {
  /** `HOST:PORT` */
  readonly address: string;
  /** Increases with each failover. */
  readonly epoch: number;
}

/**
 * Connects to the primary that Sentinels monitor, and asks them again and again: an isolated primary does not know that it
 * is none any more. `createSentinel` of @redis/client is not used: all commands wait whenever it asks, also for a Sentinel
 * that hangs, and it believes the first one that replies.
 *
 * @throws RedisUnavailable
 */
export async function openPrimary(location: SentinelLocation, timeout: number, onBreak: OnBreak): Promise<RedisClient> {
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
 * Finds the primary that Sentinels monitor. If they disagree, the one of the latest failover: a Sentinel that was down or
 * isolated still names the one before.
 *
 * @param timeout milliseconds that each of them has to reply
 * @returns its URL
 * @throws RedisUnavailable when none of them knows it
 */
export async function findPrimary(location: SentinelLocation, timeout: number): Promise<string> {
  const views = await Promise.allSettled(location.urls.map((url) => askSentinel(url, location.name, timeout)));
  const [latest] = views
    .flatMap((view) => (view.status === 'fulfilled' ? [view.value] : []))
    .sort((one, other) => other.epoch - one.epoch);
  if (!latest) throw views.flatMap((view) => (view.status === 'rejected' ? [view.reason] : []))[0];
  return urlAt(`${location.urls[0]}/${location.database}`, latest.address);
}

/**
 * @param url with the credentials of Redis. They are sent only to a Sentinel that requires them.
 * @throws RedisUnavailable
 */
export async function askSentinel(url: string, name: string, timeout: number): Promise<SentinelView> {
  const anonymous = new URL(url);
  anonymous.username = '';
  anonymous.password = '';
  try {
    return await readView(anonymous.href, name, timeout).catch((error: Error) => {
      if (error.message.startsWith('NOAUTH')) return readView(url, name, timeout);
      throw error;
    });
  } catch (error) {
    throw new RedisUnavailable(`Sentinel at ${anonymous.host}: ${(error as Error).message}`);
  }
}

async function readView(url: string, name: string, timeout: number): Promise<SentinelView> {
  const client = await openServer(url, timeout, undefined, timeout);
  try {
    const fields = (await client.ask('', ['SENTINEL', 'MASTER', name])) as readonly string[];
    const field = (key: string) => fields[fields.indexOf(key) + 1] ?? '';
    return { address: addressOf(field('ip'), field('port')), epoch: Number(field('config-epoch')) };
  } finally {
    client.close();
  }
}
