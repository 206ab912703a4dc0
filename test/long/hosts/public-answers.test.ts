/** What stock servers answer on public paths, held against the gateway's own answers. */
import assert from 'node:assert/strict';
import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { entityTag } from '../../../build/release/headers.ts';
import { parseManifest } from '../../../build/release/manifest.ts';
import { type RawAnswer, rawRequest } from '../../gateway/raw-request.ts';
import { runGateway, unreachableService } from '../../gateway/running-gateway.ts';
import { get, type HostRequest, publicRequests } from './requests.ts';
import { hosts } from './running-host.ts';

/** A static host cannot check a key: it is a gateway whose authentication service is never there. */
const gateway = await runGateway(unreachableService);
after(() => gateway.close());
const release = await realpath(join(gateway.config.distDir, 'current'));
const manifest = parseManifest(await readFile(join(release, 'manifest.json'), 'utf8'));

/** Header fields of the connection and of the machine, of which the gateway's answers say nothing. */
const carrying = new Set(['connection', 'date', 'keep-alive', 'server', 'transfer-encoding', 'x-request-id']);

interface Answer extends Omit<RawAnswer, 'body'> {
  readonly body: string;
}

async function answerTo(baseUrl: string, { bytes }: HostRequest): Promise<Answer> {
  const { status, headers, body } = await rawRequest(baseUrl, bytes);
  // The length of a 304 may be left out, or be that of the 200 (RFC 9110, 8.6).
  const kept = Object.entries(headers).filter(
    ([name]) => !carrying.has(name) && !(status === 304 && name === 'content-length'),
  );
  return { status, headers: Object.fromEntries(kept.sort()), body };
}

/** Every public answer in every spelling and coding, and its 304. */
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
  describe(`Public paths on ${software.name} alone`, { skip: software.skip }, async () => {
    const host = software.skip ? undefined : await software.start(release);
    after(() => host?.close());
    const baseUrl = host?.baseUrl ?? '';
    const tag = entityTag(manifest.public['neet/2024']?.identity.sha256 ?? '');

    for (const request of publicRequests(tag)) {
      it(`are answered as by the gateway: ${request.name}`, async () => {
        const answer = await answerTo(baseUrl, request);
        const otherwise = request.otherwise?.[software.name];
        if (otherwise) assert.deepEqual({ status: answer.status, body: answer.body }, otherwise);
        else assert.deepEqual(answer, await answerTo(gateway.baseUrl, request));
      });
    }

    it('are answered as by the gateway: every resource, spelling, coding and condition', async () => {
      for (const request of resourceRequests()) {
        const [answer, expected] = await Promise.all([
          answerTo(baseUrl, request),
          answerTo(gateway.baseUrl, request),
        ]);
        assert.ok([200, 304].includes(answer.status), request.name);
        assert.deepEqual(answer, expected, request.name);
      }
    });
  });

  describe(`Papers on ${software.name} before a gateway that is down`, { skip: software.skip }, () => {
    it('are 502, and public answers go on', async () => {
      // The discard port, which no one serves any more.
      const host = await software.start(release, '127.0.0.1:9');
      after(() => host.close());
      const paper = get('/neet/2024/s1/physics.json', ['Authorization: Bearer abc']);
      assert.deepEqual(await answerTo(host.baseUrl, paper), await answerTo(gateway.baseUrl, paper));
      assert.equal((await answerTo(host.baseUrl, get('/auth/sign-in'))).status, 502);
      const year = get('/neet/2024');
      assert.deepEqual(await answerTo(host.baseUrl, year), await answerTo(gateway.baseUrl, year));
    });
  });
}
