/** The script of the catalogue: shows what the last releases changed. */
import { create, element } from './elements.ts';

/** What is read of an item of `/changes.json`. */
interface Change {
  readonly title: string;
  readonly date_published: string;
}

const shown = 5;
const feed: Promise<{ readonly items: readonly Change[] }> = fetch('/changes.json').then(
  (response) => response.json(),
);
// A host without the feed has the link alone.
const { items: changes } = await feed.catch(() => ({ items: [] }));
const items = changes.slice(0, shown).map(({ title, date_published: date }) => {
  const day = create('time', { dateTime: date, className: 'faint' }, date.slice(0, 10));
  return create('li', {}, day, ` ${title}`);
});
element('last-changes').append(...items);
