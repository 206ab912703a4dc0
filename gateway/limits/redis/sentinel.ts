import type { RedisLocation } from '../../config-values.ts';
import { RedisUnavailable } from '../store.ts';
import { addressOf, urlAt } from './address.ts';
import { Link } from './connection.ts';

type SentinelLocation = Extract<RedisLocation, { kind: 'sentinel' }>;

/** What a Sentinel knows about the primary. */
interface SentinelView {
  /** `HOST:PORT` */
  readonly address: string;
  /** Increases with each failover. */
  readonly epoch: number;
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
  const views = await Promise.allSettled(
    location.urls.map((url) => askSentinel(url, location.name, timeout)),
  );
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
    return await readView(anonymous.href, name, timeout);
  } catch (error) {
    if (!/^NOAUTH/.test((error as Error).message)) throw withHost(error, url);
  }
  return readView(url, name, timeout).catch((error: unknown) => {
    throw withHost(error, url);
  });
}

function withHost(error: unknown, url: string): RedisUnavailable {
  return new RedisUnavailable(`Sentinel at ${new URL(url).host}: ${(error as Error).message}`);
}

async function readView(url: string, name: string, timeout: number): Promise<SentinelView> {
  let fields: readonly string[] = [];
  const link = await Link.open(
    url,
    timeout,
    async (ask) => {
      fields = (await ask(['SENTINEL', 'MASTER', name])) as readonly string[];
    },
    { within: timeout },
  );
  link.close('asked');
  const field = (key: string) => fields[fields.indexOf(key) + 1] ?? '';
  return { address: addressOf(field('ip'), field('port')), epoch: Number(field('config-epoch')) };
}
