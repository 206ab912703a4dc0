import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { searchIndexUrl } from '../../../build/site/text.ts';
import { openBrowser, openSite } from './browser.ts';
import {
  assertAccessible,
  assertFits,
  clipboard,
  clipboardPermissions,
  focused,
  tabAndPress,
  tabTo,
  unfoldAll,
} from './page-checks.ts';
import { somebody } from './person.ts';

const path = '/docs/reference/';

describe('The API reference in a browser', async () => {
  const browser = await openBrowser();
  const { baseUrl, context, createKey, page, open, forgetErrors } = await openSite(
    browser,
    {},
    clipboardPermissions,
  );

  it('is accessible with a response, and fits every width without scrolling sideways', async () => {
    await open(path);
    await openForm(page, 'getYear');
    await send(page);
    await page.locator('#try-body pre').waitFor();
    await assertAccessible(page, 'the form with a response', '#try-form');
    await unfoldAll(page);
    await assertFits(page, 'the reference, unfolded', [320, 390, 768, 1024, 1100, 1280, 1920]);
  });

  it('keeps the samples of an endpoint beside its fields in a wide window', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await open(`${path}#getQuestions.questions.solution`);
    const sections = page.getByRole('navigation', { name: 'On this page' });
    await sections
      .locator('[aria-current=location]', { hasText: 'The questions of a subject' })
      .waitFor();
    const field = await page.locator('[id="getQuestions.questions.solution"]').boundingBox();
    const code = await page.locator('section[aria-labelledby=getQuestions] .code').boundingBox();
    assert.ok(field && code && field.y >= 0 && field.y < 800 && code.x > field.x + field.width);
    assert.ok(code.y >= 0 && code.y + code.height <= 800, JSON.stringify(code));
  });

  it('switches the language of all samples by keyboard', async () => {
    await open(path);
    const tabs = page.locator('.samples:has(#getExam-curl)').getByRole('tab');
    await tabs.first().focus();
    for (const [key, name] of [
      ['ArrowRight', 'JavaScript'],
      ['ArrowRight', 'Python'],
      ['ArrowRight', 'curl'],
      ['ArrowLeft', 'Python'],
    ] as const) {
      await page.keyboard.press(key);
      assert.equal(await page.evaluate('document.activeElement.textContent'), name);
      const selected = await page.locator('[role=tab][aria-selected=true]').allTextContents();
      assert.deepEqual(selected, Array(await page.locator('.samples').count()).fill(name));
    }
    await page.keyboard.press('Tab');
    assert.match(String(await page.evaluate('document.activeElement.textContent')), /^import json/);
    assert.equal(await page.locator('.samples:has(#getExam-curl) pre:visible').count(), 1);
  });

  describe('The search', () => {
    beforeEach(() => open(path));

    it('loads its script and index on focus, and finds headings, fields, header fields and messages', async () => {
      const requested: string[] = [];
      page.on('request', (request) => requested.push(new URL(request.url()).pathname));
      assert.deepEqual(requested, []);
      await page.keyboard.press('/');
      assert.equal(await focused(page), 'Search the docs');
      await page.getByRole('combobox').fill('retry-after');
      await page.getByRole('option', { name: /^Retry-After / }).waitFor();
      assert.deepEqual(requested.sort(), ['/docs/search.js', searchIndexUrl]);
      for (const [text, name] of [
        ['Malformed URL', /^Malformed URL Errors 400/],
        ['shift names', /^Shift names API reference /],
        ['hasdiagram', /^hasDiagram The questions of a subject: questions boolean/],
        ['rotate downtime', /^Rotate a key without downtime Getting a key /],
        [
          '429',
          /^When to retry Limits and retries 429 · Wait the number of seconds in Retry-After\.$/,
        ],
      ] as const) {
        await page.getByRole('combobox').fill(text);
        await page.getByRole('option', { name }).waitFor();
      }
      const result = page.getByRole('option', { name: /^When to retry / });
      assert.equal(await result.locator('p').isVisible(), true);
      assert.deepEqual(await result.locator('mark').allTextContents(), ['429']);
      await assertAccessible(page, 'search results');
      await page.getByRole('combobox').fill('no such thing');
      await page.getByText('No results').waitFor();
    });

    it('works by keyboard alone', async () => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('hasdiagram');
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('ArrowDown');
      const selected = page.locator('[role=option][aria-selected=true]');
      assert.match(await selected.innerText(), /^hasDiagram/);
      assert.equal(
        await page.getByRole('combobox').getAttribute('aria-activedescendant'),
        await selected.getAttribute('id'),
      );
      await page.keyboard.press('Enter');
      await page.waitForURL('**#getQuestions.questions.hasDiagram');
      assert.equal(
        await page.locator('[id="getQuestions.questions.hasDiagram"]').isVisible(),
        true,
      );
      assert.equal(await page.getByRole('listbox').isVisible(), false);
      await page.keyboard.press('Control+k');
      await page.keyboard.type('diagram');
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('Escape');
      assert.equal(await page.getByRole('listbox').isVisible(), false);
    });
  });

  describe('The form that sends requests', async () => {
    const { key } = await createKey('reader');
    beforeEach(() => open(path));

    it('sends a request to a public endpoint', async () => {
      await openForm(page, 'getYear');
      assert.equal(await page.getByLabel('API key').isVisible(), false);
      assert.deepEqual(await sendAndRead(page), { status: '200 OK', request: 'GET /neet/2026' });
      const body = JSON.parse((await page.locator('#try-body pre').textContent()) ?? '');
      assert.equal(body.shifts[0].shift, '2026-01-01-s1');
      await page.getByRole('button', { name: 'Copy the body' }).click();
      assert.deepEqual(JSON.parse(await clipboard(page)), body);
      assert.match(await headerOf(page, 'ETag'), /^"[0-9a-f]{32}"$/);
    });

    it('gets questions and their diagrams with a key, and does not store the key', async () => {
      await openForm(page, 'getQuestions');
      await page.getByLabel('exam', { exact: true }).fill('neet');
      await page.getByLabel('year', { exact: true }).fill('2024');
      await page.getByLabel('API key').fill(key);
      assert.deepEqual(await sendAndRead(page), {
        status: '200 OK',
        request: 'GET /neet/2024/s1/physics.json',
      });
      const shown = await page.locator('#try-body pre').textContent();
      assert.equal(shown?.slice(0, 17), '{\n  "exam": "neet');
      assert.match(await headerOf(page, 'RateLimit'), /^"rate";r=\d+/);

      await openForm(page, 'getDiagram');
      assert.equal(await page.locator('#try-response').isVisible(), false);
      assert.ok((await page.locator('#try-filename-list option').count()) > 0);
      assert.equal((await sendAndRead(page)).status, '200 OK');
      await page.locator('#try-body img').waitFor();
      assert.ok(
        Number(await page.evaluate('document.querySelector("#try-body img").naturalWidth')) > 0,
      );

      const kept = await page.evaluate(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.search])',
      );
      assert.ok(!String(kept).includes(key));
      assert.ok(!(await page.content()).includes(key));
      await page.reload();
      assert.equal(await page.locator('#try-key').inputValue(), '');
    });

    it('creates a key for a user who is signed in, and colors the response', async () => {
      const data = { ...somebody(), name: 'reader' };
      const client = context.request;
      await client.post(`${baseUrl}/auth/sign-up/email`, { data });
      await client.post(`${baseUrl}/auth/sign-in/email`, { data });
      await openForm(page, 'getQuestions');
      await page.getByRole('button', { name: 'Use a new key of my account' }).click();
      await page.waitForFunction("document.querySelector('#try-key').value !== ''");
      assert.equal((await sendAndRead(page)).status, '200 OK');
      assert.equal(await page.locator('#try-body .hljs-string').first().textContent(), '"neet"');
      assert.match(await page.locator('#try-status').innerText(), /^200 OK, \d+ ms, [\d,]+ bytes$/);
    });

    it('shows error responses', async () => {
      await openForm(page, 'getQuestions');
      assert.equal((await sendAndRead(page)).status, '401 Unauthorized');
      assert.match((await page.locator('#try-body').textContent()) ?? '', /Missing API key/);
      assert.equal(await headerOf(page, 'WWW-Authenticate'), 'Bearer');
      await page.getByLabel('API key').fill('pfx_unknown');
      assert.equal((await sendAndRead(page)).status, '403 Forbidden');
      await page.getByLabel('API key').fill('ключ');
      await send(page);
      await page.getByText('Nothing was sent: the key contains invalid characters.').waitFor();
      forgetErrors();
    });

    it('works by keyboard alone', async () => {
      await page.locator('section[aria-labelledby=getQuestions] [data-try]').focus();
      await page.keyboard.press('Enter');
      for (const name of ['exam', 'year', 'shift', 'file', 'API key']) await tabTo(page, name);
      await page.keyboard.type(key);
      await tabAndPress(page, 'Send');
      await page.getByText('200 OK').waitFor();
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Send');
      await page.keyboard.press('Tab');
      assert.match(
        String(await page.evaluate('document.activeElement.textContent')),
        /^\{\n {2}"exam"/,
      );
    });
  });
});

/** Opens the form at an endpoint. */
async function openForm(page: Page, operationId: string): Promise<void> {
  const endpoint = page.locator(`section[aria-labelledby=${operationId}]`);
  await endpoint.getByRole('button', { name: 'Try it' }).click();
  await endpoint.locator('#try-form').waitFor();
}

/** Sends the form, and reads the status and the request that the page shows. */
async function sendAndRead(
  page: Page,
): Promise<{ status: string | undefined; request: string | null }> {
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
  if (!(await page.locator('#try-headers table').isVisible()))
    await page.locator('#try-headers summary').click();
  const row = page
    .locator('#try-headers tr')
    .filter({ has: page.getByText(field.toLowerCase(), { exact: true }) });
  return (await row.locator('td').textContent()) ?? '';
}
