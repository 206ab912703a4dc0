import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import glob from 'fast-glob';
import { harmlessSvgs, hostileSvgs, type SvgCase } from '../../build/hostile-svg.ts';
import { sampleContentDir } from '../../content/sample-bank.ts';
import { listenLocally } from '../../free-port.ts';
import { openBrowser } from './browser.ts';

const samples = glob
  .sync('*/*/*/diagrams/*.svg', { cwd: sampleContentDir })
  .map((file): SvgCase => [file, readFileSync(join(sampleContentDir, file))]);
const accepted = [...harmlessSvgs, ...samples];

/** Drawings that are rejected, to show that the test notices what they do: as a file, or as a part of a page. */
const hostile: readonly (readonly [name: string, place: 'svg' | 'html'])[] = [
  ['a script with a prefix beyond ASCII', 'svg'],
  ['a default value of onload', 'svg'],
  ['a sheet with image-set', 'svg'],
  ['a sheet that imports around a comment', 'svg'],
  ['ISO-2022-JP', 'svg'],
  ['a link', 'svg'],
  ['onbegin of an animation', 'svg'],
  ['a section in a description', 'html'],
  ['a script of Dublin Core', 'html'],
];

/** Serves drawings without a header that protects: each as `/NUMBER.svg`, and as a part of the page `/NUMBER.html`. */
async function serve(drawings: readonly SvgCase[]): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    const [, number = '', extension] = /^\/(\d+)\.(svg|html)$/.exec(url) ?? [];
    const content = drawings[Number(number)]?.[1];
    if (content === undefined || number === '') return response.writeHead(404).end();
    if (extension === 'svg')
      return response.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end(content);
    const part = String(content).replace(/^\ufeff?<\?xml.*?\?>/, '');
    return response
      .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
      .end(`<!doctype html>${part}`);
  });
  after(() => server.close());
  return `http://127.0.0.1:${await listenLocally(server)}`;
}

describe('A drawing without our headers, in Chromium', async () => {
  const drawings = [...accepted, ...hostileSvgs];
  const origin = await serve(drawings);
  const drawn = new RegExp(`^${origin}/\\d+\\.(?:svg|html)$`);
  const browser = await openBrowser();
  const page = await browser.newPage();
  let actions: string[] = [];
  page.on('dialog', (dialog) => {
    actions.push(`runs ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.route('**', (route) => {
    const url = route.request().url();
    if (drawn.test(url)) return route.continue();
    if (!url.endsWith('/favicon.ico')) actions.push(`loads ${url}`);
    // A link with this response does not leave the page.
    return route.fulfill({ status: 204 });
  });

  /**
   * Opens a drawing, points at it, clicks it and presses keys.
   *
   * @param frames until when it can start to do something
   * @returns what it does, and what in it leads elsewhere
   */
  async function actionsOf(name: string, place: 'svg' | 'html', frames = 3): Promise<string[]> {
    const url = `${origin}/${drawings.findIndex(([one]) => one === name)}.${place}`;
    actions = [];
    await page.goto(url);
    const found = await page.evaluate<string[]>(
      "[...document.querySelectorAll('*')].filter((one) => ['a', 'parsererror'].includes(one.localName)).map((one) => one.outerHTML)",
    );
    await page.mouse.move(15, 10);
    await page.mouse.click(5, 5);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    for (let frame = 0; frame < frames && actions.length + found.length === 0; frame += 1)
      await page.evaluate('new Promise(requestAnimationFrame)');
    const opened = page.url() === url ? [] : [`opens ${page.url()}`];
    return [...actions, ...found, ...opened];
  }

  for (const [name] of accepted) {
    it(`runs, loads and links nothing: ${name}`, async () => {
      assert.deepEqual(await actionsOf(name, 'svg'), []);
      assert.deepEqual(await actionsOf(name, 'html'), []);
    });
  }

  it('is shown as an image', async () => {
    await page.goto(`${origin}/0.html`);
    const broken = await page.evaluate<number[]>(`(async () => {
      const broken = [];
      for (let index = 0; index < ${accepted.length}; index += 1) {
        const image = new Image();
        image.src = '/' + index + '.svg';
        await image.decode().catch(() => broken.push(index));
      }
      return broken;
    })()`);
    assert.deepEqual(
      broken.map((index) => accepted[index]?.[0]),
      [],
    );
  });

  for (const [name, place] of hostile) {
    it(`would run, load or link something if it were accepted: ${name}`, async () => {
      assert.notDeepEqual(await actionsOf(name, place, 300), []);
    });
  }
});
