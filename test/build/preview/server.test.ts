import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { rawGet, rawRequest } from '../../gateway/raw-request.ts';
import { makeBank, paperOf, paperPath, sampleQuestions, shiftPath } from '../bank-folder.ts';
import { png, svg } from '../image-bytes.ts';
import { runPreview } from './running-preview.ts';

const paperPage = '/neet/2024/2024-05-05-s1/physics';
const diagrams = `/${shiftPath}/diagrams`;

const bank = await makeBank({
  [paperPath]: paperOf({
    ...sampleQuestions.mcq,
    diagrams: [
      { file: 'q1.svg', alt: 'A drawing.' },
      { file: 'q1.png', alt: 'A photograph.' },
    ],
  }),
  [`${shiftPath}/diagrams/q1.svg`]: svg(30, 20),
  [`${shiftPath}/diagrams/q1.png`]: png(30, 20),
  [`${shiftPath}/diagrams/broken.png`]: 'no picture',
  'secret.txt': 'not to be shown',
});

describe('The preview serves', async () => {
  const { origin, url } = await runPreview(bank.dir);

  it('pages that load nothing from other origins and run only their own script', async () => {
    assert.equal(url, `${origin}/`);
    for (const path of ['/', paperPage, '/nothing']) {
      const response = await fetch(origin + path);
      const { headers } = response;
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin');
      assert.equal(headers.get('cache-control'), 'no-store');
      const policy = directives(headers.get('content-security-policy'));
      for (const name of ['default-src', 'frame-ancestors']) assert.equal(policy[name], "'none'");
      for (const name of ['script-src', 'style-src']) assert.equal(policy[name], "'self'");
      const unsafe = Object.entries(policy).filter(([, sources]) => sources.includes('unsafe'));
      assert.deepEqual(unsafe, [['style-src-attr', "'unsafe-inline'"]]);
      const text = await response.text();
      assert.doesNotMatch(
        text,
        /<style|<script(?![^>]* src="\/-\/)|\son\w+=|(?:src|href)="(?:https?:)?\/\//,
      );
    }
  });

  it('assets that browsers can cache', async () => {
    const page = await (await fetch(origin + paperPage)).text();
    const addresses = [...page.matchAll(/(?:src|href)="(\/-\/(?!edit\/)[^"]+)"/g)].map(
      ([, address]) => address,
    );
    assert.ok(addresses.length >= 5);
    for (const address of addresses) {
      const response = await fetch(`${origin}${address}`);
      assert.equal(response.status, 200, address);
      assert.match(response.headers.get('cache-control') ?? '', /immutable/);
      assert.equal(
        Number(response.headers.get('content-length')),
        (await response.arrayBuffer()).byteLength,
      );
    }
  });

  it('the fonts of KaTeX', async () => {
    const page = await (await fetch(origin)).text();
    const [style = ''] = /\/-\/\w+\/katex\.css/.exec(page) ?? [];
    const css = await (await fetch(origin + style)).text();
    const fonts = [...css.matchAll(/url\((fonts\/[^)]+\.woff2)\)/g)].map(([, font]) => font ?? '');
    assert.ok(fonts.length >= 15);
    for (const font of new Set(fonts)) {
      const response = await fetch(new URL(font, origin + style));
      assert.equal(response.headers.get('content-type'), 'font/woff2', font);
      assert.equal(Buffer.from(await response.arrayBuffer()).toString('latin1', 0, 4), 'wOF2');
    }
  });

  it('diagrams with their media type, and SVG in a sandbox', async () => {
    const drawing = await fetch(`${origin}${diagrams}/q1.svg`);
    assert.equal(drawing.headers.get('content-type'), 'image/svg+xml; charset=utf-8');
    assert.match(
      drawing.headers.get('content-security-policy') ?? '',
      /^default-src 'none';.*; sandbox/,
    );
    assert.deepEqual(Buffer.from(await drawing.arrayBuffer()), svg(30, 20));
    const photograph = await fetch(`${origin}${diagrams}/q1.png`);
    assert.equal(photograph.headers.get('content-type'), 'image/png');
  });

  it('no invalid image, and no symbolic link', async () => {
    await symlink(
      join(bank.dir, shiftPath, 'diagrams/q1.png'),
      join(bank.dir, shiftPath, 'diagrams/link.png'),
    );
    const fresh = await runPreview(bank.dir);
    for (const name of ['broken.png', 'link.png'])
      assert.equal((await fetch(`${fresh.origin}${diagrams}/${name}`)).status, 404, name);
  });

  it('only headers for HEAD', async () => {
    for (const path of ['/', paperPage, `${diagrams}/q1.svg`, '/-/events', '/nothing']) {
      const head = await fetch(origin + path, { method: 'HEAD' });
      assert.equal(head.status, path === '/nothing' ? 404 : 200);
      assert.equal(await head.text(), '');
    }
  });
});

describe('The preview rejects', async () => {
  const { origin } = await runPreview(bank.dir);

  it('what is not a page', async () => {
    const targets = [
      '/..%2f..%2f..%2fetc%2fpasswd',
      '/neet/../secret.txt',
      '/neet/exam.json',
      `/${paperPath}`,
      `${diagrams}/..%2fphysics.json`,
      '/-/../preview.ts',
      '/neet/2024/2024-05-05-s1/physics/',
      '//example.org/',
      'http://example.org/',
    ];
    for (const target of targets) {
      const { status, body } = await rawGet(origin, target);
      assert.equal(status, 404, target);
      assert.match(body, /Paper not found/);
    }
  });

  it('a URL that does not decode', async () => {
    for (const target of ['/%', '/%ff', '/neet/%c0%ae'])
      assert.equal((await rawGet(origin, target)).status, 400, target);
  });

  it('other host names than those of this machine (DNS rebinding)', async () => {
    const [loopback, foreign] = [
      ['LOCALHOST:8080', new URL(origin).host],
      ['localhost.example.org', '127.0.0.1.nip.io:80', '127.0.0.1@x'],
    ];
    for (const host of [...loopback, ...foreign]) {
      const request = `GET ${paperPage} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      const { status, body } = await rawRequest(origin, request);
      assert.equal(status, loopback.includes(host) ? 200 : 421, host);
      assert.equal(body.includes('metre'), status === 200, host);
    }
  });

  it('other methods with 405', async () => {
    for (const method of ['POST', 'OPTIONS']) {
      const response = await fetch(origin + paperPage, { method });
      assert.equal(response.status, 405, method);
      assert.equal(response.headers.get('allow'), 'GET, HEAD');
    }
  });
});

function directives(policy: string | null): Record<string, string> {
  const pairs = (policy ?? '').split('; ').map((directive) => /^(\S+) (.*)$/.exec(directive) ?? []);
  return Object.fromEntries(pairs.map(([, name = '', sources = '']) => [name, sources]));
}
