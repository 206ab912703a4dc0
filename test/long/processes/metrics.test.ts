import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cp, lstat, readlink, truncate } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { readCurrent } from '../../../build/release/read.ts';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { Scrape } from '../../gateway/ops/scrape.ts';
import { rawGet, sendBytes } from '../../gateway/raw-request.ts';
import { switchTo } from '../../gateway/release/write-release.ts';
import {
  introspectionAt,
  type RunningGateway,
  runGateway,
  unreachableService,
} from '../../gateway/running-gateway.ts';
import { sampleRelease } from '../../gateway/sample-release.ts';
import { serverSettings, startServer } from '../../gateway/server-process.ts';
import { waitUntil } from '../../wait-until.ts';
import { Accounts } from '../accounts.ts';

const secret = randomBytes(32).toString('base64');
const gateway = await runGateway({ ADMIN_PORT: '0', INTROSPECTION_SECRET: secret }, 'in-real-time');
after(() => gateway.close());
const newKey = async (plan = 'roomy') => (await gateway.createKey(plan, { plan })).key;
const [roomy, free] = [await newKey(), await newKey('free')];

const questions = '/neet/2024/s1/physics.json';

async function ask(
  { baseUrl }: { readonly baseUrl: string },
  path: string,
  key?: string,
  method = 'GET',
): Promise<number> {
  const headers: Record<string, string> =
    key === undefined ? {} : { Authorization: `Bearer ${key}` };
  const response = await fetch(baseUrl + path, { headers, method, redirect: 'manual' });
  await response.arrayBuffer();
  return response.status;
}

const scrape = ({ gateway: { adminOrigin } } = gateway) => Scrape.of(adminOrigin ?? '');

/** The increase of each series during an action. */
async function growth(
  series: readonly string[],
  running: RunningGateway,
  act: () => Promise<unknown>,
): Promise<number[]> {
  const before = await scrape(running);
  await act();
  const after = await scrape(running);
  return series.map((each) => (after.value(each) ?? 0) - (before.value(each) ?? 0));
}

describe('Requests', () => {
  const rows: readonly (readonly [route: string, path: string, status: number, method?: string])[] =
    [
      ['root', '/', 302],
      ['exam', '/neet', 200],
      ['year', '/neet/2024', 405, 'DELETE'],
      ['file', questions, 200],
      ['page', '/docs/', 200],
      ['auth', '/auth/settings', 200],
      ['introspection', '/auth/introspect', 405],
      ['malformed', '/neet/2024/s1', 400],
    ];
  for (const [route, path, status, method = 'GET'] of rows) {
    it(`to ${method} ${path} are counted by route (${route}) and status (${status}), and in the histogram of the route`, async () => {
      const grown = await growth(
        [
          `pastpaper_http_requests_total{route="${route}",status="${status}"}`,
          `pastpaper_http_request_duration_seconds_count{route="${route}"}`,
          `pastpaper_http_request_duration_seconds_bucket{le="+Inf",route="${route}"}`,
        ],
        gateway,
        async () => assert.equal(await ask(gateway, path, roomy, method), status),
      );
      assert.deepEqual(grown, [1, 1, 1]);
    });
  }

  it('with invalid HTTP are counted as malformed', async () => {
    const grown = await growth(
      [
        'pastpaper_http_requests_total{route="malformed",status="400"}',
        'pastpaper_http_requests_total{route="malformed",status="405"}',
      ],
      gateway,
      async () => {
        assert.match(
          await sendBytes(gateway.baseUrl, 'GET /neet HTTP/x\r\n\r\n'),
          /^HTTP\/1\.1 400/,
        );
        assert.equal((await rawGet(gateway.baseUrl, 'ftp://host/neet')).status, 400);
        const connect = 'CONNECT neet:1 HTTP/1.1\r\nHost: neet\r\n\r\n';
        assert.match(await sendBytes(gateway.baseUrl, connect), /^HTTP\/1\.1 405/);
      },
    );
    assert.deepEqual(grown, [2, 1]);
  });

  it('have no path, account or key in any label', async () => {
    const { text } = await scrape();
    const labels = text.match(/(?<=^pastpaper_\w+)\{.*\}/gm) ?? [];
    assert.ok(labels.length > 100);
    assert.doesNotMatch(labels.join('\n'), /physics|acc_|key_|pfx_|2024|neet/);
  });

  it('have series for errors from the start, so that the first error is an increase', async () => {
    const now = await scrape();
    for (const labels of ['{route="file",status="502"}', '{route="exam",status="500"}'])
      assert.equal(now.value(`pastpaper_http_requests_total${labels}`), 0);
  });
});

describe('Key checks', () => {
  it('are counted by outcome, and by whether they query the database', async () => {
    const fresh = await newKey();
    const grown = await growth(
      [
        'pastpaper_key_checks_total{outcome="valid",source="asked"}',
        'pastpaper_key_checks_total{outcome="valid",source="known"}',
        'pastpaper_key_checks_total{outcome="unknown",source="known"}',
        'pastpaper_key_lookup_duration_seconds_count',
      ],
      gateway,
      async () => {
        await ask(gateway, questions, fresh);
        await ask(gateway, questions, fresh);
        assert.equal(await ask(gateway, questions, 'pfx_made-up'), 403);
        assert.equal(await ask(gateway, questions), 401);
      },
    );
    assert.deepEqual(grown, [1, 1, 1, 1]);
  });

  it('without an authentication service are counted as unavailable, with their duration', async () => {
    const apart = await runGateway({ ...unreachableService, ADMIN_PORT: '0' }, 'in-real-time');
    const grown = await growth(
      [
        'pastpaper_key_checks_total{outcome="unavailable",source="asked"}',
        'pastpaper_http_requests_total{route="file",status="502"}',
        'pastpaper_key_lookup_duration_seconds_count',
        'pastpaper_log_lines_total{level="warn"}',
      ],
      apart,
      async () => assert.equal(await ask(apart, questions, roomy), 502),
    );
    await apart.close();
    assert.deepEqual(grown, [1, 1, 1, 2]);
  });
});

describe('Limits', () => {
  it('are counted when they reject a request, and not when they accept it', async () => {
    let rejected = 0;
    const grown = await growth(
      ['pastpaper_limits_hit_total{limit="rate"}', 'pastpaper_limits_hit_total{limit="quota"}'],
      gateway,
      async () => {
        const statuses = await Promise.all(
          Array.from({ length: 9 }, () => ask(gateway, questions, free)),
        );
        rejected = statuses.filter((status) => status === 429).length;
        assert.ok(rejected > 0 && rejected < 9);
      },
    );
    assert.deepEqual(grown, [rejected, 0]);
  });
});

describe('The body cache', () => {
  it('counts hits and misses, and its bytes', async () => {
    const grown = await growth(
      ['miss', 'hit'].map((result) => `pastpaper_body_cache_requests_total{result="${result}"}`),
      gateway,
      async () => {
        for (let times = 0; times < 3; times += 1) await ask(gateway, '/jeemain/2024');
      },
    );
    assert.deepEqual(grown, [1, 2]);
    const now = await scrape();
    const bytes = now.value('pastpaper_body_cache_bytes') ?? 0;
    assert.ok(
      bytes > 0 && bytes <= (now.value('pastpaper_body_cache_limit_bytes') ?? 0),
      String(bytes),
    );
  });
});

it('The release is exported with its id and publication time', async () => {
  const now = await scrape();
  const [series = ''] = now.seriesOf('pastpaper_release_info');
  assert.match(series, /^pastpaper_release_info\{release="[0-9a-f]{16}"\}$/);
  const { mtimeMs } = await lstat(join(gateway.config.distDir, 'current'));
  const published = now.value('pastpaper_release_published_timestamp_seconds') ?? 0;
  assert.equal(Math.floor(published * 1000), Math.floor(mtimeMs));
  assert.equal(now.value('pastpaper_release_refused'), 0);
});

it('A damaged release sets a gauge while it is rejected, and counts as 500 when it is served', async () => {
  const DIST_DIR = await temporaryFolder();
  await cp(await sampleRelease(), DIST_DIR, { recursive: true, verbatimSymlinks: true });
  const running = await runGateway({ ADMIN_PORT: '0', DIST_DIR }, 'in-real-time');
  const whole = basename(await readlink(join(DIST_DIR, 'current')));
  await cp(join(DIST_DIR, 'releases', whole), join(DIST_DIR, 'releases/damaged'), {
    recursive: true,
  });
  await truncate(join(DIST_DIR, 'releases/damaged/root.json'), 5);
  for (const [name, refused] of [
    ['damaged', 1],
    [whole, 0],
  ] as const) {
    await switchTo(DIST_DIR, name);
    await waitUntil(
      async () => (await scrape(running)).value('pastpaper_release_refused') === refused,
    );
  }
  const release = await readCurrent(DIST_DIR);
  const { identity, gzip, br } = release.root.public['neet'] ?? {};
  for (const object of [identity, gzip, br]) if (object) await truncate(release.pathOf(object), 5);
  const grown = await growth(
    [
      'pastpaper_http_requests_total{route="exam",status="500"}',
      'pastpaper_log_lines_total{level="error"}',
    ],
    running,
    async () => assert.equal(await ask(running, '/neet'), 500),
  );
  await running.close();
  assert.deepEqual(grown, [1, 1]);
  // Not each time that the gateway looks for a new release.
  assert.equal(
    running.logged.filter((line) => /The new release cannot be served: /.test(line)).length,
    1,
  );
});

it('pastpaper auth counts its requests, introspection requests and key checks', async () => {
  const own = await serverSettings({ ADMIN_PORT: '0', INTROSPECTION_SECRET: secret });
  const { key } = await Accounts.createIn(own, 'roomy');
  const service = await startServer('auth', own);
  const asked = introspectionAt(`${service.origin}/auth/introspect`);
  const client = await runGateway({ ...asked, INTROSPECTION_SECRET: secret }, 'in-real-time');
  assert.equal(await ask(client, questions, key), 200);
  assert.equal(await ask(client, questions, key), 200, 'from the cache of the gateway');
  const counts = await Scrape.of(service.adminOrigin);
  await client.close();
  await service.stop();
  assert.deepEqual(
    [
      'pastpaper_http_requests_total{route="introspection",status="200"}',
      'pastpaper_key_checks_total{outcome="valid",source="asked"}',
      'pastpaper_key_lookup_duration_seconds_count',
    ].map((series) => counts.value(series)),
    [1, 1, 1],
  );
});
