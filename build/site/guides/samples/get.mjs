import { setTimeout as sleep } from 'node:timers/promises';

const service = 'BASE_URL';
const key = process.env.API_KEY || stop('Set API_KEY to your key.');
const longestWait = 60; // Seconds. A spent month takes days: it is not slept through.
const mostTries = 5;
let notBefore = 0; // When the next request may go, in milliseconds since 1970.

/** Gets a path, with fields beside the key; stops where trying again is no use. */
export async function get(path, fields = {}) {
  for (let tries = 1; ; ) {
    await waitForTurn();
    const answer = await ask(path, fields);
    if (answer.status === 200 || answer.status === 304) return answer;
    if (answer.status === 429) continue; // No failure: the answer said how long to wait.
    const said = `${path}: ${answer.status || 'no answer'}, ${answer.body}`;
    if (answer.status > 0 && answer.status < 500) stop(said);
    if (tries === mostTries) stop(`${said}. Gave up after ${tries} tries.`);
    // Exponential backoff with jitter, so that not all come again at once.
    notBefore = Math.max(notBefore, Date.now() + Math.random() * 1000 * 2 ** (tries - 1));
    tries += 1;
  }
}

async function waitForTurn() {
  const wait = notBefore - Date.now();
  if (wait > longestWait * 1000) {
    const moment = new Date(notBefore).toISOString().slice(0, 16).replace('T', ' ');
    stop(`No request is left until ${moment} UTC. Run this again then.`);
  }
  await sleep(Math.max(0, wait));
}

/** One request. Status 0: no whole answer came. */
async function ask(path, fields) {
  try {
    const response = await fetch(service + path, {
      headers: { Authorization: `Bearer ${key}`, ...fields },
      signal: AbortSignal.timeout(30_000),
    });
    heed(response);
    const body = Buffer.from(await response.arrayBuffer());
    return { status: response.status, tag: response.headers.get('ETag'), body };
  } catch (error) {
    return { status: 0, body: error.cause?.message ?? error.message };
  }
}

/** Notes how long to wait: as Retry-After says, or until what is spent comes back. */
function heed({ status, headers }) {
  // "rate";r=0;t=1 says: none left, more in one second.
  const limits = [...(headers.get('RateLimit') ?? '').matchAll(/;r=(\d+);t=(\d+)/g)];
  const spent = limits.filter(([, left]) => left === '0');
  const told = Number(headers.get('Retry-After')) || (status === 429 ? 1 : 0);
  const wait = Math.max(told, ...spent.map(([, , seconds]) => Number(seconds)));
  notBefore = Math.max(notBefore, Date.now() + wait * 1000);
}

export function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}
