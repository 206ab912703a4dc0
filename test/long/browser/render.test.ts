import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { compiledFile } from '../../../build/compile.js';
import type { Question, QuestionFile } from '../../../build/release/resources.ts';
import texts from '../../build/cases/texts.json' with { type: 'json' };
import { serve } from '../../build/client/served-bank.ts';
import { serveLocally } from '../../free-port.ts';
import { openBrowser, skip } from './browser.ts';
import { assertAccessible } from './page-checks.ts';

/** Texts that the rules reject, and what would run as a script where a page forgets to escape. */
const hostileTexts = [
  ...(JSON.stringify(texts)
    .match(/"(?:[^"\\]|\\.)*"/g)
    ?.map((text): string => JSON.parse(text)) ?? []),
  '<script>hit = true</script>',
  '<img src=x onerror="hit = true">',
  '"><svg onload=hit=true>',
  "' onmouseover='hit=true",
  '[a](javascript:hit=true)',
  '![a](javascript:hit=true)',
  '<javascript:hit=true>',
  '$\\href{javascript:hit=true}{x}$',
  '$\\html{<script>hit=true</script>}$',
  '$\\htmlStyle{position:fixed}{x}$',
  '$\\text{<img src=x onerror=hit=true>}$',
  '$\\includegraphics{javascript:hit=true}$',
  '| <b>a</b> |\n|---|\n| <iframe srcdoc="<script>parent.hit=true</script>"> |',
  'javascript:hit=true',
  'data:text/html,<script>parent.hit=true</script>',
  '&lt;script&gt;hit=true&lt;/script&gt;',
];

type Render = (question: Question, options?: object) => string;
const module = await compiledFile('pages/render');
const { render }: { render: Render } = await import(pathToFileURL(module).href);

describe('Questions that render.mjs renders', { skip }, async () => {
  const { files } = await serve();
  const papers = [...files]
    .filter(([path]) => path.endsWith('.json'))
    .map(([, body]): QuestionFile => JSON.parse(String(body)));
  const questions = papers.flatMap((paper) =>
    paper.questions.map((question) => ({
      question,
      passage: paper.passages?.find(({ id }) => id === question.passage),
      lang: paper.language,
    })),
  );
  const browser = await openBrowser();
  const script = await readFile(module);
  const server = await serveLocally(
    createServer(({ url }, response) => {
      if (url === '/render.mjs')
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
      else
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(
            '<!doctype html><html lang="en"><title>Questions</title><style>img { max-width: 100%; height: auto } main { overflow-x: auto }</style><main id="main"><h1>Questions</h1></main>',
          );
    }),
  );
  after(() => server.close());
  const page = await browser.newPage();
  // The compiler of tests names functions with it.
  await page.addInitScript('globalThis.__name = (one) => one');
  await page.goto(server.url);

  it('are equal in Node.js and Chromium, with the LaTeX of formulas, without scripts', async () => {
    const shown = await page.evaluate(async (all) => {
      const { render } = await import(`${location.origin}/render.mjs`);
      return all.map(({ question, ...options }) => render(question, options));
    }, questions);
    const expected = questions.map(({ question, ...options }) => render(question, options));
    assert.deepEqual(shown, expected);
    assert.ok(expected.length >= 500, `${expected.length}`);
    for (const [index, text] of expected.entries()) {
      assert.doesNotMatch(text, /<script|<style|broken-formula|\son\w+=/i);
      const formulas = text.match(/<math/g)?.length ?? 0;
      assert.equal(
        text.match(/<annotation encoding="application\/x-tex">/g)?.length ?? 0,
        formulas,
      );
      const hidden = render(questions[index]?.question as Question, { answer: false });
      assert.doesNotMatch(hidden, /<details class="solution"|class="answer"|option right/);
    }
  });

  it('are inert, whatever they contain', async () => {
    const hostile = hostileTexts.map((text, index) => ({
      id: `x${index}`,
      type: 'mcq',
      question: text,
      options: [{ key: text, value: text, label: text }],
      answer: text,
      solution: text,
      topic: text,
      difficulty: 'easy',
      hasDiagram: true,
      diagrams: [
        { file: text, alt: text, mediaType: 'image/png', width: 1, height: 1, checksum: '' },
      ],
      lang: text,
    }));
    const found = await page.evaluate(async (all) => {
      const { render } = await import(`${location.origin}/render.mjs`);
      const state = globalThis as unknown as { hit?: boolean };
      const box = document.createElement('div');
      document.body.append(box);
      for (const question of all)
        for (const answer of [true, false, undefined]) {
          box.innerHTML = render(question, { answer, diagram: () => question.question });
          for (const element of box.querySelectorAll('*'))
            for (const { name, value } of element.attributes)
              if (
                /^on/i.test(name) ||
                (/^(?:src|href|action|data)/i.test(name) &&
                  /^\s*(?:javascript|vbscript|data:text):/i.test(value))
              )
                state.hit = true;
          if (box.querySelector('script, style, iframe, object, embed, link, base, form, a'))
            state.hit = true;
        }
      await new Promise((resolve) => setTimeout(resolve, 100));
      box.remove();
      return state.hit ?? false;
    }, hostile);
    assert.equal(found, false);
  });

  it('are right to left where their language is', () => {
    const urdu =
      questions.find(({ lang }) => lang === 'ur') ??
      questions.find(({ question }) => /\p{sc=Arabic}/u.test(question.question));
    assert.ok(urdu);
    const { question } = urdu;
    assert.match(render(question, { lang: 'ur' }), /class="stem set" lang="ur" dir="rtl"/);
    assert.match(render({ ...question, lang: 'ar' }), /lang="ar" dir="rtl"/);
    const [{ question: english }] = questions as [(typeof questions)[number]];
    assert.match(render(english, { lang: 'hi' }), /class="stem set" lang="hi" dir="ltr"/);
  });

  it('can be answered by keyboard in an element, which is accessible and sends events', async () => {
    const all = questions.slice(0, 45).map(({ question, passage }) => ({ passage, question }));
    await page.evaluate(async (all) => {
      await import(`${location.origin}/render.mjs`);
      const state = globalThis as unknown as { events: unknown[] };
      state.events = [];
      for (const name of ['pastpaper-answer', 'pastpaper-check'])
        document.addEventListener(name, ({ detail }: CustomEventInit) =>
          state.events.push([name, detail]),
        );
      for (const one of all)
        document
          .querySelector('main')
          ?.append(Object.assign(document.createElement('pastpaper-question'), one));
    }, all);
    await assertAccessible(page, 'the page of 45 elements');
    const index = all.findIndex(({ question }) => question.type === 'mcq');
    const { id = '', answer = '' } = all[index]?.question ?? {};
    const element = page.locator('pastpaper-question').nth(index);
    const options = await element
      .locator('input')
      .evaluateAll((inputs) =>
        inputs.map((input) => (input as unknown as { value: string }).value),
      );
    await element.locator('input').first().focus();
    await page.keyboard.press('Space');
    for (let step = 0; step < options.indexOf(answer); step += 1)
      await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.match(await element.getByRole('status').innerText(), /^Correct\./);
    const events = await page.evaluate(
      () => (globalThis as unknown as { events: unknown[] }).events,
    );
    const [name, detail] = events.at(-1) as [string, { id: string; response: string }];
    assert.deepEqual([name, detail.id, detail.response], ['pastpaper-check', id, answer]);
  });

  it('need at most 110 KB, compressed', () => {
    assert.ok(gzipSync(script, { level: 9 }).length <= 110 * 1024);
  });
});
