import { setTimeout as delay } from 'node:timers/promises';

/** Asks for something that needs a key, again while the rate of the plan is spent. */
export async function download({ url, key }: { url: string; key: string }): Promise<Response> {
  for (;;) {
    const response = await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
    if (response.status !== 429) return response;
    await delay(100);
  }
}
