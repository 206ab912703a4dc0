import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { paperOf, paperPath, sampleQuestions, shiftPath } from '../build/bank-folder.ts';
import { runPreview } from '../build/preview/running-preview.ts';
import { accessibilityFaults } from './axe.ts';
import { skip, startBrowser } from './browser.ts';
import { makePreviewBank, paperPage, questions } from './preview-bank.ts';
import { windows } from './windows.ts';

const broken = '/neet/2024/2024-05-05-s1/biology';

describe('Every page of the preview', { skip }, async () => {
  if (skip) return;
  const bank = await makePreviewBank();
  await bank.set(paperPath, '/questions/3/answer', 'E');
  await bank.set(paperPath, '/questions/4/question', 'What is $\\fracc{1}{2}$?');
  await bank.set(paperPath, '/questions/5/id', 'c1');
  await bank.set(paperPath, '/questions/6/diagrams', [{ file: 'q7-none.png', alt: 'Nothing.' }]);
  await bank.write(`${shiftPath}/biology.json`, `${JSON.stringify(paperOf(sampleQuestions.mcq))}}`);
  await bank.write('stray.txt', 'What is this?');
  const { origin } = await runPreview(bank.dir);
  const browser = await startBrowser();
  after(() => browser.close());

  for (const { width, colorScheme } of windows) {
    it(`is fit for all, and as wide as the window: ${width} pixels, ${colorScheme}`, async () => {
      const context = await browser.newContext({
        baseURL: origin,
        colorScheme,
        viewport: { width, height: 740 },
      });
      const page = await context.newPage();
      for (const path of ['/', paperPage, broken, '/nothing']) {
        await page.goto(path, { waitUntil: 'networkidle' });
        await fits(page, path, width);
        for (const summary of await page.locator('.where summary').all()) await summary.click();
        await fits(page, `${path}, unfolded`, width);
      }
      const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      assert.equal(background, colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(20, 23, 26)');
      await context.close();
    });
  }

  it('is read from its keyboard: past the bar, and to the lines of a problem', async () => {
    const page = await browser.newPage({ baseURL: origin });
    await page.goto(paperPage);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(new URL(page.url()).hash, '#main');
    const lines = page.getByRole('group', { name: 'Problems of question 4' }).getByText(/^Line \d+, answer/);
    await lines.focus();
    await page.keyboard.press('Enter');
    assert.ok(await page.locator('#question-4 pre:visible').isVisible());
    await page.close();
  });

  it('is printed as a paper: dark on white, without what only a screen needs', async () => {
    const page = await browser.newPage({ baseURL: origin, colorScheme: 'dark' });
    await page.goto(paperPage);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.getByRole('banner').isVisible(), false);
    assert.equal(
      await page.evaluate('getComputedStyle(document.body).backgroundColor'),
      'rgb(255, 255, 255)',
    );
    assert.equal(await page.getByRole('article').count(), questions.length);
    await page.close();
  });
});

async function fits(page: Page, name: string, width: number): Promise<void> {
  assert.deepEqual(await accessibilityFaults(page), [], name);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, name);
}
