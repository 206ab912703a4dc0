/** Lets the keyboard reach texts that scroll sideways because a formula is wide, and no others. */
export function makeScrollersFocusable(): void {
  for (const text of document.querySelectorAll('.set')) {
    if (text.scrollWidth > text.clientWidth) text.setAttribute('tabindex', '0');
    else text.removeAttribute('tabindex');
  }
}
