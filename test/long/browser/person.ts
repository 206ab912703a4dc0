import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';

/** A user. */
export interface Person {
  readonly email: string;
  readonly password: string;
}

/** A new user. */
export function somebody(): Person {
  return { email: `${randomUUID().slice(0, 8)}@example.org`, password: `a phrase ${randomUUID()}` };
}

/** Signs up on a service without email, and waits for the dashboard. */
export async function signUp(page: Page, baseUrl: string, person: Person): Promise<void> {
  await page.goto(`${baseUrl}/dashboard/sign-up/`);
  await fill(page, person);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await onDashboard(page);
}

/** Signs in on the open sign-in page. */
export async function signIn(page: Page, person: Person): Promise<void> {
  await fill(page, person);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Waits until the dashboard shows keys and usage. */
export async function onDashboard(page: Page): Promise<void> {
  await page.waitForURL('**/dashboard/');
  await page.getByRole('heading', { name: 'Usage' }).waitFor();
}

/** Creates a key on the dashboard and returns it. @param expiry an option of the field, if not the first choice */
export async function createKey(page: Page, name: string, expiry?: string): Promise<string> {
  const key = await showKey(page, name, expiry);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  return key;
}

/** Creates a key and returns it, with the dialog that shows it open. */
export async function showKey(page: Page, name: string, expiry?: string): Promise<string> {
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  if (expiry !== undefined) await page.getByLabel('Expires').selectOption({ label: expiry });
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('heading', { name: `“${name}” is ready` }).waitFor();
  return shownKey(page);
}

/** The new key that the page shows. */
export async function shownKey(page: Page): Promise<string> {
  return (await page.locator('#new-key-text').textContent()) ?? '';
}

/** The row of a live key, by its name. */
export function rowOf(page: Page, name: string) {
  return page
    .locator('#live-keys > tr')
    .filter({ has: page.getByRole('rowheader', { name, exact: true }) });
}

async function fill(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByRole('textbox', { name: /password/i }).fill(password);
}
