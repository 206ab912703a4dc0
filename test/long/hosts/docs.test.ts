/** The configurations of docs/cdn.md, run by the real servers on a release of the sample bank. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { request } from 'undici';
import { readCurrent } from '../../../build/release/read.ts';
import { resourcesOf } from '../../build/release-folder.ts';
import { rawGet } from '../../gateway/raw-request.ts';
import { sampleRelease } from '../../gateway/sample-release.ts';
import { repository } from '../../gateway/started-process.ts';
import { startCaddy, startNginx } from './running-host.ts';

const dist = await sampleRelease();
const { root, pathOf } = await readCurrent(dist);
const closed = [...(await resourcesOf(dist)).keys()].filter((path) => !(path in root.public));
const page = await readFile(join(repository, 'docs/cdn.md'), 'utf8');

/** A configuration of the docs, for this release and another address. */
function configuration(language: string, [address, other]: readonly [string, string]): string {
  const [, text = ''] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page) ?? [];
  for (const part of [address, '/srv/pastpaper/dist/']) assert.ok(text.includes(part), part);
  return text.replaceAll('/srv/pastpaper/dist/', `${dist}/`).replace(address, other);
}

const nginx = await startNginx(async (_, port) =>
  configuration('nginx', ['listen 80;', `listen 127.0.0.1:${port};`]),
);
after(() => nginx.close());
const caddy = await startCaddy((port) =>
  configuration('caddy', ['api.example.org {', `http://:${port} {\n\tbind 127.0.0.1`]),
);
after(() => caddy.close());

const hosts = [
  { name: 'nginx', host: nginx, codings: ['gzip'] },
  { name: 'Caddy', host: caddy, codings: ['gzip', 'br'] },
] as const;

for (const { name, host, codings } of hosts) {
  const { baseUrl } = host;
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${baseUrl}${path}`, { redirect: 'manual', headers });

  describe(`${name} with the configuration of docs/cdn.md`, () => {
    it('serves every public response with its bytes and type, with and without a trailing slash', async () => {
      for (const [path, { identity, mediaType, file }] of Object.entries(root.public)) {
        const body = await readFile(pathOf(identity));
        // A trailing slash leads to a folder.
        const isFolder = file !== path;
        for (const target of isFolder ? [`/${path}`, `/${path}/`] : [`/${path}`]) {
          const response = await get(target, { 'Accept-Encoding': 'identity' });
          assert.equal(response.status, 200, target);
          assert.deepEqual(Buffer.from(await response.arrayBuffer()), body, target);
          const [type] = mediaType.split(';');
          const served = response.headers.get('content-type')?.split(';')[0];
          if (/html|\/json|css|svg/.test(mediaType)) assert.equal(served, type, target);
          assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
          assert.equal(response.headers.get('access-control-allow-origin'), '*');
          assert.match(response.headers.get('cache-control') ?? '', /max-age=300/);
          const policy = response.headers.get('content-security-policy') ?? '';
          assert.match(policy, /svg/.test(mediaType) ? /sandbox/ : /frame-ancestors/, target);
        }
      }
    });

    it('responds to an exam and to a year with 304 if the client has the response', async () => {
      for (const path of ['/neet', '/neet/2026']) {
        const etag = (await get(path)).headers.get('etag') ?? '';
        assert.match(etag, /^(?:W\/)?"[^"]+"$/);
        const { status } = await get(path, { 'If-None-Match': etag });
        assert.equal(status, 304);
      }
    });

    it('serves the compressed variants of the build', async () => {
      const stored = root.public['docs/openapi.json'] ?? assert.fail();
      for (const coding of codings) {
        const headers = { 'Accept-Encoding': coding };
        const response = await request(`${baseUrl}/docs/openapi.json`, { headers });
        assert.equal(response.headers['content-encoding'], coding);
        assert.match(String(response.headers['vary']), /Accept-Encoding/i);
        const body = Buffer.from(await response.body.arrayBuffer());
        assert.deepEqual(body, await readFile(pathOf(stored[coding] ?? assert.fail())));
      }
    });

    it('redirects to the docs', async () => {
      const { status, headers } = await get('/');
      assert.deepEqual(
        [status, new URL(headers.get('location') ?? '', baseUrl).pathname],
        [302, '/docs/'],
      );
    });

    it('responds to everything else with 404 as JSON, to papers, diagrams and files of the release too', async () => {
      const papers = closed.map((path) => `/${path}`);
      const files = [
        '/root.json',
        '/../root.json',
        '/%2e%2e/root.json',
        '/objects',
        '/neet/2024/all.zip',
      ];
      for (const path of [
        '/none',
        '/neet/1999',
        '/neet/2024/s1/physics.json',
        ...papers,
        ...files,
      ]) {
        const { status, headers, body } = await rawGet(baseUrl, path);
        if (/\.\.|%2e/.test(path) && status === 400) continue;
        assert.equal(status, 404, path);
        assert.match(
          headers['content-type'] ?? '',
          /^application\/json(?:; charset=utf-8)?$/,
          path,
        );
        assert.equal(body, '{"error":"File not found"}', path);
        assert.match(headers['cache-control'] ?? '', /^public, max-age=60$/);
      }
    });
  });
}
