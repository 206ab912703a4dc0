/** The script of pages with code samples: fills in the origin, adds tabs for the languages and buttons to copy. */
import { sampleOrigin } from '../text.ts';
import { copyText, within } from './elements.ts';

/** Shows the sample of a language in one group of tabs, if the group has it. */
type ShowLanguage = (language: string) => void;

fillInOrigin();
addTabs();
addCopyButtons();

/** Replaces the origin in the samples by that of the page. */
function fillInOrigin(): void {
  if (!location.protocol.startsWith('http')) return;
  for (const code of document.querySelectorAll('[data-sample] code')) {
    code.textContent = code.textContent.replaceAll(sampleOrigin, location.origin);
  }
}

function addCopyButtons(): void {
  for (const sample of document.querySelectorAll('[data-sample]')) {
    const code = within(sample, 'code', HTMLElement);
    const { textContent: language } = within(sample, '.language', HTMLElement);
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button copy';
    button.textContent = 'Copy';
    button.setAttribute('aria-label', `Copy the ${language} sample`);
    button.addEventListener('click', () => copyText(code, 'Sample'));
    sample.append(button);
  }
}

/** Turns each group of samples into tabs. A language that is chosen in one group is shown in all. */
function addTabs(): void {
  const groups: ShowLanguage[] = [];
  const showEverywhere: ShowLanguage = (language) => {
    for (const showLanguage of groups) showLanguage(language);
  };
  for (const samples of document.querySelectorAll<HTMLElement>('[data-samples]')) {
    groups.push(tabGroup(samples, showEverywhere));
  }
}

/** Makes tabs with automatic activation, as the ARIA Authoring Practices describe them. */
function tabGroup(samples: HTMLElement, showEverywhere: ShowLanguage): ShowLanguage {
  const list = document.createElement('div');
  list.className = 'tabs';
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Language of the sample');
  const panels = [...samples.querySelectorAll<HTMLElement>('[data-sample]')];
  const tabs = panels.map((panel) => tabFor(panel, samples.dataset['samples'] ?? ''));
  list.append(...tabs);
  samples.prepend(list);

  const showLanguage: ShowLanguage = (language) => {
    const shown = panels.findIndex((panel) => panel.dataset['sample'] === language);
    if (shown < 0) return;
    for (const [index, panel] of panels.entries()) panel.hidden = index !== shown;
    for (const [index, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(index === shown));
      tab.tabIndex = index === shown ? 0 : -1;
    }
  };

  /** Samples above may change their height: scrolls so that the tabs stay in place. */
  function choose(index: number): void {
    const top = list.getBoundingClientRect().top;
    showEverywhere(panels[index]?.dataset['sample'] ?? '');
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
  showLanguage(panels[0]?.dataset['sample'] ?? '');
  return showLanguage;
}

/** Makes the tab of a sample, with the sample's heading as its name. */
function tabFor(panel: HTMLElement, group: string): HTMLButtonElement {
  const heading = within(panel, '.language', HTMLElement);
  const tab = document.createElement('button');
  panel.id = `${group}-${panel.dataset['sample']}`;
  tab.type = 'button';
  tab.id = `${panel.id}-tab`;
  tab.textContent = heading.textContent;
  tab.setAttribute('role', 'tab');
  tab.setAttribute('aria-controls', panel.id);
  panel.setAttribute('role', 'tabpanel');
  panel.setAttribute('aria-labelledby', tab.id);
  heading.hidden = true;
  return tab;
}

function indexAfterKey(key: string, current: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return (current + 1) % count;
    case 'ArrowLeft':
      return (current - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
