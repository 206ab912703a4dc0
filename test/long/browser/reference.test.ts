import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { apiErrors } from '../../../build/release/errors.ts';
import type { QuestionFile } from '../../../build/release/resources.ts';
import { sampleOrigin } from '../../../build/site/text.ts';
import { skip } from './browser.ts';
import { assertAccessible } from './fits.ts';
import { openBrowser, openSite } from './open-site.ts';
import { tabTo } from './tab-to.ts';
import { openWatched } from './watched-page.ts';

/** Bytes transferred until the page is usable. */
const mostBytes = 250_000;

describe('The API reference in a browser', { skip }, async () => {
  if (skip) return;
  const browser = await openBrowser();
  const permissions = ['clipboard-read', 'clipboard-write'];
  const { baseUrl, context, createKey, page, errors, open, reset } = await openSite(
    browser,
    {},
    { permissions },
  );
  beforeEach(reset);

  it('is where the root redirects to, complete, without an error, in light and dark', async () => {
    await open('/');
    assert.equal(page.url(), `${baseUrl}/docs/`);
    assert.equal(await page.title(), 'Pastpaper: API reference');
    const text = (await page.textContent('body')) ?? '';
    for (const { message } of Object.values(apiErrors)) assert.ok(text.includes(message), message);
    for (const [colorScheme, color] of [
      ['light', 'rgb(255, 255, 255)'],
      ['dark', 'rgb(20, 23, 26)'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), color);
    }
    assert.deepEqual(errors, []);
  });

  it('is accessible in light and dark, and fits every width without scrolling sideways', async () => {
    await open('/docs/');
    for (const details of await page.locator('summary').all()) await details.click();
    await page.locator('#try-form button[type=submit]').click();
    await page.locator('#try-body pre').waitFor();
    for (const width of [320, 360, 768, 1024]) {
      await page.setViewportSize({ width, height: 740 });
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
    }
    await assertAccessible(page, 'the reference, unfolded');
    assert.deepEqual(errors, []);
  });

  it('has no broken links', async () => {
    await open('/docs/');
    const links = await page
      .locator('main a')
      .evaluateAll((anchors) => anchors.map((anchor) => String(anchor.getAttribute('href'))));
    assert.ok(links.length >= 20);
    for (const link of links) {
      if (link.startsWith('#')) assert.equal(await page.locator(link).count(), 1, link);
      else assert.equal((await fetch(baseUrl + link)).status, 200, link);
    }
  });

  it('is readable without JavaScript: every sample, every field, no form', async () => {
    const { context, page, errors } = await openWatched(browser, baseUrl, { javaScriptEnabled: false });
    await page.goto('/docs/');
    for (const language of ['curl', 'javascript', 'python'])
      assert.ok((await page.locator(`[data-sample=${language}] pre:visible`).count()) >= 5, language);
    assert.equal(await page.locator('h2:visible').count(), await page.locator('h2').count());
    assert.equal(await page.locator('#try-form').isVisible(), false);
    assert.equal(await page.locator('button:visible').count(), 0);
    const said = await page.locator('noscript').allInnerTexts();
    assert.match(said.join(), /To send requests from this page, enable JavaScript/);
    await page.locator('summary').first().click();
    await page.locator('details table').first().waitFor();
    assert.deepEqual(errors, []);
    await context.close();
  });

  it('loads at most 250 KB, all from its own origin', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const sizes: Promise<number>[] = [];
    page.on('requestfinished', (request) => {
      sizes.push(request.sizes().then((size) => size.responseBodySize + size.responseHeadersSize));
    });
    await page.goto(`${baseUrl}/docs/`, { waitUntil: 'networkidle' });
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    assert.ok(
      sizes.length >= 4 && bytes > 0 && bytes <= mostBytes,
      `${bytes} bytes in ${sizes.length} responses`,
    );
    await context.close();
  });

  it('has its own origin in the samples, and copies them', async () => {
    await open('/docs/');
    const samples = await page.locator('[data-sample] code').allTextContents();
    for (const sample of samples)
      assert.ok(!sample.includes(sampleOrigin) && sample.includes(baseUrl), sample);
    await page.locator('[data-sample] .copy').first().click();
    await page.getByText('Sample copied.').waitFor({ state: 'attached' });
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), samples[0]);
    assert.deepEqual(errors, []);
  });

  it('switches the language of all samples by keyboard', async () => {
    await open('/docs/');
    const tabs = page.locator('[data-samples=getExam]').getByRole('tab');
    await tabs.first().focus();
    for (const [key, name] of [
      ['ArrowRight', 'JavaScript'],
      ['ArrowRight', 'Python'],
      ['ArrowRight', 'curl'],
      ['End', 'Python'],
      ['ArrowLeft', 'JavaScript'],
      ['Home', 'curl'],
      ['ArrowLeft', 'Python'],
    ] as const) {
      await page.keyboard.press(key);
      assert.equal(await page.evaluate('document.activeElement.textContent'), name);
      assert.deepEqual(
        await page.locator('[role=tab][aria-selected=true]').allTextContents(),
        Array(5).fill(name),
      );
    }
    await page.keyboard.press('Tab');
    assert.match(String(await page.evaluate('document.activeElement.textContent')), /^import json/);
    assert.equal(await page.locator('[data-samples=getExam] pre:visible').count(), 1);
    assert.deepEqual(errors, []);
  });

  describe('The form that sends requests', async () => {
    const { key } = await createKey('reader');
    beforeEach(() => open('/docs/'));

    it('sends a request to a public endpoint', async () => {
      await page
        .getByLabel('Endpoint', { exact: true })
        .selectOption({ label: 'The shifts of a year: /{exam}/{year}' });
      assert.equal(await page.getByLabel('API key').isVisible(), false);
      assert.deepEqual(await sendAndRead(page), { status: '200 OK', request: 'GET /jeemain/2025' });
      const body = JSON.parse((await page.locator('#try-body pre').textContent()) ?? '');
      assert.equal(body.shifts[0].shift, '2025-01-22-s1');
      assert.match(await headerOf(page, 'ETag'), /^"[0-9a-f]{32}"$/);
      assert.deepEqual(errors, []);
    });

    it('gets questions and one of their diagrams with a key, and does not store the key', async () => {
      await page.getByLabel('Endpoint', { exact: true }).selectOption({ index: 2 });
      await page.getByLabel('Exam', { exact: true }).selectOption('neet');
      await page.getByLabel('Year', { exact: true }).selectOption('2024');
      await page.getByLabel('Shift', { exact: true }).selectOption('s1');
      await page.getByLabel('API key').fill(key);
      assert.deepEqual(await sendAndRead(page), {
        status: '200 OK',
        request: 'GET /neet/2024/s1/physics.json',
      });
      const body = JSON.parse((await page.locator('#try-body pre').textContent()) ?? '');
      assert.equal(body.questions.length, body.total);
      assert.match(await headerOf(page, 'RateLimit'), /^"rate";r=\d+/);

      await page.getByLabel('Endpoint', { exact: true }).selectOption({ index: 3 });
      const offered = await page.evaluate(
        '[...document.querySelectorAll("#try-filenames option")].map(({ value }) => value)',
      );
      const { questions }: QuestionFile = body;
      const named = questions.flatMap(({ diagrams }) => diagrams.map(({ file }) => file));
      assert.deepEqual(offered, named);
      assert.equal((await sendAndRead(page)).status, '200 OK');
      await page.locator('#try-body img').waitFor();
      assert.ok(Number(await page.evaluate('document.querySelector("#try-body img").naturalWidth')) > 0);

      const kept = await page.evaluate(
        '[...Object.keys(localStorage), ...Object.keys(sessionStorage), document.cookie, location.search].filter(Boolean)',
      );
      assert.deepEqual(kept, []);
      assert.ok(!(await page.content()).includes(key));
      await page.reload();
      assert.equal(await page.locator('#try-key').inputValue(), '');
      assert.deepEqual(errors, []);
    });

    it('shows error responses', async () => {
      await page.getByLabel('Endpoint', { exact: true }).selectOption({ index: 2 });
      assert.equal((await sendAndRead(page)).status, '401 Unauthorized');
      assert.match((await page.locator('#try-body').textContent()) ?? '', /Missing API key/);
      assert.equal(await headerOf(page, 'WWW-Authenticate'), 'Bearer');
      await page.getByLabel('API key').fill('pfx_unknown');
      assert.equal((await sendAndRead(page)).status, '403 Forbidden');
      await page.getByLabel('API key').fill('ключ');
      await send(page);
      await page.getByText('Nothing was sent: the key contains invalid characters.').waitFor();
    });

    it('offers values from the bank, and accepts others', async () => {
      await page.getByLabel('Endpoint', { exact: true }).selectOption({ index: 2 });
      await page.getByLabel('Exam', { exact: true }).selectOption('neet');
      const year = page.getByLabel('Year', { exact: true });
      await year.locator('option[value="2023"]').waitFor({ state: 'attached' });
      assert.deepEqual(await year.locator('option').allTextContents(), ['2024', '2023', 'Something else…']);
      await year.selectOption('2023');
      await page.locator('#try-shift option[value="2023-05-07-s1"]').waitFor({ state: 'attached' });
      assert.deepEqual(await page.getByLabel('Shift', { exact: true }).locator('option').allTextContents(), [
        '2023-05-07-s1',
        's1: 2023-05-07-s1',
        'Something else…',
      ]);
      assert.deepEqual(
        await page.getByLabel('Subject file', { exact: true }).locator('option').allTextContents(),
        ['physics.json', 'chemistry.json', 'biology.json', 'Something else…'],
      );
      await page.getByLabel('Shift', { exact: true }).selectOption('Something else…');
      await page.getByLabel('Shift, custom value').fill('05-07');
      await page.getByLabel('API key').fill(key);
      assert.deepEqual(await sendAndRead(page), {
        status: '200 OK',
        request: 'GET /neet/2023/05-07/physics.json',
      });
      await page.getByLabel('Shift, custom value').fill('../a b');
      assert.equal(
        await page.locator('#try-request').textContent(),
        'GET /neet/2023/..%2Fa%20b/physics.json',
      );
    });

    it('says that there is no response', async () => {
      await context.setOffline(true);
      await send(page);
      await page.getByText('No response. Check your connection').waitFor();
      await context.setOffline(false);
    });

    it('works by keyboard alone', async () => {
      await tabTo(page, 'Endpoint');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      for (const name of ['Exam', 'Year', 'Shift', 'Subject file', 'API key']) await tabTo(page, name);
      await page.keyboard.type(key);
      await tabTo(page, 'Show the key');
      await page.keyboard.press('Space');
      assert.equal(
        await page.getByRole('button', { name: 'Show the key' }).getAttribute('aria-pressed'),
        'true',
      );
      await tabTo(page, 'Send');
      await page.keyboard.press('Enter');
      await page.getByText('200 OK').waitFor();
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Send');
      await page.keyboard.press('Tab');
      assert.match(String(await page.evaluate('document.activeElement.textContent')), /^\{\n {2}"exam"/);
      assert.deepEqual(errors, []);
    });
  });
});

/** Sends the form, and reads the status and the request that the page shows. */
async function sendAndRead(page: Page): Promise<{ status: string | undefined; request: string | null }> {
  await page.evaluate('document.querySelector("#try-status").textContent = ""');
  await send(page);
  const status = page.locator('#try-status').filter({ hasText: /\d/ });
  const [shown] = ((await status.textContent()) ?? '').split(',');
  return { status: shown, request: await page.locator('#try-request').textContent() };
}

async function send(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Send' }).click();
}

async function headerOf(page: Page, field: string): Promise<string> {
  const row = page.locator('#try-headers tr').filter({ has: page.getByText(field, { exact: true }) });
  return (await row.locator('td').textContent()) ?? '';
}
