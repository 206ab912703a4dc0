import { mkdir, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const service = 'BASE_URL';
const key = process.env.API_KEY || stop('Set API_KEY to your key.');
const maxWait = 60; // Seconds. When the monthly quota is used up, waiting would take days.
const maxTries = 5;
let notBefore = 0; // The time of the next request, in milliseconds since 1970.

/** Gets a path. Retries where it helps, and stops the program where it does not. */
async function get(path) {
  for (let tries = 1; ; ) {
    await waitUntilAllowed();
    const response = await send(path);
    if (response.status === 200) return response.body;
    if (response.status === 429) continue; // Not an error: the response says how long to wait.
    const message = `${path}: ${response.status || 'no response'}, ${response.body}`;
    if (response.status > 0 && response.status < 500) stop(message);
    if (tries === maxTries) stop(`${message}. Gave up after ${tries} tries.`);
    // Exponential backoff with jitter, so that clients do not all retry at once.
    notBefore = Math.max(notBefore, Date.now() + Math.random() * 1000 * 2 ** (tries - 1));
    tries += 1;
  }
}

async function waitUntilAllowed() {
  const wait = notBefore - Date.now();
  if (wait > maxWait * 1000) {
    const moment = new Date(notBefore).toISOString().slice(0, 16).replace('T', ' ');
    stop(`No request is left until ${moment} UTC. Run this again then.`);
  }
  await sleep(Math.max(0, wait));
}

/** Sends one request. Status 0: there was no complete response. */
async function send(path) {
  try {
    const response = await fetch(service + path, {
      headers: { Authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(30_000),
    });
    updateWait(response);
    const body = Buffer.from(await response.arrayBuffer());
    return { status: response.status, body };
  } catch (error) {
    return { status: 0, body: error.cause?.message ?? error.message };
  }
}

/** Waits as long as Retry-After says, or until a limit that is used up has requests again. */
function updateWait({ status, headers }) {
  // "rate";r=0;t=1 means: no requests left, more in one second.
  const limits = [...(headers.get('RateLimit') ?? '').matchAll(/;r=(\d+);t=(\d+)/g)];
  const usedUp = limits.filter(([, left]) => left === '0');
  const retryAfter = Number(headers.get('Retry-After')) || (status === 429 ? 1 : 0);
  const wait = Math.max(retryAfter, ...usedUp.map(([, , seconds]) => Number(seconds)));
  notBefore = Math.max(notBefore, Date.now() + wait * 1000);
}

function stop(message) {
  console.error(message);
  process.exit(1);
}

const year = process.argv[2] ?? 'EXAM/YEAR';

const { shifts } = JSON.parse(await get(`/${year}`));
for (const { shift, subjects } of shifts) {
  await mkdir(`copy/${year}/${shift}`, { recursive: true });
  for (const subject of subjects) {
    const path = `${year}/${shift}/${subject}.json`;
    await writeFile(`copy/${path}`, await get(`/${path}`));
    console.log(path);
  }
}
