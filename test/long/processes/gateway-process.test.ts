import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { freePort, serveLocally } from '../../free-port.ts';
import { sampleRelease } from '../../gateway/sample-release.ts';
import { runPastpaper, startPastpaper } from '../../gateway/started-process.ts';

type Settings = Readonly<Record<string, string>>;

const folder = await temporaryFolder();
const distDir = await sampleRelease();
let folders = 0;

/** The settings of a process with its own data folder. */
function settings(changes: Settings = {}): Record<string, string> {
  folders += 1;
  return { PORT: '0', DIST_DIR: distDir, DATA_DIR: join(folder, `data-${folders}`), ...changes };
}

/** Starts a gateway, and makes the requests of the curl commands that it prints. */
async function startAndPaste(env: Settings) {
  const started = startPastpaper('gateway', env);
  const [printed] = await started.waitForOutput(/[\s\S]*\n\n {2}curl [\s\S]*\n\n.*\n/);
  const statuses: number[] = [];
  for (const [, key, url = ''] of printed.matchAll(
    /^ {2}curl (?:-H 'Authorization: ([^']+)' )?(\S+)$/gm,
  ))
    statuses.push(
      (await fetch(url, { headers: key === undefined ? {} : { Authorization: key } })).status,
    );
  return { statuses, ...(await started.stop()) };
}

describe('Starting the gateway', () => {
  it('prints its address and a request for one public and one protected endpoint, both of which work', async () => {
    const { statuses, status, stderr } = await startAndPaste(settings());
    assert.deepEqual([statuses, status, stderr], [[200, 200], 0, '']);
  });

  it('prints its public address and no key in production, and warns of sign-ups without mail', async () => {
    const PORT = String(await freePort());
    const PUBLIC_URL = `http://localhost:${PORT}`;
    const production = { NODE_ENV: 'production', PORT, PUBLIC_URL };
    const { statuses, stdout, stderr } = await startAndPaste(settings(production));
    assert.deepEqual(statuses, [200, 401]);
    assert.ok(stdout.includes(` at ${PUBLIC_URL}/, from http://127.0.0.1:${PORT}/\n`), stdout);
    assert.match(stderr, /Visitors can sign up with any email address/);
    assert.match(stdout, /<API_KEY>/);
    assert.doesNotMatch(stdout, /pfx_/);
  });

  it('creates no key where other machines could use it', async () => {
    const env = settings({ HOST: '0.0.0.0' });
    const { stdout } = await startAndPaste(env);
    assert.match(stdout, /<API_KEY>/);
    assert.doesNotMatch(stdout, /pfx_/);
    await assert.rejects(readFile(join(env['DATA_DIR'] ?? '', 'development-key')), {
      code: 'ENOENT',
    });
  });
});

const service = { INTROSPECTION_SECRET: 'a-secret-between-gateway-and-service' };

async function fails(command: string, env: Settings, message: RegExp): Promise<void> {
  const { status, stdout, stderr } = await runPastpaper(command, env);
  assert.match(stderr, message);
  assert.doesNotMatch(stderr, /^\s+at |hidden/m, 'a stack trace or a secret');
  assert.deepEqual([status, stdout], [2, '']);
}

const none = { DIST_DIR: join(folder, 'none') };
const invalid = { PORT: 'x', SMTP_URL: 'http://hidden' };
const invalidSettings = /^Invalid settings:\nPORT is "x".*\nSMTP_URL must be/;
const readOnly = { DATA_DIR: '/proc/pastpaper' };
const noDatabase = /^The database \/proc\/pastpaper\/pastpaper\.db cannot be used/;
const noSecret =
  /^Invalid settings:\nINTROSPECTION_SECRET is missing\. Gateways need it to check keys\.\n$/;
const noHost = (name: string) =>
  new RegExp(`^Port \\d+ on 192\\.0\\.2\\.1 cannot be used: .*${name}\\.\\n$`);
const rows: readonly (readonly [command: string, what: string, Settings, RegExp])[] = [
  ['gateway', 'invalid settings, all in one message', invalid, invalidSettings],
  ['auth', 'a missing INTROSPECTION_SECRET', {}, noSecret],
  ['gateway', 'a data folder that cannot be written', readOnly, noDatabase],
  ['gateway', 'a missing release', none, /none\/current is missing\. Run npx pastpaper build/],
  ['gateway', 'a HOST of another machine', { HOST: '192.0.2.1' }, noHost('HOST')],
];
for (const [command, what, changes, message] of rows)
  it(`pastpaper ${command} exits with 2 and an error message for ${what}`, () =>
    fails(command, settings(changes), message));

for (const command of ['gateway', 'auth'])
  it(`pastpaper ${command} exits with 2 and an error message for a port in use`, async () => {
    const { url, close } = await serveLocally(createServer());
    const { port } = new URL(url);
    const inUse = new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is in use`);
    await fails(command, settings({ ...service, PORT: port }), inUse);
    await fails(command, settings({ ...service, ADMIN_PORT: port }), /is in use.*ADMIN_PORT=\d+/);
    await close();
  });

it('pastpaper gateway exits with 2 and an error message for accounts on a plan that is not in PLANS', async () => {
  const PLANS = join(folder, 'plans.json');
  await writeFile(PLANS, '{"school": {"perSecond": 20, "perMonth": 5000}}');
  const env = settings();
  await mkdir(env['DATA_DIR'] ?? '');
  assert.equal((await runPastpaper('keys', env, ['create', '--account', 'school'])).status, 0);
  const message =
    /Accounts have plans that are not configured: "free"\. Configured plans: school\./;
  await fails('gateway', { ...env, PLANS }, message);
});
