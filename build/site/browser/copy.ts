import { announce } from './status.ts';

/**
 * Copies the text of an element. Where the browser does not let it, the text is selected, for the person
 * to copy.
 *
 * @param name what it is, as in `Key`
 */
export async function copyText(source: HTMLElement, name: string): Promise<void> {
  try {
    // Undefined where the page is not of a secure origin.
    await navigator.clipboard.writeText(source.textContent);
    announce(`${name} copied.`);
  } catch {
    getSelection()?.selectAllChildren(source);
    announce(`${name} selected: copy it with Ctrl+C or Cmd+C.`);
  }
}
