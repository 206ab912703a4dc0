import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * Runs axe-core on a page in its current state. Returns a line for each violation.
 *
 * @param within CSS selector of the part to examine
 */
export async function accessibilityFaults(page: Page, within = 'html'): Promise<string[]> {
  if (!(await page.evaluate('Boolean(globalThis.axe)'))) await page.evaluate(source);
  const { violations } = await page.evaluate<axe.AxeResults>(
    `axe.run(${JSON.stringify(within)}, { resultTypes: ["violations"] })`,
  );
  return violations.flatMap(({ id, impact, help, nodes }) =>
    nodes.map(({ target }) => `${impact} ${id}: ${help} (${target.join(' ')})`),
  );
}
