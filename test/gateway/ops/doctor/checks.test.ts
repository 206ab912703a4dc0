import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, cp, lutimes, mkdir, readlink, truncate, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { basename, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { sql } from 'kysely';
import { createKey } from '../../../../gateway/auth/keys.ts';
import { openDatabase } from '../../../../gateway/auth/store/store.ts';
import type { Database } from '../../../../gateway/auth/store/tables.ts';
import { type Config, readConfig } from '../../../../gateway/config.ts';
import {
  type Check,
  compareClocks,
  type Finding,
  ok,
} from '../../../../gateway/ops/doctor/check.ts';
import {
  authenticationService,
  database,
  mail,
} from '../../../../gateway/ops/doctor/dependencies.ts';
import {
  checkNodeVersion,
  checkSpace,
  dataFolder,
  ports,
  release,
} from '../../../../gateway/ops/doctor/local.ts';
import { runChecks } from '../../../../gateway/ops/doctor/main.ts';
import { production } from '../../../../gateway/ops/doctor/production.ts';
import { realSystem } from '../../../../gateway/system.ts';
import { temporaryFolder } from '../../../build/bank-folder.ts';
import { listenLocally } from '../../../free-port.ts';
import { engine } from '../../auth/engines.ts';
import { operatorKey } from '../../auth/open-store.ts';
import { openMailbox } from '../../auth/users/mailbox.ts';
import { now } from '../../fake-system.ts';
import { sampleRelease } from '../../sample-release.ts';

const folder = await temporaryFolder();
const servers: Server[] = [];
after(async () => {
  for (const server of servers) server.close().closeAllConnections();
});

function settings(env: Readonly<Record<string, string>>): Config {
  return readConfig(
    { DATA_DIR: join(folder, 'data'), ...env },
    () => '{"school": {"perSecond": 1, "perMonth": 1}}',
  );
}

/** The findings of a check, each as `state: message`. */
async function found(check: Check, env: Readonly<Record<string, string>>): Promise<string[]> {
  const findings = await runChecks([check], settings(env), 30_000);
  return findings.map(({ state, message }) => `${state}: ${message}`);
}

async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  return `http://127.0.0.1:${await listenLocally(server)}`;
}

describe('The Node check', () => {
  const rows: readonly (readonly [string, Finding['state']])[] = [
    ['18.20.0', 'problem'],
    ['20.18.3', 'problem'],
    ['20.19.0', 'ok'],
    ['22.1.0', 'ok'],
    ['23.4.0', 'warning'],
    ['26.0.0', 'ok'],
    ['27.0.0', 'warning'],
  ];
  for (const [version, state] of rows)
    it(`returns ${state} for ${version}`, () =>
      assert.equal(checkNodeVersion(version).state, state));
});

describe('The clock check', () => {
  const rows: readonly (readonly [number, RegExp])[] = [
    [0, /^ok: Its clock agrees/],
    [-2_400, /^ok/],
    [2_600, /^warning: Its clock is 3 seconds ahead of/],
    [-61_000, /^warning: Its clock is 1 minute behind/],
    [7_200_000, /^warning: Its clock is 2 hours ahead of/],
  ];
  for (const [ahead, expected] of rows)
    it(`compares a difference of ${ahead} ms`, () => {
      const { state, message } = compareClocks('Its', ahead);
      assert.match(`${state}: ${message}`, expected);
    });
});

/** A copy of the sample release, published at a moment in milliseconds since 1970. */
async function copySample(dist: string, publishedAt = now()): Promise<void> {
  await cp(await sampleRelease(), dist, { recursive: true, verbatimSymlinks: true });
  await lutimes(join(dist, 'current'), publishedAt / 1000, publishedAt / 1000);
}

describe('The release check', () => {
  it('reports its id, that it can be served, and its age', async () => {
    const dist = join(folder, 'complete');
    await copySample(dist, now() - 60_000);
    const [complete, age] = await found(release, { DIST_DIR: dist });
    assert.equal(
      complete,
      `ok: Release ${basename(await readlink(join(dist, 'current')))} can be served.`,
    );
    assert.match(age ?? '', /^ok: It was published 1 minute ago\.$/);
  });

  it('warns about a release from the future', async () => {
    const dist = join(folder, 'future');
    await copySample(dist, now() + 2 * 86_400_000);
    const [, age] = await found(release, { DIST_DIR: dist });
    assert.match(age ?? '', /^warning: It was published 2 days in the future/);
  });

  it('reports a damaged root', async () => {
    const dist = join(folder, 'damaged');
    await copySample(dist);
    await truncate(join(dist, 'current', 'root.json'), 5);
    const [line] = await found(release, { DIST_DIR: dist });
    assert.match(line ?? '', /^problem: The release cannot be served: root\.json is not JSON/);
  });
});

describe('The data folder check', () => {
  it('passes if the folder can be created', async () => {
    const [line, space] = await found(dataFolder, { DATA_DIR: join(folder, 'a', 'b') });
    assert.match(line ?? '', /^ok: .*b does not exist yet and can be created\.$/);
    assert.match(space ?? '', /^(ok|warning): [\d,]+ MiB of disk space are free\.$/);
  });

  it('warns about a folder that others can read', async () => {
    const open = join(folder, 'open');
    await mkdir(open);
    await chmod(open, 0o755);
    const [line] = await found(dataFolder, { DATA_DIR: open });
    assert.match(line ?? '', /^warning: .*open is open to other users \(mode 755\)/);
    await chmod(open, 0o700);
    assert.match(
      (await found(dataFolder, { DATA_DIR: open }))[0] ?? '',
      /^ok: .*and only by its owner/,
    );
  });

  it('reports a file in its place', async () => {
    const file = join(folder, 'a-file');
    await writeFile(file, '');
    for (const path of [file, join(file, 'data')])
      assert.match(
        (await found(dataFolder, { DATA_DIR: path }))[0] ?? '',
        /^problem: .*a-file is not a folder\.$/,
      );
  });

  it('reports a folder that cannot be written', async () => {
    // Not even root can write there.
    const [line] = await found(dataFolder, { DATA_DIR: '/proc/self/fdinfo' });
    assert.match(
      line ?? '',
      /^problem: \/proc\/self\/fdinfo, which belongs to user \d+, cannot be written by user \d+: E/,
    );
  });

  it('reports too little free space', () => {
    const mebibyte = 1024 * 1024;
    assert.deepEqual(
      [31, 32, 511, 512].map((free) => checkSpace(free * mebibyte).state),
      ['problem', 'warning', 'warning', 'ok'],
    );
  });
});

describe(`The database check, ${engine.name}`, () => {
  /** What the check finds in a database that was opened and changed. */
  async function foundAfter(
    change: (opened: Database) => Promise<unknown>,
    env: Readonly<Record<string, string>> = {},
  ): Promise<string[]> {
    const testDatabase = await engine.createDatabase();
    const opened = await openDatabase(testDatabase.location);
    await change(opened);
    await opened.destroy();
    const lines = await found(database, { DATABASE_URL: testDatabase.url, ...env });
    await testDatabase.remove();
    return lines;
  }

  it('passes with an up-to-date database, and compares its clock', async () => {
    const [first, ...more] = await foundAfter(async () => {});
    assert.match(first ?? '', /^ok: .* can be read and written\.$/);
    const clock =
      engine.name === 'PostgreSQL' ? ['ok: Its clock agrees with the local clock.'] : [];
    assert.deepEqual(more, ['ok: Its schema is up to date.', ...clock]);
  });

  it('reports the migrations of the next start', async () => {
    const lines = await foundAfter((opened) =>
      sql`delete from kysely_migration where name = '2026-11-21-people'`.execute(opened),
    );
    assert.equal(lines[1], 'ok: The next start migrates its schema, with 1 change.');
  });

  it('reports a database that a newer version has changed', async () => {
    const lines = await foundAfter((opened) =>
      sql`insert into kysely_migration (name, timestamp) values ('2100-01-01-later', 'then')`.execute(
        opened,
      ),
    );
    assert.equal(
      lines[1],
      'problem: This database was made by a newer version of Pastpaper (2100-01-01-later).',
    );
  });

  it('reports accounts on unknown plans, unless another service names the plans', async () => {
    const addAccount = (opened: Database) => createKey(opened, realSystem, operatorKey());
    const lines = await foundAfter(addAccount, { PLANS: 'plans.json' });
    assert.equal(lines[2], 'problem: Accounts have plans that are not configured: "free".');
    const service = { INTROSPECTION_URL: 'http://127.0.0.1:9/', INTROSPECTION_SECRET: 'secret' };
    const elsewhere = await foundAfter(addAccount, { PLANS: 'plans.json', ...service });
    assert.ok(!elsewhere.some((line) => line.startsWith('problem')));
  });

  it('passes with an empty database', async () => {
    const testDatabase = await engine.createDatabase();
    const lines = await found(database, { DATABASE_URL: testDatabase.url });
    await testDatabase.remove();
    assert.match(
      lines.join(),
      /The next start creates it|The next start migrates its schema, with \d changes/,
    );
  });
});

describe('The database check', () => {
  it('reports a file that is not a database', async () => {
    const file = join(folder, 'none.db');
    await writeFile(file, 'x'.repeat(200));
    const [line] = await found(database, { DATABASE_URL: `file:${file}` });
    assert.equal(line, `problem: The database ${file} cannot be used: file is not a database`);
  });
});

describe('The authentication service check', () => {
  const inactive = JSON.stringify({ active: false });
  const rows: readonly (readonly [string, RequestListener, RegExp])[] = [
    [
      'that responds correctly',
      (_, response) => response.setHeader('Date', new Date(now()).toUTCString()).end(inactive),
      /^ok: .* responds to "gateway" and rejects an invalid key\.,ok: Its clock agrees/,
    ],
    [
      'with another secret',
      (_, response) => response.writeHead(401).end(),
      /^problem: .*rejected the gateway \(status 401\)\. Check INTROSPECTION_SECRET/,
    ],
    [
      'that is another server',
      (_, response) => response.end('<h1>It works</h1>'),
      /^problem: .*the response is not JSON/,
    ],
    [
      'that accepts any key',
      (_, response) => response.end('{"active": true, "sub": "a", "plan": "free"}'),
      /^problem: .*accepts an invalid key/,
    ],
    [
      'whose clock is an hour ahead',
      (_, response) =>
        response.writeHead(200, { Date: new Date(now() + 3_700_000).toUTCString() }).end(inactive),
      /,warning: Its clock is 1 hour ahead of the local clock\.$/,
    ],
    [
      'without a Date header',
      (_, response) => {
        response.sendDate = false;
        response.end(inactive);
      },
      /^ok: [^,]* responds to "gateway" and rejects an invalid key\.$/,
    ],
  ];
  for (const [name, listener, expected] of rows)
    it(`checks a service ${name}`, async () => {
      const url = await listening(listener);
      const env = { INTROSPECTION_URL: `${url}/introspect`, INTROSPECTION_SECRET: 'secret' };
      assert.match(String(await found(authenticationService, env)), expected);
    });

  it('passes if the gateway checks keys itself', async () =>
    assert.deepEqual(await found(authenticationService, {}), [
      'ok: INTROSPECTION_URL is not set. The gateway checks keys itself.',
    ]));
});

describe('The mail check', () => {
  it('passes without a mail server, and with one that accepts connections', async () => {
    assert.match(String(await found(mail, {})), /^ok: SMTP_URL is not set, so no email is sent\./);
    const mailbox = await openMailbox();
    assert.match(
      String(await found(mail, { SMTP_URL: mailbox.url })),
      /^ok: The mail server 127\.0\.0\.1:\d+ /,
    );
    await mailbox.close();
  });

  it('reports a mail server that is down or rejects the password, and never shows it', async () => {
    const down = String(await found(mail, { SMTP_URL: 'smtp://ada:hunter2@127.0.0.1:9' }));
    assert.match(down, /^problem: The mail server 127\.0\.0\.1:9 cannot be used: .*ECONNREFUSED/);
    const mailbox = await openMailbox();
    const rejected = String(
      await found(mail, { SMTP_URL: mailbox.url.replace('//', '//ada:hunter2@') }),
    );
    await mailbox.close();
    assert.match(rejected, /^problem: The mail server .* cannot be used: /);
    assert.doesNotMatch(down + rejected, /hunter2/);
  });
});

describe('The port check', () => {
  it('reports a port that another server uses', async () => {
    const { port } = new URL(await listening((_, response) => response.end('something else')));
    const lines = await found(ports, { PORT: port, ADMIN_PORT: '0' });
    assert.deepEqual(lines, [
      `problem: Port ${port} on 127.0.0.1 is in use.`,
      'ok: ADMIN_PORT is 0: the system chooses a free port.',
    ]);
    const silent = new URL(await listening(() => {})).port;
    assert.match(
      String(await found(ports, { PORT: '0', ADMIN_PORT: silent })),
      /,problem: Port \d+ on 127\.0\.0\.1 is in use\.$/,
    );
  });

  it('reports an address of another machine', async () => {
    const lines = await found(ports, {
      HOST: '198.51.100.1',
      ADMIN_PORT: '0',
      ADMIN_HOST: '198.51.100.2',
    });
    assert.deepEqual(lines, [
      'problem: 198.51.100.1 is not an address of this machine.',
      'problem: 198.51.100.2 is not an address of this machine.',
    ]);
  });

  it('reports that PORT and ADMIN_PORT are the same', async () => {
    const { port } = new URL(await listening(() => {}));
    assert.match(
      String(await found(ports, { PORT: port, ADMIN_PORT: port })),
      /,problem: ADMIN_PORT and PORT are the same: \d+\.$/,
    );
  });
});

describe('The production check', () => {
  const suitable = {
    NODE_ENV: 'production',
    ADMIN_PORT: '9090',
    PUBLIC_URL: 'https://api.example.org',
    TRUST_PROXY: '1',
    DATA_DIR: join(folder, 'production'),
  };
  const elsewhere = { PUBLIC_URL: '', INTROSPECTION_SECRET: randomBytes(32).toString('base64') };
  const shared = { ...elsewhere, INTROSPECTION_URL: 'https://auth.example.org/oauth2/introspect' };
  const rows: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
    ['passes', {}, /^ok: The settings are suitable for production\.$/],
    ['warns if NODE_ENV is not set', { NODE_ENV: '' }, /^warning: NODE_ENV is not production/],
    ['warns if PUBLIC_URL is not set', { PUBLIC_URL: '' }, /^warning: PUBLIC_URL is not set/],
    [
      'warns if PUBLIC_URL is not HTTPS',
      { PUBLIC_URL: 'http://api.example.org' },
      /^warning: PUBLIC_URL is http:.*unencrypted/,
    ],
    [
      'warns if tokens for other services are accepted',
      shared,
      /^warning: INTROSPECTION_URL is another OAuth server/,
    ],
    ['passes with the audience of tokens', { ...shared, INTROSPECTION_AUDIENCE: 'papers' }, /^ok/],
    ['passes with the scope of tokens', { ...shared, INTROSPECTION_SCOPE: 'papers:read' }, /^ok/],
    [
      'warns if TRUST_PROXY is not set',
      { TRUST_PROXY: '' },
      /^warning: PUBLIC_URL is HTTPS, .*TRUST_PROXY is not set/,
    ],
    ['warns if ADMIN_PORT is not set', { ADMIN_PORT: '' }, /^warning: ADMIN_PORT is not set/],
    [
      'warns about an open ADMIN_HOST',
      { ADMIN_HOST: '0.0.0.0' },
      /^warning: Health and metrics are at 0\.0\.0\.0/,
    ],
    ['accepts any loopback address', { ADMIN_HOST: '::1' }, /^ok/],
    [
      'requires no PUBLIC_URL with a separate authentication service',
      { ...elsewhere, INTROSPECTION_URL: 'https://auth.example.org/auth/introspect' },
      /^ok/,
    ],
  ];
  for (const [name, changes, expected] of rows)
    it(name, async () =>
      assert.match(String(await found(production, { ...suitable, ...changes })), expected),
    );

  it('warns about a development key', async () => {
    await mkdir(suitable.DATA_DIR);
    await writeFile(join(suitable.DATA_DIR, 'development-key'), 'pfx_secret\n');
    const [line = ''] = await found(production, suitable);
    assert.match(
      line,
      /^warning: .*development-key contains a development key from before NODE_ENV was production\.$/,
    );
    assert.doesNotMatch(line, /pfx_/);
  });
});

it('runChecks returns the findings in order, with a problem for a check that hangs or fails', async () => {
  const check = (name: string, result: () => Promise<Finding>): Check => ({
    name,
    async *run() {
      yield result();
    },
  });
  const slow = check('slow', () => new Promise(() => {}));
  const failing = check('failing', () => Promise.reject(new Error('permission denied')));
  const quick = check('quick', async () => ok('Fine.'));
  const findings = await runChecks([slow, failing, quick], settings({}), 100);
  assert.deepEqual(
    findings.map(({ check, state, message }) => [check, state, message]),
    [
      ['slow', 'problem', 'The check did not finish within 0.1 s.'],
      ['failing', 'problem', 'The check failed: permission denied.'],
      ['quick', 'ok', 'Fine.'],
    ],
  );
});
