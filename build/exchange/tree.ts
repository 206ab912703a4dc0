/** Parses XML and HTML into one tree: elements with attributes, and text. */
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import sax from 'sax';
import { UserError } from '../release/user-error.ts';

export type Node = Element | string;

/** Names have no prefix, no `qti-` and no hyphens, in lower case: those of QTI 2 and 3 are the same then. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Node[];
}

/** Files come from strangers: elements around an element, and tags of an HTML text, at most. */
const deepest = 200;
const mostTags = 10_000;

const tooDeep = `Elements are nested more than ${deepest} deep.`;

/**
 * Parses an XML document. Entities that it declares are not known, and nothing is loaded.
 *
 * @returns an element without a name around the root
 * @throws UserError if it is not well-formed, or nested too deeply
 */
export function parseXml(text: string): Element {
  const parser = sax.parser(true);
  const open = [element('', {})];
  const add = (node: Node) => open.at(-1)?.children.push(node);
  parser.onerror = ({ message }) => {
    throw new UserError(`This is not well-formed XML: ${message.split('\n')[0]} in line ${parser.line + 1}.`);
  };
  parser.onopentag = ({ name, attributes }) => {
    const opened = element(name, attributes as Record<string, string>);
    add(opened);
    if (open.push(opened) > deepest) throw new UserError(tooDeep);
  };
  parser.ontext = add;
  parser.oncdata = add;
  parser.onclosetag = () => open.pop();
  parser.write(text).close();
  return open[0] as Element;
}

/** Parses a part of an HTML document, as browsers do. @throws UserError if it has too many tags, or is nested too deeply */
export function parseHtml(text: string): Node[] {
  if (text.split('<', mostTags + 1).length > mostTags)
    throw new UserError(`The text has more than ${mostTags} HTML tags.`);
  return parseFragment(text).childNodes.flatMap((node) => fromHtml(node, 0));
}

function fromHtml(node: DefaultTreeAdapterTypes.ChildNode, depth: number): Node[] {
  if (depth > deepest) throw new UserError(tooDeep);
  if ('value' in node) return [node.value];
  if (!('tagName' in node)) return [];
  const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
  const children = node.childNodes.flatMap((child) => fromHtml(child, depth + 1));
  return [element(node.tagName, attributes, children)];
}

function element(name: string, attributes: Readonly<Record<string, string>>, children: Node[] = []): Element {
  const entries = Object.entries(attributes).map(([attribute, value]) => [plainName(attribute), value]);
  return { name: plainName(name), attributes: Object.fromEntries(entries), children };
}

function plainName(name: string): string {
  return name.replace(/^.*:/, '').replace(/^qti-/, '').replaceAll('-', '').toLowerCase();
}

/** The elements directly inside an element, of this name if one is given. */
export function childrenOf(parent: Element | undefined, name?: string): Element[] {
  const elements = (parent?.children ?? []).filter((node) => typeof node !== 'string');
  return name === undefined ? elements : elements.filter((child) => child.name === name);
}

/** The elements anywhere inside an element whose names match, in the order of the document. */
export function elementsIn(parent: Element | undefined, name: RegExp): Element[] {
  return childrenOf(parent).flatMap((child) => [...(name.test(child.name) ? [child] : []), ...elementsIn(child, name)]);
}

/** The text in an element and in all elements inside it. */
export function textIn(node: Node | undefined): string {
  return typeof node === 'object' ? node.children.map(textIn).join('') : (node ?? '');
}

/** The path in a reference to a file. */
export function decodedPath(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}
