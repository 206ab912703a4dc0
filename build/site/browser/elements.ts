/**
 * The element of the page with an id.
 *
 * @throws when the page has none, or one of another kind: page and script are of one build
 */
export function element<Kind extends Element>(id: string, kind: new () => Kind): Kind {
  return checked(document.getElementById(id), id, kind);
}

/** The element inside `root` whose `data-part` bears a name. Throws as `element` does. */
export function part<Kind extends Element>(root: ParentNode, name: string, kind: new () => Kind): Kind {
  return checked(root.querySelector(`[data-part="${name}"]`), name, kind);
}

/** The first element of a kind of button, field or the like inside `root`. Throws as `element` does. */
export function within<Kind extends Element>(root: ParentNode, selector: string, kind: new () => Kind): Kind {
  return checked(root.querySelector(selector), selector, kind);
}

/** Shows an element, or hides it. */
export function show(id: string, isShown: boolean): void {
  element(id, HTMLElement).hidden = !isShown;
}

/** Sets the text of the element with an id. */
export function say(id: string, text: string): void {
  element(id, HTMLElement).textContent = text;
}

/** Shows what replaces the part of the page that had the focus, and takes the focus there. */
export function turnTo(shown: string, hidden: string, focus: string): void {
  show(hidden, false);
  show(shown, true);
  element(focus, HTMLElement).focus();
}

function checked<Kind extends Element>(found: Element | null, name: string, kind: new () => Kind): Kind {
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${kind.name} "${name}".`);
}
