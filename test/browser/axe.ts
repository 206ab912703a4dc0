import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * What axe-core finds wrong with a page as it stands: a line for each place.
 *
 * @param page whose Content-Security-Policy does not hold what a test puts in
 */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>(
    'axe.run(document, { resultTypes: ["violations"] })',
  );
  return violations.flatMap(({ id, impact, help, nodes }) =>
    nodes.map(({ target }) => `${impact} ${id}: ${help} (${target.join(' ')})`),
  );
}
