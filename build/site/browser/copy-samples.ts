import { copyText } from './copy.ts';
import { within } from './elements.ts';

/** Gives each sample a button that copies it. */
export function offerToCopy(): void {
  for (const sample of document.querySelectorAll('[data-sample]')) {
    const code = within(sample, 'code', HTMLElement);
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button copy';
    button.textContent = 'Copy';
    button.setAttribute(
      'aria-label',
      `Copy the ${within(sample, '.language', HTMLElement).textContent} sample`,
    );
    button.addEventListener('click', () => copyText(code, 'Sample'));
    sample.append(button);
  }
}
