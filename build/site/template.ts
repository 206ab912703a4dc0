/** Pages in Markdown as files that a writer edits, with places for values. */
import { readFileSync } from 'node:fs';
import type { Part } from './html.ts';

/** A value of a template, or a function of the arguments of its place. */
export type Values = Readonly<Record<string, Part | ((...names: string[]) => Part)>>;

/** The fields between the two first lines of dashes of a page's file, and the template below them. */
const pageFile = /^---\ntitle: (.+)\ndescription: (.+)\n---\n(.*)$/s;

/** Reads the file of a page. @param base URL of the module whose folder it is in */
export function readPage(name: string, base: string) {
  const file = readFileSync(new URL(name, base), 'utf8');
  const [, title = '', description = '', template] = pageFile.exec(file) ?? [];
  if (template === undefined)
    throw new Error(`${name} does not begin with its title and description.`);
  return { title, description, template };
}

/**
 * Fills in a template: `{{name}}` is replaced by a value, and `{{name one, two}}` by the result of a function. What is
 * undefined or false is left out.
 *
 * @param write returns a value as text; by default, nothing is escaped
 * @throws Error when a place has no value
 */
export function fillText(
  template: string,
  values: Values,
  write: (part: Part) => string = String,
): string {
  return template.replace(/\{\{(\w+)(?: ([^{}]+))?\}\}/g, (_, name: string, names = '') => {
    if (!Object.hasOwn(values, name))
      throw new Error(`The template has a place for "${name}", which has no value.`);
    const value = values[name];
    const part = typeof value === 'function' ? value(...names.split(', ')) : value;
    return part === undefined || part === false ? '' : write(part);
  });
}
