/** Compares the responses of nginx and Caddy on public paths with those of the gateway. */
import assert from 'node:assert/strict';
import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { entityTag } from '../../../build/release/headers.ts';
import { parseManifest } from '../../../build/release/manifest.ts';
import { shiftPath } from '../../build/bank-folder.ts';
import { type RawResponse, rawRequest } from '../../gateway/raw-request.ts';
import { runGateway, unreachableService } from '../../gateway/running-gateway.ts';
import { everyFieldRelease } from './every-field-release.ts';
import { get, type HostRequest, publicRequests } from './requests.ts';
import { hosts } from './running-host.ts';

/** A host without a gateway cannot check a key. It responds like a gateway whose authentication service is down. */
const distDir = await everyFieldRelease();
const gateway = await runGateway({ ...unreachableService, DIST_DIR: distDir });
after(() => gateway.close());
const release = await realpath(join(distDir, 'current'));
const manifest = parseManifest(await readFile(join(release, 'manifest.json'), 'utf8'));

/** Headers of the connection and the machine, which may differ. */
const ignoredHeaders = new Set([
  'connection',
  'date',
  'keep-alive',
  'server',
  'transfer-encoding',
  'x-request-id',
]);

interface Response extends Omit<RawResponse, 'body'> {
  readonly body: string;
}

async function responseTo(baseUrl: string, { bytes }: HostRequest): Promise<Response> {
  const { status, headers, body } = await rawRequest(baseUrl, bytes);
  // The length of a 304 may be left out, or be that of the 200 (RFC 9110, 8.6).
  const kept = Object.entries(headers).filter(
    ([name]) => !ignoredHeaders.has(name) && !(status === 304 && name === 'content-length'),
  );
  return { status, headers: Object.fromEntries(kept.sort()), body };
}

/** Every public resource with and without a trailing slash, in every content coding, and its 304. */
function resourceRequests(): HostRequest[] {
  return Object.entries(manifest.public).flatMap(([path, stored]) =>
    [`/${path}`, `/${path}/`].flatMap((target) =>
      (['identity', 'gzip', 'br'] as const).flatMap((coding) => {
        const variant = stored[coding] ?? stored.identity;
        const accept = `Accept-Encoding: ${coding}`;
        return [get(target, [accept]), get(target, [accept, `If-None-Match: ${entityTag(variant.sha256)}`])];
      }),
    ),
  );
}

for (const software of hosts) {
  describe(`Public paths on ${software.name} without a gateway`, { skip: software.skip }, async () => {
    const host = software.skip ? undefined : await software.start(release);
    after(() => host?.close());
    const baseUrl = host?.baseUrl ?? '';
    const tag = entityTag(manifest.public['neet/2024']?.identity.sha256 ?? '');

    for (const request of publicRequests(tag)) {
      it(`get the same response as from the gateway: ${request.name}`, async () => {
        const response = await responseTo(baseUrl, request);
        const exception = request.exceptions?.[software.name];
        if (exception) assert.deepEqual({ status: response.status, body: response.body }, exception);
        else assert.deepEqual(response, await responseTo(gateway.baseUrl, request));
      });
    }

    it('get the same response as from the gateway: every resource, coding and condition', async () => {
      for (const request of resourceRequests()) {
        const [response, expected] = await Promise.all([
          responseTo(baseUrl, request),
          responseTo(gateway.baseUrl, request),
        ]);
        assert.ok([200, 304].includes(response.status), request.name);
        assert.deepEqual(response, expected, request.name);
      }
    });
  });

  describe(`Papers on ${software.name} in front of a gateway`, { skip: software.skip }, () => {
    it('are the files of the release: translations, and diagrams of passages and options, too', async () => {
      const working = await runGateway({ DIST_DIR: distDir });
      after(() => working.close());
      const host = await software.start(release, new URL(working.baseUrl).host);
      after(() => host.close());
      const { key } = await working.createKey('reader');
      for (const file of ['physics.json', 'physics.hi.json', 'diagrams/p1-car.svg', 'diagrams/q1-a.png']) {
        const path = `${shiftPath}/${file}`;
        const { identity } = manifest.protected[path] ?? assert.fail(path);
        const headers = { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' };
        const response = await fetch(`${host.baseUrl}/${path}`, { headers });
        assert.equal(response.status, 200, path);
        const body = Buffer.from(await response.arrayBuffer());
        assert.deepEqual(body, await readFile(join(release, identity.file)), path);
      }
    });
  });

  describe(`Papers on ${software.name} in front of a gateway that is down`, { skip: software.skip }, () => {
    it('get 502, and public paths still work', async () => {
      // The discard port, on which nothing listens.
      const host = await software.start(release, '127.0.0.1:9');
      after(() => host.close());
      const paper = get('/neet/2024/s1/physics.json', ['Authorization: Bearer abc']);
      assert.deepEqual(await responseTo(host.baseUrl, paper), await responseTo(gateway.baseUrl, paper));
      assert.equal((await responseTo(host.baseUrl, get('/auth/sign-in'))).status, 502);
      const year = get('/neet/2024');
      assert.deepEqual(await responseTo(host.baseUrl, year), await responseTo(gateway.baseUrl, year));
    });
  });
}
