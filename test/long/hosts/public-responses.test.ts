/** Compares the responses of nginx and Caddy on public paths with those of the gateway. */
import assert from 'node:assert/strict';
import { cp, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { hostFiles } from '../../../build/publish/publish.ts';
import { entityTag } from '../../../build/release/headers.ts';
import { parseManifest } from '../../../build/release/manifest.ts';
import { revokeKey } from '../../../gateway/auth/keys.ts';
import { systemClock } from '../../../gateway/clock.ts';
import { BankFolder, makeFolderOf, shiftPath, temporaryFolder } from '../../build/bank-folder.ts';
import { everyFieldFiles } from '../../build/every-field.ts';
import { tablesOf } from '../../build/hosts/generated-tables.ts';
import { publishedFolder } from '../../build/release-folder.ts';
import { sampleContentDir } from '../../content/sample-bank.ts';
import { type RawResponse, rawGet, rawRequest } from '../../gateway/raw-request.ts';
import { runGateway, unreachableService } from '../../gateway/running-gateway.ts';
import { get, type HostRequest, publicRequests } from './requests.ts';
import { beyond, failedRows, runSpecification } from './rows.ts';
import { hosts } from './running-host.ts';

/** A host without a gateway cannot check a key. It responds like a gateway whose authentication service is down. */
const distDir = await everyFieldRelease();
const gateway = await runGateway({ ...unreachableService, DIST_DIR: distDir }, 'in-real-time');
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
        return [
          get(target, [accept]),
          get(target, [accept, `If-None-Match: ${entityTag(variant.sha256)}`]),
        ];
      }),
    ),
  );
}

for (const software of hosts) {
  describe(`Public paths on ${software.name} without a gateway`, async () => {
    const host = await software.start(release);
    after(() => host.close());
    const { baseUrl } = host;
    const tag = entityTag(manifest.public['neet/2024']?.identity.sha256 ?? '');

    for (const request of publicRequests(tag)) {
      it(`get the same response as from the gateway: ${request.name}`, async () => {
        const response = await responseTo(baseUrl, request);
        const exception = request.exceptions?.[software.name];
        if (exception)
          assert.deepEqual({ status: response.status, body: response.body }, exception);
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

  describe(`Papers on ${software.name} in front of a gateway`, () => {
    it('are the files of the release: translations, and diagrams of passages and options, too', async () => {
      const working = await runGateway({ DIST_DIR: distDir }, 'in-real-time');
      after(() => working.close());
      const host = await software.start(release, new URL(working.baseUrl).host);
      after(() => host.close());
      const { key } = await working.createKey('reader');
      for (const file of [
        'physics.json',
        'physics.hi.json',
        'diagrams/p1-car.svg',
        'diagrams/q1-a.png',
      ]) {
        const path = `${shiftPath}/${file}`;
        const { identity } = manifest.protected[path] ?? assert.fail(path);
        const headers = { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' };
        const response = await fetch(`${host.baseUrl}/${path}`, { headers });
        assert.equal(response.status, 200, path);
        const body = Buffer.from(await response.arrayBuffer());
        assert.deepEqual(body, await readFile(join(release, identity.file)), path);
      }
    });

    it('get a request id from the host, and not the one of a client', async () => {
      const trusting = { ...unreachableService, TRUST_PROXY: 'loopback', DIST_DIR: distDir };
      const failing = await runGateway(trusting, 'in-real-time');
      after(() => failing.close());
      const host = await software.start(release, new URL(failing.baseUrl).host);
      after(() => host.close());
      const paper = get('/neet/2024/s1/physics.json', [
        'Authorization: Bearer pfx_abc',
        'X-Request-Id: chosen',
      ]);
      const { status, headers } = await rawRequest(host.baseUrl, paper.bytes);
      assert.equal(status, 502);
      assert.match(headers['x-request-id'] ?? '', /^([0-9a-f]{32}|[0-9a-f-]{36})$/);
    });
  });

  describe(`Papers on ${software.name} in front of a gateway that is down`, () => {
    it('get 502, and public paths still work', async () => {
      // The discard port, on which nothing listens.
      const host = await software.start(release, '127.0.0.1:9');
      after(() => host.close());
      const paper = get('/neet/2024/s1/physics.json', ['Authorization: Bearer abc']);
      assert.deepEqual(
        await responseTo(host.baseUrl, paper),
        await responseTo(gateway.baseUrl, paper),
      );
      assert.equal((await responseTo(host.baseUrl, get('/auth/sign-in'))).status, 502);
      const year = get('/neet/2024');
      assert.deepEqual(
        await responseTo(host.baseUrl, year),
        await responseTo(gateway.baseUrl, year),
      );
    });
  });
}

for (const software of hosts) {
  describe(`The table of ${software.name}`, () => {
    it('serves 30,000 resources', async () => {
      const large = new BankFolder(await temporaryFolder());
      for (const { file, body } of hostFiles(tablesOf(300, 99))) await large.write(file, body);
      await large.write('public/exam299/2098/index.json', 'exam299/2098/index.json');
      const host = await software.start(large.dir);
      after(() => host.close());
      const bodyOf = async (path: string) => (await rawGet(host.baseUrl, path)).body;
      assert.equal(await bodyOf('/exam299/2098'), 'exam299/2098/index.json');
      assert.equal(await bodyOf('/exam299/1999'), '{"error":"Year not found"}');
      assert.equal(await bodyOf('/exam300'), '{"error":"Exam not found"}');
    });
  });
}

/** The sections of the specification that involve the host; limits are the gateway's. */
const sections = ['authentication', 'endpoints', 'errors', 'resources'];

for (const software of hosts) {
  describe(`The specification on ${software.name} in front of a gateway`, () => {
    it('is met in every row', async () => {
      const gateway = await runGateway({}, 'in-real-time');
      after(() => gateway.close());
      const release = await realpath(join(gateway.config.distDir, 'current'));
      const host = await software.start(release, new URL(gateway.baseUrl).host);
      after(() => host.close());
      const alone = await software.start(release);
      after(() => alone.close());
      const revoked = await gateway.createKey('reader');
      await revokeKey(gateway.database, systemClock, revoked.id);
      const { stdout } = await runSpecification(sections, {
        BASE_URL: host.baseUrl,
        UNREACHABLE_BASE_URL: alone.baseUrl,
        API_KEY: (await gateway.createKey('reader')).key,
        FREE_API_KEY: (await gateway.createKey('visitor', { plan: 'free' })).key,
        EXPIRED_API_KEY: (await gateway.createKey('reader', { lifetime: 1 })).key,
        REVOKED_API_KEY: revoked.key,
      });
      assert.deepEqual(failedRows(stdout), beyond[software.name], stdout);
      assert.ok(Number(/^# pass (\d+)$/m.exec(stdout)?.[1]) > 60, stdout);
    });
  });
}

/**
 * Builds the sample bank with the shift that uses every field in the place of its own, and without the papers that have
 * other sections than its exam.
 *
 * @returns the DIST_DIR
 */
async function everyFieldRelease(): Promise<string> {
  const { dir } = await makeFolderOf(everyFieldFiles);
  const isOther = (path: string) =>
    !/\/neet\/(?:exam\.json|2026)$/.test(path) && !path.endsWith(shiftPath);
  await cp(sampleContentDir, dir, { recursive: true, filter: isOther });
  const distDir = await temporaryFolder();
  await publishedFolder(dir, distDir);
  return distDir;
}
