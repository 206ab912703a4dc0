import { setTimeout as delay } from 'node:timers/promises';

/** Downloads a protected resource, and retries while the rate limit is exceeded. */
export async function download({ url, key }: { url: string; key: string }): Promise<Response> {
  for (;;) {
    const response = await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
    if (response.status !== 429) return response;
    await delay(100);
  }
}
