/**
 * Hands the new key that the dashboard shows in one tab to the reference in another. The key passes from page to page
 * in memory: browsers write what a page stores, such as `sessionStorage`, to disk, and restore it with a closed tab.
 */

const channelName = 'new-key';
/** What the reference sends; the dashboard replies with the key. */
const question = { type: 'question' };

/** Sends the key to every page that asks for it. @param shownKey returns an empty text while no key is shown */
export function offerNewKey(shownKey: () => string): void {
  const channel = new BroadcastChannel(channelName);
  channel.addEventListener('message', ({ data }) => {
    if (data.type === question.type && shownKey() !== '') channel.postMessage({ key: shownKey() });
  });
}

/**
 * Asks for the key that the dashboard shows in another tab: now, and whenever the user returns to this one.
 *
 * @param use gets the key; not called while no key is shown
 */
export function receiveNewKey(use: (key: string) => void): void {
  const channel = new BroadcastChannel(channelName);
  channel.addEventListener('message', ({ data }) => {
    if (typeof data.key === 'string') use(data.key);
  });
  const ask = () => !document.hidden && channel.postMessage(question);
  document.addEventListener('visibilitychange', ask);
  ask();
}
