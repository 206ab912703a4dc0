import { sampleOrigin } from '../sample-origin.ts';

/** Puts the address of this page's own service into the samples. */
export function fillInOrigin(): void {
  if (!location.protocol.startsWith('http')) return;
  for (const code of document.querySelectorAll('[data-sample] code')) {
    code.textContent = code.textContent.replaceAll(sampleOrigin, location.origin);
  }
}
