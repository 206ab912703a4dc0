/** Code samples: fills in the origin, adds tabs for the languages and buttons to copy. */
import { addCopyButton, create, within } from './elements.ts';

/** A sample, and the tab that shows it. */
interface Panel {
  readonly language: string | undefined;
  readonly sample: HTMLElement;
  readonly tab: HTMLButtonElement;
}

/** Samples of one request or program in several languages. */
let groups: readonly Panel[][] = [];

/** Enables the samples of the page, and shows the language that was last chosen. */
export function enableSamples(): void {
  fillInOrigin();
  groups = Array.from(document.querySelectorAll<HTMLElement>('[data-samples]'), addTabs);
  for (const sample of document.querySelectorAll<HTMLElement>('.sample')) {
    const { textContent: language } = within(sample, '.language');
    addCopyButton(sample, `${language} sample`);
  }
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

/** Turns samples into tabs with automatic activation, as the ARIA Authoring Practices describe them. */
function addTabs(group: HTMLElement): Panel[] {
  const samples = [...group.querySelectorAll<HTMLElement>('[data-sample]')];
  const panels = samples.map((sample) => panelOf(sample, group.dataset['samples'] ?? ''));
  const tabs = panels.map(({ tab }) => tab);
  const ariaLabel = 'Language of the sample';
  const list = create('div', { className: 'tabs', role: 'tablist', ariaLabel }, ...tabs);

  /** Samples above may change their height: scrolls so that the tabs stay in place. */
  function choose(index: number): void {
    const top = list.getBoundingClientRect().top;
    const language = panels[index]?.language;
    for (const each of groups) showLanguage(each, language);
    storeLanguage(language);
    scrollBy({ top: list.getBoundingClientRect().top - top, behavior: 'instant' });
  }

  for (const [index, tab] of tabs.entries()) tab.addEventListener('click', () => choose(index));
  list.addEventListener('keydown', (event) => {
    const current = tabs.indexOf(document.activeElement as HTMLButtonElement);
    const index = indexAfterKey(event.key, current, tabs.length);
    if (index === undefined) return;
    event.preventDefault();
    choose(index);
    tabs[index]?.focus();
  });
  group.prepend(list);
  showLanguage(panels, panels[0]?.language);
  showLanguage(panels, readLanguage());
  return panels;
}

/** Shows the sample of a language, if the group has it. A language that is chosen in one group is shown in all. */
function showLanguage(panels: readonly Panel[], language: string | null | undefined): void {
  if (!panels.some((panel) => panel.language === language)) return;
  for (const panel of panels) {
    const isShown = panel.language === language;
    panel.sample.hidden = !isShown;
    panel.tab.ariaSelected = String(isShown);
    panel.tab.tabIndex = isShown ? 0 : -1;
  }
}

/** Makes the tab of a sample, with the sample's heading as its name. */
function panelOf(sample: HTMLElement, group: string): Panel {
  const heading = within(sample, '.language');
  const language = sample.dataset['sample'];
  const id = `${group}-${language}`;
  const tab = create(
    'button',
    { type: 'button', id: `${id}-tab`, role: 'tab' },
    heading.textContent,
  );
  tab.setAttribute('aria-controls', id);
  sample.setAttribute('aria-labelledby', tab.id);
  Object.assign(sample, { id, role: 'tabpanel' });
  heading.hidden = true;
  return { language, sample, tab };
}

function indexAfterKey(key: string, current: number, count: number): number | undefined {
  const indexes: Readonly<Record<string, number>> = {
    ArrowRight: (current + 1) % count,
    ArrowLeft: (current - 1 + count) % count,
    Home: 0,
    End: count - 1,
  };
  return indexes[key];
}

/** Returns the language that was last chosen; null if there is none, or if the browser stores nothing. */
function readLanguage(): string | null {
  try {
    return localStorage.getItem('language');
  } catch {
    return null;
  }
}

function storeLanguage(language = ''): void {
  try {
    localStorage.setItem('language', language);
  } catch {
    // The browser stores nothing: the choice is for this page.
  }
}
