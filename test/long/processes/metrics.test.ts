import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cp, readlink, rename, symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { readConfig } from '../../../gateway/config.ts';
import { openOperations } from '../../../gateway/ops/run.ts';
import { Scrape } from '../../gateway/ops/scrape.ts';
import {
  createFixture,
  type Started,
  startGateway,
  startService,
} from '../../gateway/ops/started-gateway.ts';
import { rawGet, sendBytes } from '../../gateway/raw-request.ts';
import { introspectionAt, unreachableService } from '../../gateway/running-gateway.ts';

const fixture = await createFixture();
const env = await fixture.settings({ INTROSPECTION_SECRET: randomBytes(32).toString('base64') });
const [roomy, free] = [await fixture.newKey(env, 'roomy'), await fixture.newKey(env, 'free')];
const gateway = await startGateway(env);
const limited = await startGateway(
  await fixture.settings({ TRUST_PROXY: '1', FAILED_KEYS_PER_MINUTE: '2', CACHE_BYTES: '100' }),
);
after(async () => {
  await Promise.all([gateway.stop(), limited.stop()]);
  await fixture.remove();
});

const questions = '/neet/2024/s1/physics.json';

async function ask({ baseUrl }: Started, path: string, key?: string, method = 'GET'): Promise<number> {
  const headers: Record<string, string> = key === undefined ? {} : { Authorization: `Bearer ${key}` };
  const response = await fetch(baseUrl + path, { headers, method, redirect: 'manual' });
  await response.arrayBuffer();
  return response.status;
}

/** The increase of each series during an action. */
async function growth(
  series: readonly string[],
  started: Started,
  act: () => Promise<unknown>,
): Promise<number[]> {
  const before = await Scrape.of(started.adminUrl);
  await act();
  const after = await Scrape.of(started.adminUrl);
  return series.map((each) => (after.value(each) ?? 0) - (before.value(each) ?? 0));
}

describe('Requests', () => {
  const rows: readonly (readonly [route: string, path: string, status: number, method?: string])[] = [
    ['root', '/', 302],
    ['exam', '/neet', 200],
    ['exam', '/upsc', 404],
    ['year', '/neet/2024', 200],
    ['year', '/neet/2024', 405, 'DELETE'],
    ['file', questions, 200],
    ['diagram', '/neet/2024/s1/diagrams/neet-2024-05-05-s1-physics-05-rays.png', 200],
    ['page', '/docs/', 200],
    ['auth', '/auth/settings', 200],
    ['auth', '/auth/nothing', 404],
    ['introspection', '/auth/introspect', 405],
    ['malformed', '/neet/2024/s1', 400],
    ['malformed', '/neet/20x4', 400],
  ];
  for (const [route, path, status, method = 'GET'] of rows) {
    it(`to ${method} ${path} are counted by route (${route}) and status (${status}), and in the histogram of the route`, async () => {
      const grown = await growth(
        [
          `pastpaper_http_requests_total{route="${route}",status="${status}"}`,
          `pastpaper_http_request_duration_seconds_count{route="${route}"}`,
          `pastpaper_http_request_duration_seconds_bucket{route="${route}",le="+Inf"}`,
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
        assert.match(await sendBytes(gateway.baseUrl, 'GET /neet HTTP/x\r\n\r\n'), /^HTTP\/1\.1 400/);
        assert.equal((await rawGet(gateway.baseUrl, 'ftp://host/neet')).status, 400);
        const connect = 'CONNECT neet:1 HTTP/1.1\r\nHost: neet\r\n\r\n';
        assert.match(await sendBytes(gateway.baseUrl, connect), /^HTTP\/1\.1 405/);
      },
    );
    assert.deepEqual(grown, [2, 1]);
  });

  it('have no path, account or key in any label', async () => {
    const { text } = await Scrape.of(gateway.adminUrl);
    const labels = text.match(/(?<=^pastpaper_\w+)\{.*\}/gm) ?? [];
    assert.ok(labels.length > 100);
    assert.doesNotMatch(labels.join('\n'), /physics|acc_|key_|pfx_|2024|neet/);
  });

  it('are counted in cumulative buckets', async () => {
    const scrape = await Scrape.of(gateway.adminUrl);
    const buckets = scrape
      .seriesOf('pastpaper_http_request_duration_seconds_bucket')
      .filter((series) => series.includes('route="file"'))
      .map((series) => scrape.value(series) ?? Number.NaN);
    assert.deepEqual(
      buckets,
      buckets.toSorted((a, b) => a - b),
    );
    assert.equal(buckets.at(-1), scrape.value('pastpaper_http_request_duration_seconds_count{route="file"}'));
    assert.ok((scrape.value('pastpaper_http_request_duration_seconds_sum{route="file"}') ?? 0) > 0);
  });

  it('have series for errors from the start, so that the first error is an increase', async () => {
    const scrape = await Scrape.of(gateway.adminUrl);
    assert.equal(scrape.value('pastpaper_http_requests_total{route="file",status="502"}'), 0);
    assert.equal(scrape.value('pastpaper_http_requests_total{route="exam",status="500"}'), 0);
  });

  it('and connections are counted while they are open', async () => {
    const scrape = await Scrape.of(gateway.adminUrl);
    assert.equal(scrape.value('pastpaper_http_requests_under_way'), 0);
    assert.ok((scrape.value('pastpaper_http_connections') ?? 0) >= 1, 'the one of this test');
  });
});

describe('Key checks', () => {
  it('are counted by outcome, and by whether they query the database', async () => {
    const fresh = await fixture.newKey(env, 'roomy');
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

  it('of other gateways are included', async () => {
    const key = await fixture.newKey(env, 'roomy');
    const grown = await growth(
      [
        'pastpaper_key_checks_total{outcome="valid",source="asked"}',
        'pastpaper_http_requests_total{route="introspection",status="200"}',
        'pastpaper_http_requests_total{route="introspection",status="401"}',
      ],
      gateway,
      async () => {
        for (const secret of [env['INTROSPECTION_SECRET'], 'another']) {
          await fetch(`${gateway.baseUrl}/auth/introspect`, {
            method: 'POST',
            headers: { Authorization: `Bearer ${secret}` },
            body: new URLSearchParams({ token: key }),
          });
        }
      },
    );
    assert.deepEqual(grown, [1, 1, 1]);
  });

  it('without an authentication service are counted as unavailable, with their duration', async () => {
    const apart = await startGateway(await fixture.settings({ ...unreachableService, NODE_ENV: '' }));
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
    await apart.stop();
    assert.deepEqual(grown, [1, 1, 1, 2]);
  });
});

describe('Limits', () => {
  it('are counted when they reject a request, and not when they accept it', async () => {
    const grown = await growth(
      ['pastpaper_limits_hit_total{limit="rate"}', 'pastpaper_limits_hit_total{limit="quota"}'],
      gateway,
      async () => {
        const statuses = await Promise.all([1, 2, 3, 4, 5].map(() => ask(gateway, questions, free)));
        assert.deepEqual(statuses.sort(), [200, 200, 429, 429, 429]);
      },
    );
    assert.deepEqual(grown, [3, 0]);
  });

  it('on invalid keys are counted when an address reaches them', async () => {
    const headers = { Authorization: 'Bearer pfx_unknown', 'X-Forwarded-For': '192.0.2.1' };
    const grown = await growth(['pastpaper_limits_hit_total{limit="failed-keys"}'], limited, async () => {
      for (const status of [403, 403, 429]) {
        const response = await fetch(limited.baseUrl + questions, { headers });
        assert.equal(response.status, status);
      }
    });
    assert.deepEqual(grown, [1]);
  });
});

describe('The body cache', () => {
  it('counts hits and misses, and its bytes', async () => {
    const grown = await growth(
      [
        'pastpaper_body_cache_requests_total{result="miss"}',
        'pastpaper_body_cache_requests_total{result="hit"}',
      ],
      gateway,
      async () => {
        for (let times = 0; times < 3; times += 1) await ask(gateway, '/neet/2023');
      },
    );
    assert.deepEqual(grown, [1, 2]);
    const scrape = await Scrape.of(gateway.adminUrl);
    const bytes = scrape.value('pastpaper_body_cache_bytes') ?? 0;
    assert.ok(bytes > 0 && bytes <= (scrape.value('pastpaper_body_cache_limit_bytes') ?? 0), String(bytes));
  });

  it('counts bodies that are too large for it', async () => {
    const grown = await growth(
      [
        'pastpaper_body_cache_requests_total{result="streamed"}',
        'pastpaper_body_cache_requests_total{result="hit"}',
      ],
      limited,
      async () => {
        for (let times = 0; times < 2; times += 1) assert.equal(await ask(limited, '/docs/'), 200);
      },
    );
    assert.deepEqual(grown, [2, 0]);
  });
});

describe('The release', () => {
  it('is exported with its id and publication time', async () => {
    const scrape = await Scrape.of(gateway.adminUrl);
    const [series = ''] = scrape.seriesOf('pastpaper_release_info');
    assert.match(series, /^pastpaper_release_info\{release="[0-9a-f]{16}"\}$/);
    const age = Date.now() / 1000 - (scrape.value('pastpaper_release_published_timestamp_seconds') ?? 0);
    assert.ok(age >= 0 && age < 3600, `${age} s`);
    assert.equal(scrape.value('pastpaper_release_refused'), 0);
  });
});

describe('A damaged release', () => {
  it('sets a gauge while it is rejected, and counts as 500 and a log line when it is served', async () => {
    const own = await createFixture();
    const started = await startGateway(await own.settings());
    const current = join(own.distDir, 'current');
    const whole = await readlink(current);
    await cp(join(own.distDir, whole), join(own.distDir, 'releases', 'damaged'), { recursive: true });
    await truncate(join(own.distDir, 'releases', 'damaged', 'public', 'neet', 'index.json'), 5);
    const values: (number | undefined)[] = [];
    for (const [target, refused] of [
      ['releases/damaged', 1],
      [whole, 0],
    ] as const) {
      await symlink(target, `${current}-next`);
      await rename(`${current}-next`, current);
      const read = async () => (await Scrape.of(started.adminUrl)).value('pastpaper_release_refused');
      while ((await read()) !== refused) await delay(50);
      values.push(await read());
    }
    await truncate(join(current, 'public', 'neet', 'index.json'), 5);
    const grown = await growth(
      [
        'pastpaper_http_requests_total{route="exam",status="500"}',
        'pastpaper_log_lines_total{level="error"}',
      ],
      started,
      async () => assert.equal((await rawGet(started.baseUrl, '/neet')).status, 500),
    );
    const { stderr } = await started.stop();
    await own.remove();
    assert.deepEqual(
      [values, grown],
      [
        [1, 0],
        [1, 1],
      ],
    );
    assert.match(stderr, /"level":"error".*"The new release cannot be served: /);
  });
});

describe('Without ADMIN_PORT', () => {
  it('nothing is counted, and requests are not observed', async () => {
    const config = readConfig({}, () => '');
    const { log, metrics, observer } = await openOperations(config, assert.fail);
    assert.deepEqual([log, metrics, observer], [assert.fail, undefined, undefined]);
  });
});

describe('Process metrics', () => {
  it('are those of prom-client', async () => {
    const { names } = await Scrape.of(gateway.adminUrl);
    for (const name of [
      'process_cpu_seconds_total',
      'nodejs_eventloop_lag_p99_seconds',
      'nodejs_version_info',
    ])
      assert.ok(names.has(name), name);
  });
});

describe('npm run auth', () => {
  it('counts its requests, introspection requests and key checks', async () => {
    const secret = randomBytes(32).toString('base64');
    const own = await fixture.settings({ INTROSPECTION_SECRET: secret });
    const key = await fixture.newKey(own, 'roomy');
    const service = await startService(own);
    const client = await startGateway(
      await fixture.settings({
        ...introspectionAt(`${service.baseUrl}/auth/introspect`),
        INTROSPECTION_SECRET: secret,
      }),
    );
    const grown = await growth(
      [
        'pastpaper_http_requests_total{route="introspection",status="200"}',
        'pastpaper_key_checks_total{outcome="valid",source="asked"}',
        'pastpaper_key_lookup_duration_seconds_count',
        'pastpaper_http_requests_total{route="page",status="200"}',
      ],
      service,
      async () => {
        assert.equal(await ask(client, questions, key), 200);
        assert.equal(await ask(client, questions, key), 200, 'from the cache of the gateway');
        assert.equal(await ask(service, '/dashboard/'), 200);
      },
    );
    await client.stop();
    await service.stop();
    assert.deepEqual(grown, [1, 1, 1, 1]);
  });
});
