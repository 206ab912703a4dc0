import { within } from './elements.ts';

/** A row of tabs over the samples of one request (ARIA Authoring Practices, Tabs with automatic activation). */
interface Tabs {
  /** Shows the sample of a language, where there is one. */
  show(language: string): void;
}

/** Makes tabs of the samples that stand below one another. Who chooses a language has it everywhere. */
export function tabSamples(): void {
  const groups: Tabs[] = [];
  const chooseEverywhere = (language: string) => {
    for (const group of groups) group.show(language);
  };
  for (const samples of document.querySelectorAll<HTMLElement>('[data-samples]')) {
    groups.push(tabsOf(samples, chooseEverywhere));
  }
}

function tabsOf(samples: HTMLElement, choose: (language: string) => void): Tabs {
  const list = document.createElement('div');
  list.className = 'tabs';
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Language of the sample');
  const panels = [...samples.querySelectorAll<HTMLElement>('[data-sample]')];
  const tabs = panels.map((panel) => tabOf(panel, samples.dataset['samples'] ?? ''));
  list.append(...tabs);
  samples.prepend(list);

  function show(language: string): void {
    const index = panels.findIndex((panel) => panel.dataset['sample'] === language);
    if (index < 0) return;
    for (const [at, panel] of panels.entries()) {
      const tab = tabs[at];
      panel.hidden = at !== index;
      tab?.setAttribute('aria-selected', String(at === index));
      if (tab) tab.tabIndex = at === index ? 0 : -1;
    }
  }

  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener('click', () => chooseInPlace(index));
  }
  list.addEventListener('keydown', (event) => {
    const target = targetOf(
      event.key,
      tabs.indexOf(document.activeElement as HTMLButtonElement),
      tabs.length,
    );
    if (target === undefined) return;
    event.preventDefault();
    chooseInPlace(target);
    tabs[target]?.focus();
  });

  /** Samples above are of other lengths: the page is held where the reader is. */
  function chooseInPlace(index: number): void {
    const before = list.getBoundingClientRect().top;
    choose(panels[index]?.dataset['sample'] ?? '');
    scrollBy({ top: list.getBoundingClientRect().top - before, behavior: 'instant' });
  }

  show(panels[0]?.dataset['sample'] ?? '');
  return { show };
}

function tabOf(panel: HTMLElement, name: string): HTMLButtonElement {
  const heading = within(panel, '.language', HTMLElement);
  const tab = document.createElement('button');
  tab.type = 'button';
  tab.id = `${name}-${panel.dataset['sample']}-tab`;
  tab.textContent = heading.textContent;
  tab.setAttribute('role', 'tab');
  panel.id = `${name}-${panel.dataset['sample']}`;
  panel.setAttribute('role', 'tabpanel');
  panel.setAttribute('aria-labelledby', tab.id);
  tab.setAttribute('aria-controls', panel.id);
  heading.hidden = true;
  return tab;
}

/** The tab that a key leads to. */
function targetOf(key: string, current: number, count: number): number | undefined {
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
