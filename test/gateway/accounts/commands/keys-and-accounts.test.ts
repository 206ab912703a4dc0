import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { usages } from '../../../../build/command-line/usage.js';
import { main as accountsMain } from '../../../../gateway/accounts/commands/accounts.ts';
import { main as keysMain } from '../../../../gateway/accounts/commands/keys.ts';
import { temporaryFolder } from '../../../build/bank-folder.ts';
import { runInProcess } from '../../../in-process.ts';
import { advance, FakeSystem } from '../../fake-system.ts';
import { engine } from '../engines.ts';
import { sharedGateway } from '../set-ups.ts';
import { newUser, signedIn, Visitor } from '../users/visitor.ts';

const folder = await temporaryFolder();
const plans = join(folder, 'plans.json');
await writeFile(
  plans,
  '{"free": {"perSecond": 2, "perMonth": 1000}, "roomy": {"perSecond": 100000, "perMonth": 1000000}}',
);

for (const name of ['data', 'counted', 'empty']) await mkdir(join(folder, name));

type Settings = Readonly<Record<string, string>>;
const commands = { keys: keysMain, accounts: accountsMain };

/** Returns a command that runs in this process. */
function testedCommand(name: keyof typeof commands, settings: Settings) {
  async function run(args: readonly string[], more: Settings = {}) {
    const main: Parameters<typeof runInProcess>[0] = (own, io) =>
      commands[name](own, usages[name] ?? '', io, new FakeSystem());
    const outcome = await runInProcess(main, args, { ...settings, ...more });
    // One test asserts this line.
    return { ...outcome, stderr: outcome.stderr.replace(/^Bank: .*\n/, '') };
  }
  /** Runs it with `--json`. */
  async function json(...args: readonly string[]) {
    const { status, stdout, stderr } = await run([...args, '--json']);
    assert.deepEqual([status, stderr], [0, '']);
    return JSON.parse(stdout);
  }
  return { run, json };
}

describe(`pastpaper keys, on ${engine.name}`, async () => {
  const testDatabase = await engine.createDatabase();
  after(() => testDatabase.remove());
  const keys = testedCommand('keys', {
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: testDatabase.url,
  });

  it('create prints the key, and that it is not shown again; with --json also id, account, plan and expiresAt', async () => {
    const request = ['create', '--account', 'school', '--plan', 'free', '--expires', '30d'];
    const { id, key, ...rest } = await keys.json(...request);
    assert.match(`${id} ${key}`, /^key_\S{36} pfx_[0-9A-Za-z]{49}$/);
    const expiresAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
    assert.deepEqual(rest, { account: 'school', plan: 'free', expiresAt });
    const { stdout } = await keys.run(['create', '--account', 'a reader']);
    assert.match(
      stdout,
      /^pfx_\w{49}\n\nThe key is not shown again\.\nId: \S+\. Account: a reader\. Plan: free\. Expires: never\.\n$/,
    );
  });

  it('list shows name, state and first characters, never a key', async () => {
    const request = ['create', '--account', 'listed', '--name', 'CI', '--expires', '1s'];
    const { key, id } = await keys.json(...request);
    advance(1000);
    const [listed] = await keys.json('list', '--account', 'listed');
    assert.deepEqual(
      [listed.id, listed.name, listed.state, listed.start],
      [id, 'CI', 'expired', key.slice(0, 8)],
    );
    const { stdout } = await keys.run(['list']);
    assert.match(stdout, new RegExp(`  CI  .*expired .*listed.* ${id}$`, 'm'));
    assert.ok(!stdout.includes(key));
  });
});

describe('pastpaper accounts, beside a gateway', async () => {
  const running = await sharedGateway();
  const { run, json } = testedCommand('accounts', {
    DATA_DIR: running.config.dataDir,
    DATABASE_URL: running.databaseUrl,
    PLANS: plans,
    PORT: new URL(running.authUrl).port,
  });
  const visitor = () => new Visitor(running.authUrl);

  /** Signs up a new user, who gets an account. */
  async function signUpUser() {
    const user = newUser();
    return { ...user, browser: await signedIn(running.authUrl, user) };
  }

  it('list shows accounts of users and of the operator, and never a secret', async () => {
    const ada = await signUpUser();
    const { key } = await ada.browser.createKey();
    await running.createKey('an operator’s', { plan: 'free' });
    const listed: readonly Record<string, unknown>[] = await json('list');
    const accountNamed = (name: string) => listed.find((account) => account['name'] === name);
    const account = accountNamed(ada.email);
    assert.deepEqual([account?.['email'], account?.['liveKeys']], [ada.email, 1]);
    assert.equal(accountNamed('an operator’s')?.['email'], null);
    const { stdout } = await run(['list']);
    const row = `^${ada.email} +free +active +1 +0 +- +[-\\d]{10} [:\\d]{5} +${account?.['id']}$`;
    assert.match(stdout, new RegExp(row, 'm'));
    assert.ok(!stdout.includes(key.slice(8)) && !stdout.includes(ada.password));
  });

  it('usage exports a month by account and day as CSV, without a formula', async () => {
    const name = '=SUM("A1"), a school';
    await running.createKey(name, { plan: 'free' });
    const isNamed = (account: { name: string }) => account.name === name;
    const { id } = (await json('list')).find(isNamed);
    await running.addUsage(id, 7);
    const today = new Date(running.system.now()).toISOString().slice(0, 10);
    const { stdout } = await run(['usage']);
    assert.match(stdout, /^account,id,plan,day,used,rejectedByRate,rejectedByQuota\n/);
    assert.ok(stdout.includes(`\n"'=SUM(""A1""), a school",${id},free,${today},7,0,0\n`), stdout);
    const row = (await json('usage', today.slice(0, 7))).find(
      ({ account }: { account: string }) => account === name,
    );
    const counts = { used: 7, rejectedByRate: 0, rejectedByQuota: 0 };
    assert.deepEqual(row, { account: name, id, plan: 'free', day: today, ...counts });
    assert.deepEqual(await json('usage', '2020-01'), []);
  });

  it('plan, block and unblock change the account and print it', async () => {
    const name = `O'Brien "and" sons; drop table accounts --`;
    await running.createKey(name, { plan: 'free' });
    assert.equal((await json('plan', name, 'roomy')).plan, 'roomy');
    const { state, blockedAt } = await json('block', name);
    assert.deepEqual([state, Date.parse(blockedAt)], ['blocked', running.system.now()]);
    const { stdout } = await run(['unblock', name]);
    assert.ok(stdout.includes(`\n${name}  roomy  active  1 `), stdout);
  });

  it('delete removes an account and its user', async () => {
    const ada = await signUpUser();
    const { status, stdout } = await run(['delete', ada.email]);
    const message = `The account "${ada.email}" is deleted, with its keys and its usage.\n`;
    assert.deepEqual([status, stdout], [0, message]);
    assert.equal((await visitor().signIn(ada)).status, 401);
    assert.equal((await run(['delete', ada.email])).status, 1);
  });

  it('reset-link creates a link that sets a new password once, at PUBLIC_URL if it is set', async () => {
    const ada = await signUpUser();
    const { stdout, stderr } = await run(['reset-link', ada.email.toUpperCase(), '--json']);
    assert.match(
      stderr,
      /^PUBLIC_URL is not set, so the link uses HOST and PORT: http:\/\/127\.0\.0\.1:\d+\./,
    );
    const { origin, pathname, hash } = new URL(JSON.parse(stdout).link);
    assert.equal(origin + pathname, `${new URL(running.authUrl).origin}/dashboard/reset-password/`);
    const token = new URLSearchParams(hash.slice(1)).get('token');
    const set = async (newPassword: string) =>
      (await visitor().post('reset-password', { token, newPassword })).status;
    const fresh = { ...ada, password: 'a fresh phrase of words' };
    assert.deepEqual([await set(fresh.password), await set('another phrase of words')], [200, 400]);
    assert.equal((await visitor().signIn(fresh)).status, 200);
    const printed = await run(['reset-link', ada.email], { PUBLIC_URL: 'https://api.example.org' });
    assert.match(
      printed.stdout,
      /^https:\/\/api\.example\.org\/dashboard\/reset-password\/#token=\w{24}\n\nThe link works once and is valid for one hour\.\n$/,
    );
    assert.equal(printed.stderr, '');
  });
});

describe('The command', () => {
  const empty = { DATA_DIR: join(folder, 'empty') };

  for (const name of ['keys', 'accounts'] as const) {
    it(`pastpaper ${name} list says that there are none`, async () => {
      const { run, json } = testedCommand(name, empty);
      assert.equal((await run(['list'])).stdout, `There are no ${name}.\n`);
      assert.deepEqual(await json('list'), []);
    });
  }

  it('names the bank and the database on stderr, unless it prints JSON; in a wrong folder, it creates nothing', async () => {
    const run = (args: readonly string[], env: Settings) =>
      runInProcess((own, io) => keysMain(own, '', io), args, env);
    const database = join(empty.DATA_DIR, 'pastpaper.db');
    assert.equal((await run(['list'], empty)).stderr, `Bank: Pastpaper. Database: ${database}.\n`);
    assert.equal((await run(['list', '--json'], empty)).stderr, '');
    const wrong = join(folder, 'wrong');
    assert.equal((await run(['create', '--account', 'a'], { DATA_DIR: wrong })).status, 2);
    assert.ok(!existsSync(wrong));
  });

  const missing =
    /^The data folder \S+wrong does not exist, so nothing was changed\. Run .* DATA_DIR or DATABASE_URL\./;
  const unreachable = 'postgres://ada:hidden@127.0.0.1:9/keys';
  const noRedis = {
    DATA_DIR: join(folder, 'counted'),
    REDIS_URL: 'redis://:hidden@127.0.0.1:9',
  };
  before(() => testedCommand('keys', noRedis).run(['create', '--account', 'school']));
  // 1: the request cannot be met. 2: the command is used wrongly or cannot run.
  const rows: readonly (readonly [
    status: number,
    command: string,
    message: RegExp,
    settings?: Settings,
  ])[] = [
    [1, 'keys create --account a --plan gold', /^Unknown plan "gold"\. Available plans: free\./],
    [1, 'keys revoke key_none', /There is no such key/],
    [1, 'accounts block none', /^There is no account "none"\. Run npx pastpaper accounts list/],
    [1, 'accounts reset-link a@example.org', /^There is no user "a@example\.org"/],
    [2, 'keys', /^Missing command\.[\s\S]*Usage:/],
    [2, 'keys create --account a --expires soon', /^--expires must be a whole number with s, m,/],
    [2, 'keys list', /PORT is "x"/, { PORT: 'x' }],
    [2, 'keys list', /cannot be used/, { DATA_DIR: '/proc/self/fdinfo' }],
    [2, 'accounts list', missing, { DATABASE_URL: `file:${join(folder, 'wrong/pastpaper.db')}` }],
    [2, 'accounts usage 2026-13', /^MONTH must have the form YYYY-MM, such as 2026-11/],
    [2, 'accounts usage', /^Redis is unavailable/, noRedis],
    [
      2,
      'accounts list',
      /^The database keys at 127\.0\.0\.1:9 cannot be used: .*ECONNREFUSED/,
      { DATABASE_URL: unreachable },
    ],
  ];
  for (const [status, command, message, settings] of rows) {
    it(`exits with ${status}: pastpaper ${command}${settings ? ` with ${Object.keys(settings)}` : ''}`, async () => {
      const [name, ...args] = command.split(' ');
      const ended = await testedCommand(name as keyof typeof commands, settings ?? empty).run(args);
      assert.match(ended.stderr, message);
      assert.doesNotMatch(ended.stderr, /^\s+at |hidden/m, 'a stack trace, or the password');
      assert.deepEqual([ended.status, ended.stdout], [status, '']);
    });
  }
});
