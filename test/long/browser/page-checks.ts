/** Checks of a loaded page. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * Runs axe-core on a page in its current state. Returns a line for each violation.
 *
 * @param within CSS selector of the part to examine
 */
export async function accessibilityFaults(page: Page, within = 'html'): Promise<string[]> {
  if (!(await page.evaluate('Boolean(globalThis.axe)'))) await page.evaluate(axeSource);
  const { violations } = await page.evaluate<axe.AxeResults>(
    `axe.run(${JSON.stringify(within)}, { resultTypes: ["violations"] })`,
  );
  return violations.flatMap(({ id, impact, help, nodes }) =>
    nodes.map(({ target }) => `${impact} ${id}: ${help} (${target.join(' ')})`),
  );
}

/** Windows that cover every width and every color scheme: layout and colors do not depend on each other. */
export const windows = [
  { width: 320, colorScheme: 'light' },
  { width: 1200, colorScheme: 'dark' },
] as const;

/** Changes the window size and color scheme. */
export async function setWindow(
  page: Page,
  { width, colorScheme }: (typeof windows)[number],
): Promise<void> {
  await page.setViewportSize({ width, height: 740 });
  await page.emulateMedia({ colorScheme });
}

/** Asserts that a page does not scroll sideways. */
export async function assertFits(
  page: Page,
  name: string,
  widths: readonly number[] = windows.map(({ width }) => width),
): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 740 });
    const needed = await page.evaluate('document.documentElement.scrollWidth');
    assert.equal(needed, width, `${name}, ${width} pixels`);
  }
}

/**
 * Asserts that a page does not scroll sideways and that axe finds nothing, narrow and wide, light and dark.
 *
 * @param within CSS selector of the part to examine with axe
 */
export async function assertAccessible(page: Page, name: string, within?: string): Promise<void> {
  for (const window of windows) {
    await setWindow(page, window);
    await assertFits(page, name, [window.width]);
    assert.deepEqual(await accessibilityFaults(page, within), [], `${name}, ${window.colorScheme}`);
  }
}

/** Opens everything that is folded. */
export async function unfoldAll(page: Page): Promise<void> {
  await page.evaluate(
    "for (const details of document.querySelectorAll('details')) details.open = true",
  );
}

/** The bytes of bodies that a page has loaded, compressed. */
export function loadedBytes(page: Page): Promise<number> {
  return page.evaluate(
    "['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type)).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)",
  );
}

/** The color of a page. */
export function background(page: Page): Promise<string> {
  return page.evaluate('getComputedStyle(document.body).backgroundColor');
}
export const [light, dark] = ['rgb(255, 255, 255)', 'rgb(15, 18, 21)'];

/** What has been copied. */
export function clipboard(page: Page): Promise<string> {
  return page.evaluate('navigator.clipboard.readText()');
}
export const clipboardPermissions = { permissions: ['clipboard-read', 'clipboard-write'] };

/** Presses Tab until the element with this name has the focus. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = [];
  do {
    await page.keyboard.press('Tab');
    passed.push(await focused(page));
  } while (passed.at(-1) !== name && passed.length < 60);
  assert.equal(passed.at(-1), name, `Tab leads over ${passed.join(', ')}`);
}

/** Goes to the element with this name with Tab, and presses a key. */
export async function tabAndPress(page: Page, name: string, key = 'Enter'): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press(key);
}

/** The accessible name of the focused element. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(`{
    const { ariaLabel, labels, textContent } = document.activeElement;
    (ariaLabel ?? (labels?.[0] ?? { textContent }).textContent).trim();
  }`);
}
