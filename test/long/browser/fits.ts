import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessibilityFaults } from './axe.ts';

/** Windows that cover every width and every color scheme: layout and colors do not depend on each other. */
export const windows = [
  { width: 320, colorScheme: 'light' },
  { width: 1200, colorScheme: 'dark' },
] as const;

/** Changes the window size and color scheme of a loaded page. */
export async function setWindow(page: Page, { width, colorScheme }: (typeof windows)[number]): Promise<void> {
  await page.setViewportSize({ width, height: 740 });
  await page.emulateMedia({ colorScheme });
}

/** Asserts that a loaded page does not scroll sideways, narrow and wide. */
export async function assertFits(page: Page, name: string): Promise<void> {
  for (const { width } of windows) {
    await page.setViewportSize({ width, height: 740 });
    await assertWidth(page, name, width);
  }
}

/**
 * Asserts that a loaded page does not scroll sideways and that axe finds nothing, narrow and wide, light and dark.
 *
 * @param within CSS selector of the part to examine with axe
 */
export async function assertAccessible(page: Page, name: string, within?: string): Promise<void> {
  for (const window of windows) {
    await setWindow(page, window);
    await assertWidth(page, name, window.width);
    assert.deepEqual(await accessibilityFaults(page, within), [], `${name}, ${window.colorScheme}`);
  }
}

async function assertWidth(page: Page, name: string, width: number): Promise<void> {
  assert.equal(
    await page.evaluate('document.documentElement.scrollWidth'),
    width,
    `${name}, ${width} pixels`,
  );
}
