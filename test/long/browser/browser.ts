import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
);

/** Why browser tests are skipped; in CI a missing browser is a failure. */
export const skip =
  executablePath === undefined && !process.env['CI'] ? 'there is no Chromium on this machine' : false;

/** Starts the installed Chromium, with all background requests disabled. */
export function startBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error('CI needs Chromium: apt-get install chromium.');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-sync',
    ],
  });
}
