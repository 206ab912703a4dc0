import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { QuestionFile } from '../../build/compile/resources.ts';
import { skip } from './browser.ts';
import { openReference } from './open-reference.ts';
import { tabTo } from './tab-to.ts';

describe('The form of the reference to try the API', { skip }, async () => {
  if (skip) return;
  const { createKey, open } = await openReference();
  const { key } = await createKey('reader');

  it('asks for what anyone may know', async () => {
    const { page, faults } = await open();
    await page
      .getByLabel('Endpoint', { exact: true })
      .selectOption({ label: 'The shifts of a year: /{exam}/{year}' });
    assert.equal(await page.getByLabel('API key').isVisible(), false);
    assert.deepEqual(await answered(page), { status: '200 OK', request: 'GET /jeemain/2025' });
    const body = JSON.parse((await page.locator('#try-body pre').textContent()) ?? '');
    assert.equal(body.shifts[0].shift, '2025-01-22-s1');
    assert.match(await headerOf(page, 'ETag'), /^"[0-9a-f]{32}"$/);
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it('asks with a key for questions and a diagram of theirs, and keeps the key nowhere', async () => {
    const { page, faults } = await open();
    await page.getByLabel('Endpoint', { exact: true }).selectOption({ index: 2 });
    await page.getByLabel('Exam', { exact: true }).selectOption('neet');
    await page.getByLabel('Year', { exact: true }).selectOption('2024');
    await page.getByLabel('Shift', { exact: true }).selectOption('s1');
    await page.getByLabel('API key').fill(key);
    assert.deepEqual(await answered(page), { status: '200 OK', request: 'GET /neet/2024/s1/physics.json' });
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
    assert.equal((await answered(page)).status, '200 OK');
    await page.locator('#try-body img').waitFor();
    assert.ok(Number(await page.evaluate('document.querySelector("#try-body img").naturalWidth')) > 0);

    const kept = await page.evaluate(
      '[...Object.keys(localStorage), ...Object.keys(sessionStorage), document.cookie, location.search].filter(Boolean)',
    );
    assert.deepEqual(kept, []);
    assert.ok(!(await page.content()).includes(key));
    await page.reload();
    assert.equal(await page.locator('#try-key').inputValue(), '');
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it('shows a refusal as it is', async () => {
    const { page } = await open();
    await page.getByLabel('Endpoint', { exact: true }).selectOption({ index: 2 });
    assert.equal((await answered(page)).status, '401 Unauthorized');
    assert.match((await page.locator('#try-body').textContent()) ?? '', /Missing API key/);
    assert.equal(await headerOf(page, 'WWW-Authenticate'), 'Bearer');
    await page.getByLabel('API key').fill('pfx_unknown');
    assert.equal((await answered(page)).status, '403 Forbidden');
    await page.getByLabel('API key').fill('ключ');
    await send(page);
    await page.getByText('Nothing was sent: the key holds characters that no key has.').waitFor();
    await page.context().close();
  });

  it('offers what the bank has, and takes what it has not', async () => {
    const { page } = await open();
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
    await page.getByLabel('Shift, as you write it').fill('05-07');
    await page.getByLabel('API key').fill(key);
    assert.deepEqual(await answered(page), {
      status: '200 OK',
      request: 'GET /neet/2023/05-07/physics.json',
    });
    await page.getByLabel('Shift, as you write it').fill('../a b');
    assert.equal(await page.locator('#try-request').textContent(), 'GET /neet/2023/..%2Fa%20b/physics.json');
    await page.context().close();
  });

  it('says so when there is no answer', async () => {
    const { page } = await open();
    await page.context().setOffline(true);
    await send(page);
    await page.getByText('No answer: check your connection').waitFor();
    await page.context().close();
  });

  it('is used without a mouse', async () => {
    const { page, faults } = await open();
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
    assert.deepEqual(faults, []);
    await page.context().close();
  });
});

/** Sends the form, and reads how it was answered. */
async function answered(page: Page): Promise<{ status: string | undefined; request: string | null }> {
  await page.evaluate('document.querySelector("#try-status").textContent = ""');
  await send(page);
  const status = page.locator('#try-status').filter({ hasText: /\d/ });
  const [told] = ((await status.textContent()) ?? '').split(',');
  return { status: told, request: await page.locator('#try-request').textContent() };
}

async function send(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Send' }).click();
}

async function headerOf(page: Page, field: string): Promise<string> {
  const row = page.locator('#try-headers tr').filter({ has: page.getByText(field, { exact: true }) });
  return (await row.locator('td').textContent()) ?? '';
}
