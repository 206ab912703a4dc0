/**
 * Measures the time from the revocation of a key to its first rejection: in a gateway with embedded accounts, and in one
 * that uses an authentication service and caches its responses. Argument: keys.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { revokeKey } from '../../gateway/auth/keys.ts';
import { systemClock } from '../../gateway/clock.ts';
import { type RunningGateway, runGateway } from '../gateway/running-gateway.ts';
import { conditions, median } from './figures.ts';

/** The number of keys, which are revoked at different ages of their cache entries. */
const keys = Number(process.argv[2] ?? 20);
/** Milliseconds between the first uses of two keys, and between two requests with a key. */
const [spread, pollInterval] = [450, 5];

console.log(`from revocation to rejection, ${keys} keys, ${conditions()}`);
for (const setUp of ['in-real-time', 'service-in-real-time'] as const) {
  const running = await runGateway({}, setUp);
  const times = await Promise.all(Array.from({ length: keys }, (_, index) => measure(running, index)));
  console.log(`${setUp.padEnd(20)} median ${median(times).toFixed(0)} ms, most ${Math.max(...times).toFixed(0)} ms`);
  await running.close();
}

async function measure(running: RunningGateway, index: number): Promise<number> {
  const { id, key } = await running.createKey(`account-${index}`);
  const url = `${running.baseUrl}/neet/2024/s1/physics.json`;
  const ask = async () => (await fetch(url, { headers: { Authorization: `Bearer ${key}` } })).status;
  if ((await ask()) !== 200) throw new Error('an active key is rejected');
  await delay(index * spread);
  if ((await ask()) !== 200) throw new Error('an active key is rejected');
  await revokeKey(running.database, systemClock, id);
  const start = performance.now();
  while ((await ask()) === 200) await delay(pollInterval);
  return performance.now() - start;
}
