import { element } from './elements.ts';

/** Milliseconds that a message stays: what it says is seen in the page as well. */
const staying = 6000;

let timer = 0;

/** Says in a corner, and to screen readers, what has been done. */
export function announce(text: string): void {
  const status = element('status', HTMLElement);
  clearTimeout(timer);
  status.textContent = text;
  timer = setTimeout(() => status.replaceChildren(), staying);
}
