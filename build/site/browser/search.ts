/**
 * The search of the docs: a combobox with a listbox, as the ARIA Authoring Practices describe it. The page loads it when
 * the field gets the focus.
 */
import { count } from '../../report/wording.ts';
import { searchIndexUrl } from '../text.ts';
import { create, element, setText } from './elements.ts';
import { type MarkedPart, type SearchResult, searchEngine } from './search-engine.ts';

/** How many results are shown. */
const maxResults = 12;

const input = element('search', HTMLInputElement);
const list = element('search-results');
let engine: Promise<(text: string) => SearchResult[]> | undefined;

input.addEventListener('input', search);
input.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined) move(step);
  else if (event.key === 'Enter') (selected() ?? options()[0])?.click();
  else if (event.key === 'Escape' && !list.hidden) close();
  else return;
  event.preventDefault();
});
input.parentElement?.addEventListener('focusout', ({ relatedTarget }) => {
  if (!input.parentElement?.contains(relatedTarget as Node | null)) close();
});
list.addEventListener('click', close);
// What was typed before this script was loaded.
void search();

/** Loads the index, the first time. If that fails, the next call tries again. */
function load(): Promise<(text: string) => SearchResult[]> {
  engine ??= fetch(searchIndexUrl)
    .then(async (response) => searchEngine(await response.json()))
    .catch(() => {
      engine = undefined;
      return () => [];
    });
  return engine;
}

/** Shows the entries that contain every word, the best match first. */
async function search(): Promise<void> {
  const text = input.value.trim();
  const find = await load();
  const found = text === '' ? [] : find(text);
  if (text !== input.value.trim()) return;
  list.replaceChildren(...found.slice(0, maxResults).map(optionOf));
  if (found.length === 0)
    list.append(create('span', { role: 'option', ariaDisabled: 'true' }, 'No results'));
  list.hidden = text === '';
  input.ariaExpanded = String(found.length > 0);
  select(undefined);
  setText('search-status', text === '' ? '' : count(found.length, 'result'));
}

function optionOf({ term, place, href, line }: SearchResult, position: number): HTMLElement {
  const option = create('a', { href, id: `search-${position}`, role: 'option', tabIndex: -1 });
  option.append(
    create('b', {}, ...marked(term)),
    ' ',
    create('span', { className: 'faint' }, place),
  );
  option.append(create('p', { className: 'hint' }, ...marked(line())));
  return option;
}

function marked(parts: readonly MarkedPart[]): (Node | string)[] {
  return parts.map(([text, isMarked]) => (isMarked ? create('mark', {}, text) : text));
}

function options(): HTMLAnchorElement[] {
  return [...list.querySelectorAll('a')];
}

function selected(): HTMLAnchorElement | undefined {
  return options().find(({ ariaSelected }) => ariaSelected === 'true');
}

/** Selects the next or previous result, and after the last the first. */
function move(step: number): void {
  const all = options();
  const current = all.findIndex(({ ariaSelected }) => ariaSelected === 'true');
  select(all.at((Math.max(current, step < 0 ? 0 : -1) + step) % all.length));
}

function select(option: HTMLAnchorElement | undefined): void {
  for (const each of options()) each.ariaSelected = String(each === option);
  input.setAttribute('aria-activedescendant', option?.id ?? '');
  option?.scrollIntoView({ block: 'nearest' });
}

function close(): void {
  list.hidden = true;
  input.ariaExpanded = 'false';
  select(undefined);
}
