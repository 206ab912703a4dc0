/** Finds, creates and changes elements of a page, and copies their text. */

/** Returns the element with an id. Throws as `within` does. */
export function element<Kind extends HTMLElement = HTMLElement>(
  id: string,
  kind?: new () => Kind,
): Kind {
  return within(document, `[id="${id}"]`, kind);
}

/** Returns the element inside `root` with this `data-part`. Throws as `within` does. */
export function part<Kind extends HTMLElement = HTMLElement>(
  root: ParentNode,
  name: string,
  kind?: new () => Kind,
): Kind {
  return within(root, `[data-part="${name}"]`, kind);
}

/**
 * Returns the first element inside `root` that matches a CSS selector.
 *
 * @throws Error when the page has no such element of this kind: page and script come from the same build
 */
export function within<Kind extends HTMLElement = HTMLElement>(
  root: ParentNode,
  selector: string,
  kind?: new () => Kind,
): Kind {
  const found = root.querySelector<Kind>(selector);
  if (found && (!kind || found instanceof kind)) return found;
  throw new Error(`The page has no ${kind?.name ?? 'element'} ${selector}.`);
}

/** Creates an element with properties and content. */
export function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...content);
  return created;
}

/** Copies the content of a template. */
export function copyOf(id: string): DocumentFragment {
  return document.importNode(element(id, HTMLTemplateElement).content, true);
}

/** Shows or hides the element with an id. */
export function show(id: string, isShown: boolean): void {
  element(id).hidden = !isShown;
}

/** Sets the text of the element with an id. */
export function setText(id: string, text: string): void {
  element(id).textContent = text;
}

/** Runs an action when the button with an id is pressed. */
export function onPress(id: string, action: () => void): void {
  element(id).addEventListener('click', action);
}

/** Hides the part of the page that had the focus, shows another one, and moves the focus there. */
export function showInstead(shown: string, hidden: string, focus: string): void {
  show(hidden, false);
  show(shown, true);
  element(focus).focus();
}

/**
 * Copies the text of an element, or selects it where the browser does not allow copying.
 *
 * @param name what is copied, as in `Key`
 * @param status the id of the element that says so: what is behind a dialog cannot be seen
 */
export async function copyText(source: HTMLElement, name: string, status?: string): Promise<void> {
  try {
    // Undefined where the page is not of a secure origin.
    await navigator.clipboard.writeText(source.textContent);
    announce(`${name} copied.`, status);
  } catch {
    getSelection()?.selectAllChildren(source);
    announce(`${name} selected: copy it with Ctrl+C or Cmd+C.`, status);
  }
}

/** Adds a button that copies the code of a block. @param name what is copied, as in `curl sample` */
export function addCopyButton(block: HTMLElement, name: string): void {
  const code = within(block, 'code');
  const ariaLabel = `Copy the ${name}`;
  const button = create('button', { type: 'button', className: 'button copy', ariaLabel }, 'Copy');
  button.addEventListener('click', () =>
    copyText(code, name.charAt(0).toUpperCase() + name.slice(1)),
  );
  block.append(button);
}

/**
 * Runs an action in place of the browser's own submission of a form, and ignores further submissions meanwhile. Enables
 * the submit button.
 */
export function onSubmit(form: HTMLFormElement, submit: () => Promise<void>): void {
  const button = within(form, 'button[type=submit]', HTMLButtonElement);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button.getAttribute('aria-disabled') === 'true') return;
    // Not `disabled`: that would remove the focus.
    button.setAttribute('aria-disabled', 'true');
    await submit().finally(() => button.removeAttribute('aria-disabled'));
  });
  button.disabled = false;
}

/** Lets the keyboard reach texts that scroll sideways because a formula is wide, and no others. */
export function makeScrollersFocusable(): void {
  for (const text of document.querySelectorAll('.set')) {
    if (text.scrollWidth > text.clientWidth) text.setAttribute('tabindex', '0');
    else text.removeAttribute('tabindex');
  }
}

/** Milliseconds for which a status message is shown. */
const announcementDuration = 6000;

let announcementTimer: ReturnType<typeof setTimeout> | undefined;

/** Shows a status message, which screen readers announce. */
export function announce(text: string, id = 'status'): void {
  const status = element(id);
  clearTimeout(announcementTimer);
  status.textContent = text;
  announcementTimer = setTimeout(() => status.replaceChildren(), announcementDuration);
}
