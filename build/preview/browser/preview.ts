import { followWidth, renew, shownVersion, state } from './page.ts';

/** What the server tells last; undefined while it tells nothing. */
let told: string | undefined;
let stream: EventSource | undefined;
let isRenewing = false;

/** Follows what the server tells, one version at a time. */
async function follow(version: string): Promise<void> {
  told = version;
  if (isRenewing) return;
  isRenewing = true;
  try {
    let isNew = false;
    let asked = shownVersion();
    while (asked !== told) {
      asked = told;
      if (await renew()) isNew = true;
    }
    const words = state();
    if (isNew && words !== undefined) say(`Updated at ${new Date().toLocaleTimeString()}. ${words}`);
    else if (!isSaying('Updated')) say('Follows what you save.');
  } catch {
    sayLost();
  } finally {
    isRenewing = false;
  }
}

/** A page that nobody sees keeps no connection: a browser has six to a server, and each page takes one. */
function connect(): void {
  if (document.hidden) {
    stream?.close();
    stream = undefined;
  } else if (!stream) {
    stream = new EventSource('/-/events');
    stream.addEventListener('message', ({ data }) => void follow(data));
    stream.addEventListener('error', sayLost);
  }
}

function sayLost(): void {
  say('Not connected: is npm run preview still running?');
}

/** Said once: screen readers read out what is said anew. */
function say(words: string): void {
  const live = document.getElementById('live');
  if (live && live.textContent !== words) live.textContent = words;
}

function isSaying(words: string): boolean {
  return document.getElementById('live')?.textContent?.startsWith(words) ?? false;
}

followWidth();
document.addEventListener('visibilitychange', connect);
connect();
