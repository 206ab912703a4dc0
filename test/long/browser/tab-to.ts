import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** Presses Tab until the element with this name has the focus. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = [];
  do {
    await page.keyboard.press('Tab');
    passed.push(await focused(page));
  } while (passed.at(-1) !== name && passed.length < 60);
  assert.equal(passed.at(-1), name, `Tab leads over ${passed.join(', ')}`);
}

/** The accessible name of the focused element. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(`{
    const { ariaLabel, labels, textContent } = document.activeElement;
    (ariaLabel ?? (labels?.[0] ?? { textContent }).textContent).trim();
  }`);
}
