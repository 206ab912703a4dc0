/** Pages as files that a writer edits, with places for values. */
import { readFileSync } from 'node:fs';
import { Html, type Part, render } from './html.ts';

/** A value of a template, or a function of the arguments of its place. What is false or undefined is not inserted. */
type Value = Part | boolean | undefined | ((...names: string[]) => Part);
export type Values = Record<string, Value>;

/** The fields between the two first lines of dashes of a page's file, and the template below them. */
const pageFile = /^---\ntitle: (.+)\ndescription: (.+)\n---\n(.*)$/s;

/** Reads the file of a page. @param base URL of the module whose folder it is in */
export function readPage(name: string, base: string) {
  const [, title = '', description = '', template] = pageFile.exec(readTemplate(name, base)) ?? [];
  if (template === undefined)
    throw new Error(`${name} does not begin with its title and description.`);
  return { title, description, template };
}

/** Reads the file of a page in HTML, and fills it in, its title and description too. The template is its main part. */
export function filledPage(name: string, base: string, values: Values) {
  const { title, description, template } = readPage(name, base);
  return {
    title: fillText(title, values),
    description: fillText(description, values),
    main: fill(template, values),
  };
}

/** Reads a template. @param base URL of the module whose folder it is in */
export function readTemplate(name: string, base: string): string {
  return readFileSync(new URL(name, base), 'utf8');
}

/**
 * Reads a file of several texts, by the names in the lines before them: `# name` in Markdown, `<!-- name -->` in HTML.
 * A text with several names, separated by commas, has all of them.
 */
export function readSections(name: string, base: string): Map<string, string> {
  const [, ...parts] = readTemplate(name, base).split(/^(?:#+|<!--) ([\w ,-]+?)(?: -->)?$/m);
  const sections = new Map<string, string>();
  for (let index = 0; index < parts.length; index += 2)
    for (const name of `${parts[index]}`.split(', '))
      sections.set(name, `${parts[index + 1]}`.trim());
  return sections;
}

/** Reads a file of several templates, as `readSections` does. @returns a function that fills in the one with a name */
export function readParts(name: string, base: string) {
  const sections = readSections(name, base);
  return (part: string, values: Values = {}) => fill(sections.get(part) ?? '', values);
}

/**
 * Fills in a template in HTML: `{{name}}` is replaced by a value, escaped unless it is markup, and `{{name one, two}}`
 * by the result of a function. `{{#name}}...{{/name}}` is kept if the value is true, `{{^name}}...{{/name}}` if not.
 *
 * @throws Error when a place has no value
 */
export function fill(template: string, values: Values): Html {
  return new Html(fillText(template, values, render));
}

/** Fills in a template of text. @param write returns a value as text; by default, nothing is escaped */
export function fillText(
  template: string,
  values: Values,
  write: (part: Part) => string = String,
): string {
  const valueAt = (name: string): Value => {
    if (Object.hasOwn(values, name)) return values[name];
    throw new Error(`The template has a place for "${name}", which has no value.`);
  };
  const kept = (text: string): string =>
    text.replace(
      /\{\{([#^])(\w+)\}\}\n?(.*?)\{\{\/\2\}\}\n?/gs,
      (_, sign: string, name: string, content: string) =>
        Boolean(valueAt(name)) === (sign === '#') ? kept(content) : '',
    );
  return kept(template).replace(/\{\{(\w+)(?: ([^{}]+))?\}\}/g, (_, name: string, names = '') => {
    const value = valueAt(name);
    const part = typeof value === 'function' ? value(...names.split(', ')) : value;
    return part === undefined || typeof part === 'boolean' ? '' : write(part);
  });
}
