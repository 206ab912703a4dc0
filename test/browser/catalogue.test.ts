import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { Changes } from '../../build/site/catalogue/changes.ts';
import { examMain } from '../../build/site/catalogue/exam-page.ts';
import { overviewMain } from '../../build/site/catalogue/overview-page.ts';
import type { Html } from '../../build/site/html.ts';
import { largeCatalogue, nastyExam } from '../build/catalogue/large-catalogue.ts';
import { accessibilityFaults } from './axe.ts';
import { skip, startBrowser } from './browser.ts';
import { runCatalogue } from './catalogue-gateway.ts';
import { openWatched } from './watched-page.ts';
import { windows } from './windows.ts';

const paths = ['/docs/catalogue/', '/docs/catalogue/neet/', '/docs/catalogue/jeemain/'] as const;

describe('The catalogue in a browser', { skip }, async () => {
  if (skip) return;
  const { baseUrl, close } = await runCatalogue();
  const browser = await startBrowser();
  after(async () => {
    await browser.close();
    await close();
  });

  for (const { width, colorScheme } of windows) {
    it(`is fit for all, and as wide as the window: ${width} pixels, ${colorScheme}`, async () => {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 740 } });
      const { page, faults } = await openWatched(context, baseUrl);
      for (const path of paths) {
        await page.goto(baseUrl + path, { waitUntil: 'networkidle' });
        await fits(page, path, width);
        await unfoldAll(page);
        await fits(page, `${path}, unfolded`, width);
        assert.deepEqual(await misplaced(page), [], path);
        assert.deepEqual(await faintTexts(page), [], path);
      }
      assert.deepEqual(faults, []);
      await context.close();
    });
  }

  for (const width of [320, 1200]) {
    it(`has room for 12,000 shifts, and for names of any kind: ${width} pixels`, async () => {
      const page = await browser.newPage({ viewport: { width, height: 740 } });
      await page.goto(`${baseUrl}/docs/catalogue/`);
      const addresses = { exam: (code: string) => `/docs/catalogue/${code}/`, changes: '/changes.json' };
      const show = async (main: Html) => {
        await page.evaluate(`document.querySelector('main').outerHTML = ${JSON.stringify(main.text)}`);
        await unfoldAll(page);
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
        assert.deepEqual(await misplaced(page), []);
      };
      await show(overviewMain(largeCatalogue(), undefined, addresses));
      await show(examMain(nastyExam()));
      assert.deepEqual(await accessibilityFaults(page), []);
      await page.close();
    });
  }

  it('is whole without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${baseUrl}/docs/catalogue/`);
    assert.equal(await page.locator('script').count(), 0);
    await page.getByRole('link', { name: 'NEET' }).first().click();
    await page.waitForURL('**/docs/catalogue/neet/');
    assert.ok(await page.getByRole('list', { name: 'Bar chart: Questions by subject' }).isVisible());
    const older = page.getByRole('heading', { name: '2023' });
    const shift = page.getByText('2023-05-07-s1');
    assert.ok(!(await shift.isVisible()));
    await older.click();
    assert.ok(await shift.isVisible());
    await context.close();
  });

  it('is used with the keyboard alone: it scrolls what is too wide, and unfolds what is folded', async () => {
    const page = await browser.newPage({ viewport: { width: 320, height: 740 } });
    await page.goto(`${baseUrl}/docs/catalogue/neet/`);
    const map = page.getByRole('region', { name: 'Questions by year and month' });
    await map.focus();
    for (let press = 0; press < 5; press += 1) await page.keyboard.press('ArrowRight');
    await page.waitForFunction('document.activeElement.scrollLeft > 0');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent'), '2024');
    const numbers = page.getByText('The numbers: Questions by subject');
    await numbers.focus();
    await page.keyboard.press('Enter');
    assert.ok(await page.getByRole('region', { name: 'Questions by subject, table' }).isVisible());
    await page.close();
  });

  it('keeps the names of rows in view when a heat map is scrolled', async () => {
    const page = await browser.newPage({ viewport: { width: 320, height: 740 } });
    await page.goto(`${baseUrl}/docs/catalogue/neet/`);
    const map = page.getByRole('region', { name: 'Questions by year and month' });
    await map.evaluate((region) => region.scrollTo({ left: 10_000 }));
    const [edge, name] = [await map.boundingBox(), await map.getByRole('rowheader').first().boundingBox()];
    assert.ok(edge && name && Math.abs(name.x - edge.x) <= 2);
    await page.close();
  });

  it('leads from a year of the heat map to its shifts, and from there to the API', async () => {
    const page = await browser.newPage();
    await page.goto(`${baseUrl}/docs/catalogue/neet/`);
    await page.getByRole('link', { name: '2024', exact: true }).click();
    assert.ok(await page.getByText('2024-06-23-s1').isVisible());
    await page.getByRole('link', { name: '/neet/2024' }).click();
    assert.equal(JSON.parse((await page.textContent('body')) ?? '').year, 2024);
    await page.close();
  });

  it('tells what changed since the last release, and gives it as JSON', async () => {
    const page = await browser.newPage();
    await page.goto(`${baseUrl}/docs/catalogue/`);
    const rows = page.getByRole('region', { name: 'Changed shifts, table' }).locator('tbody tr');
    const kinds = await rows.locator('td:nth-child(3)').allTextContents();
    assert.deepEqual(kinds, ['added', 'removed', 'changed']);
    const list = await page.getByRole('link', { name: 'The list as JSON' }).getAttribute('href');
    const changes: Changes = JSON.parse(await (await fetch(baseUrl + list)).text());
    assert.deepEqual(
      changes.shifts.map(({ change }) => change),
      kinds,
    );
    await page.close();
  });
});

async function fits(page: Page, name: string, width: number): Promise<void> {
  assert.deepEqual(await accessibilityFaults(page), [], name);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, name);
}

async function unfoldAll(page: Page): Promise<void> {
  for (const details of await page.locator('details').all())
    await details.evaluate((element) => element.setAttribute('open', ''));
}

/** What of a chart reaches out of its place, or lies over something else. */
function misplaced(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const faults = [];
    const box = (element) => element.getBoundingClientRect();
    const within = (inner, outer) => inner.left >= outer.left - 1 && inner.right <= outer.right + 1 && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
    const apart = (one, other) => one.right <= other.left || one.bottom <= other.top;
    for (const row of document.querySelectorAll('.chart li')) {
      const [name, total, bar] = ['.name', '.total', 'svg'].map((part) => row.querySelector(part));
      if (name.scrollWidth > name.clientWidth && getComputedStyle(name).display !== 'inline') faults.push(name.textContent + ' out of its place');
      for (const part of [name, total, bar]) if (!within(box(part), box(row))) faults.push(part.textContent + ' out of its row');
      for (const part of [total, bar]) if (!apart(box(name), box(part))) faults.push(name.textContent + ' over ' + part.textContent);
      for (const rect of row.querySelectorAll('rect')) {
        if (!within(box(rect), box(bar))) faults.push('a part out of its bar');
        const label = rect.nextElementSibling;
        if (label?.matches('text') && !within(box(label), box(rect))) faults.push(label.textContent + ' out of its part');
      }
    }
    return faults;
  })()`);
}

/** Texts upon a shade with a contrast below 4.5 to 1 (WCAG 2.2, 1.4.3), and shades that are like the page. */
function faintTexts(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const faults = [];
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
      if (label?.matches('text') && contrast(getComputedStyle(label).fill, fill) < 4.5) faults.push(label.getAttribute('class'));
      if (contrast(stroke, paper) < 3) faults.push('the edge of a bar');
    }
    for (const cell of document.querySelectorAll('[class^=shade-], [class^=key-]')) {
      const { color, backgroundColor } = getComputedStyle(cell);
      if (contrast(color, backgroundColor) < 4.5) faults.push(cell.className);
    }
    return [...new Set(faults)];
  })()`);
}
