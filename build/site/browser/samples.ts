/** Code samples: fills in the origin, switches between languages, and adds buttons to copy. */
import { addCopyButton, element, within } from './elements.ts';

/** Enables the samples of the page, and shows the language that was last chosen. */
export function enableSamples(): void {
  fillInOrigin();
  for (const list of document.querySelectorAll<HTMLElement>('[role=tablist]')) enableTabs(list);
  for (const sample of document.querySelectorAll<HTMLElement>('.sample')) {
    const { textContent: language } = within(sample, '.language');
    addCopyButton(sample, `${language} sample`);
  }
  showLanguage(readLanguage());
}

/** Replaces the origin in the samples by that of the page, in the text between the elements that color it. */
function fillInOrigin(): void {
  if (!location.protocol.startsWith('http')) return;
  const { origin = '' } = document.documentElement.dataset;
  for (const sample of document.querySelectorAll('[data-sample] code')) {
    const texts = document.createTreeWalker(sample, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      text.nodeValue = text.nodeValue?.replaceAll(origin, location.origin) ?? null;
  }
}

/** Enables tabs, with automatic activation. */
function enableTabs(list: HTMLElement): void {
  const tabs = [...list.children] as HTMLElement[];

  /** Samples above may change their height: scrolls so that the tabs stay in place. */
  function choose(tab: HTMLElement): void {
    const top = list.getBoundingClientRect().top;
    const language = tab.textContent.toLowerCase();
    showLanguage(language);
    storeLanguage(language);
    scrollBy({ top: list.getBoundingClientRect().top - top, behavior: 'instant' });
  }

  for (const tab of tabs) tab.addEventListener('click', () => choose(tab));
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const current = tabs.indexOf(document.activeElement as HTMLElement);
    const tab = tabs[(current + step + tabs.length) % tabs.length];
    if (!tab) return;
    choose(tab);
    tab.focus();
  });
}

/** Shows the samples of a language, in each group that has it. */
function showLanguage(language: string | null): void {
  for (const chosen of document.querySelectorAll(
    `.samples > [data-sample="${CSS.escape(language ?? '')}"]`,
  )) {
    for (const sample of chosen.parentElement?.querySelectorAll('[role=tabpanel]') ?? []) {
      const isShown = sample === chosen;
      sample.toggleAttribute('data-shown', isShown);
      const tab = element(`${sample.id}-tab`);
      tab.ariaSelected = String(isShown);
      tab.tabIndex = isShown ? 0 : -1;
    }
  }
}

/** Returns the language that was last chosen; null if there is none, or if the browser stores nothing. */
function readLanguage(): string | null {
  try {
    return localStorage.getItem('language');
  } catch {
    return null;
  }
}

function storeLanguage(language: string): void {
  try {
    localStorage.setItem('language', language);
  } catch {
    // The browser stores nothing: the choice is for this page.
  }
}
