import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { examPage, overviewPage } from '../../../build/site/catalogue/pages.ts';
import type { Html } from '../../../build/site/html.ts';
import { largeCatalogue, nastyExam } from '../../build/catalogue/large-catalogue.ts';
import { openBrowser, openSite } from './browser.ts';
import {
  accessibilityFaults,
  assertAccessible,
  assertFits,
  setWindow,
  unfoldAll,
  windows,
} from './page-checks.ts';

const oneQuestion = { easy: 0, medium: 1, hard: 0, unrated: 0 };
const paths = ['/docs/catalogue/', '/docs/catalogue/neet/', '/docs/catalogue/jeemain/'] as const;

describe('The catalogue in a browser', async () => {
  const browser = await openBrowser();
  const { page, open } = await openSite(browser);

  it('is accessible and fits the window, narrow and wide, light and dark', async () => {
    for (const path of paths) {
      await open(path);
      await assertFits(page, path);
      await unfoldAll(page);
      await assertAccessible(page, `${path}, unfolded`);
      for (const window of windows) {
        await setWindow(page, window);
        assert.deepEqual(await misplaced(page), [], path);
        assert.deepEqual(await faintTexts(page), [], path);
      }
    }
  });

  it('fits 12,000 shifts and long names in any script, narrow and wide', async () => {
    await page.goto('/docs/catalogue/');
    const show = async (name: string, main: Html) => {
      await page.evaluate(
        `document.querySelector('main').outerHTML = ${JSON.stringify(main.text)}`,
      );
      await unfoldAll(page);
      for (const window of windows) {
        await setWindow(page, window);
        assert.deepEqual(await misplaced(page), [], name);
      }
      await assertFits(page, name);
    };
    await show('12,000 shifts', overviewPage(largeCatalogue()).main);
    await show('names of any kind', examPage(nastyExam(), []).main);
    const exam = nastyExam(oneQuestion);
    await show('one question per topic', examPage(exam, []).main);
    const [{ year = 0, shifts = [] } = {}] = exam.years;
    const one = {
      ...exam,
      years: [{ year, shifts: shifts.slice(0, 1) }],
      subjects: exam.subjects.slice(0, 1),
    };
    await show('one paper', overviewPage([one]).main);
    assert.deepEqual(await accessibilityFaults(page), []);
  });

  it('expands with the keyboard', async () => {
    await page.setViewportSize({ width: 320, height: 740 });
    await page.goto('/docs/catalogue/');
    const numbers = page.getByText('Show data: Questions by subject');
    await numbers.focus();
    await page.keyboard.press('Enter');
    assert.ok(await page.getByRole('region', { name: 'Questions by subject, table' }).isVisible());
  });
});

/** Returns parts of charts that overflow or overlap. */
function misplaced(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const errors = [];
    const box = (element) => element.getBoundingClientRect();
    const within = (inner, outer) => inner.left >= outer.left - 1 && inner.right <= outer.right + 1 && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
    const apart = (one, other) => one.right <= other.left || one.bottom <= other.top;
    for (const row of document.querySelectorAll('.chart li')) {
      const [name, total, bar] = ['.name', '.total', 'svg'].map((part) => row.querySelector(part));
      if (name.scrollWidth > name.clientWidth && getComputedStyle(name).display !== 'inline') errors.push(name.textContent + ' outside of its place');
      for (const part of [name, total, bar]) if (!within(box(part), box(row))) errors.push(part.textContent + ' outside of its row');
      for (const part of [total, bar]) if (!apart(box(name), box(part))) errors.push(name.textContent + ' over ' + part.textContent);
      for (const rect of row.querySelectorAll('rect')) {
        if (!within(box(rect), box(bar))) errors.push('a part outside of its bar');
        const label = rect.nextElementSibling;
        if (label?.matches('text') && !within(box(label), box(rect))) errors.push(label.textContent + ' outside of its part');
      }
    }
    return errors;
  })()`);
}

/** Returns texts of bars with a contrast below 4.5 to 1 (WCAG 2.2, 1.4.3), and bars that do not stand out from the page. */
function faintTexts(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const errors = [];
    const channels = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map(Number);
    const luminance = (colour) => {
      const [r, g, b] = channels(colour).map((value) => value / 255).map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (a, b) => (Math.max(luminance(a), luminance(b)) + 0.05) / (Math.min(luminance(a), luminance(b)) + 0.05);
    const paper = getComputedStyle(document.body).backgroundColor;
    for (const rect of document.querySelectorAll('.chart rect')) {
      const { fill, stroke } = getComputedStyle(rect);
      const label = rect.nextElementSibling;
      if (label?.matches('text') && contrast(getComputedStyle(label).fill, fill) < 4.5) errors.push(label.getAttribute('class'));
      if (contrast(stroke, paper) < 3) errors.push('the edge of a bar');
    }
    return [...new Set(errors)];
  })()`);
}
