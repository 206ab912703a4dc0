import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { usages } from '../../../../build/command-line/usage.js';
import { main as accountsMain } from '../../../../gateway/accounts/commands/accounts.ts';
import { realSurroundings } from '../../../../gateway/accounts/commands/command.ts';
import { main as keysMain } from '../../../../gateway/accounts/commands/keys.ts';
import { temporaryFolder } from '../../../build/bank-folder.ts';
import { runInProcess } from '../../../in-process.ts';
import { advance, FakeSystem } from '../../fake-system.ts';
import type { RunningGateway } from '../../running-gateway.ts';
import { engine } from '../engines.ts';
import { sharedGateway } from '../set-ups.ts';
import { newUser, signedIn, Visitor } from '../users/visitor.ts';

const folder = await temporaryFolder();
const plans = join(folder, 'plans.json');
await writeFile(
  plans,
  '{"free": {"perSecond": 2, "perMonth": 1000}, "roomy": {"perSecond": 100000, "perMonth": 1000000}}',
);

for (const name of ['data', 'counted', 'empty', engine.name]) await mkdir(join(folder, name));

type Settings = Readonly<Record<string, string>>;
type Work = (database: RunningGateway['database']) => Promise<void>;
const commands = { keys: keysMain, accounts: accountsMain };

/**
 * Returns a command that runs in this process.
 *
 * @param running a gateway of this process, whose database it uses: with a connection of its own it would block the
 * thread   while the gateway writes
 */
function testedCommand(name: keyof typeof commands, defaults: Settings, running?: RunningGateway) {
  const surroundings = running
    ? { system: running.system, withDatabase: (_: unknown, work: Work) => work(running.database) }
    : { ...realSurroundings, system: new FakeSystem() };
  async function run(args: readonly string[], settings = defaults) {
    const main: Parameters<typeof runInProcess>[0] = (own, io) =>
      commands[name](own, usages[name] ?? '', io, surroundings);
    const outcome = await runInProcess(main, args, settings);
    // One test asserts this line.
    return { ...outcome, stderr: outcome.stderr.replace(/^Bank: .*\n/, '') };
  }
  /** Runs it with `--json`. */
  async function json(args: readonly string[], settings?: Settings) {
    const { status, stdout, stderr } = await run([...args, '--json'], settings);
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
    const created = await keys.json([
      'create',
      '--account',
      'school',
      '--plan',
      'free',
      '--expires',
      '30d',
    ]);
    assert.deepEqual(Object.keys(created), ['id', 'key', 'account', 'plan', 'expiresAt']);
    assert.match(created.key, /^pfx_[0-9A-Za-z]{49}$/);
    assert.deepEqual([created.account, created.plan], ['school', 'free']);
    assert.equal(Date.parse(created.expiresAt), Date.now() + 30 * 86_400_000);
    const { stdout } = await keys.run(['create', '--account', 'a reader']);
    const facts = /Id: \S+\. Account: a reader\. Plan: free\. Expires: never\./.source;
    assert.match(
      stdout,
      new RegExp(`^pfx_\\w{49}\\n\\nThe key is not shown again\\.\\n${facts}\\n$`),
    );
  });

  it('list shows name, state and first characters, never a key', async () => {
    const { key, id } = await keys.json([
      'create',
      '--account',
      'listed',
      '--name',
      'CI',
      '--expires',
      '1s',
    ]);
    advance(1000);
    const [listed] = await keys.json(['list', '--account', 'listed']);
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
  const env = {
    DATA_DIR: running.config.dataDir,
    PLANS: plans,
    PORT: new URL(running.authUrl).port,
  };
  const { run, json } = testedCommand('accounts', env, running);
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
    const listed = await json(['list']);
    const { id, email, liveKeys } = listed.find(
      (account: { name: string }) => account.name === ada.email,
    );
    assert.deepEqual([email, liveKeys], [ada.email, 1]);
    assert.equal(
      listed.find((account: { name: string }) => account.name === 'an operator’s').email,
      null,
    );
    const { stdout } = await run(['list']);
    assert.match(
      stdout,
      new RegExp(`^${ada.email} +free +active +1 +0 +- +[-\\d]{10} [:\\d]{5} +${id}$`, 'm'),
    );
    assert.ok(!stdout.includes(key.slice(8)) && !stdout.includes(ada.password));
  });

  it('usage exports a month by account and day as CSV, without a formula', async () => {
    const name = '=SUM("A1"), a school';
    await running.createKey(name, { plan: 'free' });
    const isNamed = (account: { name: string }) => account.name === name;
    const { id } = (await json(['list'])).find(isNamed);
    await running.addUsage(id, 7);
    const today = new Date(running.system.now()).toISOString().slice(0, 10);
    const { stdout } = await run(['usage']);
    assert.match(stdout, /^account,id,plan,day,used,rejectedByRate,rejectedByQuota\n/);
    assert.ok(stdout.includes(`\n"'=SUM(""A1""), a school",${id},free,${today},7,0,0\n`), stdout);
    const row = (await json(['usage', today.slice(0, 7)])).find(
      ({ account }: { account: string }) => account === name,
    );
    const counts = { used: 7, rejectedByRate: 0, rejectedByQuota: 0 };
    assert.deepEqual(row, { account: name, id, plan: 'free', day: today, ...counts });
    assert.deepEqual(await json(['usage', '2020-01']), []);
  });

  it('plan, block and unblock change the account and print it', async () => {
    const name = `O'Brien "and" sons; drop table accounts --`;
    await running.createKey(name, { plan: 'free' });
    assert.equal((await json(['plan', name, 'roomy'])).plan, 'roomy');
    const blocked = await json(['block', name]);
    assert.deepEqual(
      [blocked.name, blocked.state, Date.parse(blocked.blockedAt)],
      [name, 'blocked', running.system.now()],
    );
    const { status, stdout } = await run(['unblock', name]);
    assert.equal(status, 0);
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
    const { status, stdout, stderr } = await run(['reset-link', ada.email.toUpperCase(), '--json']);
    assert.equal(status, 0);
    assert.match(
      stderr,
      /^PUBLIC_URL is not set, so the link uses HOST and PORT: http:\/\/127\.0\.0\.1:\d+\./,
    );
    const { link, ...rest } = JSON.parse(stdout);
    assert.deepEqual(rest, {});
    const { origin, pathname, hash } = new URL(link);
    const token = new URLSearchParams(hash.slice(1)).get('token');
    assert.deepEqual(
      [origin, pathname],
      [new URL(running.authUrl).origin, '/dashboard/reset-password/'],
    );
    const set = async (newPassword: string) =>
      (await visitor().post('reset-password', { token, newPassword })).status;
    const fresh = { ...ada, password: 'a fresh phrase of words' };
    assert.deepEqual([await set(fresh.password), await set('another phrase of words')], [200, 400]);
    assert.equal((await visitor().signIn(ada)).status, 401);
    assert.equal((await visitor().signIn(fresh)).status, 200);
    assert.equal((await ada.browser.get('account')).status, 401, 'the old session has ended');
    const printed = await run(['reset-link', ada.email], {
      ...env,
      PUBLIC_URL: 'https://api.example.org',
    });
    const [first, ...text] = printed.stdout.split('\n');
    assert.match(
      first ?? '',
      /^https:\/\/api\.example\.org\/dashboard\/reset-password\/#token=\w{24}$/,
    );
    assert.deepEqual(
      [printed.stderr, ...text],
      ['', '', 'The link works once and is valid for one hour.', ''],
    );
  });
});

describe('The command', () => {
  const empty = { DATA_DIR: join(folder, 'empty') };

  for (const name of ['keys', 'accounts'] as const) {
    it(`pastpaper ${name} list says that there are none`, async () => {
      const { run, json } = testedCommand(name, empty);
      assert.equal((await run(['list'])).stdout, `There are no ${name}.\n`);
      assert.deepEqual(await json(['list']), []);
    });
  }

  it('names the bank and the database on stderr, unless it prints JSON; in a wrong folder, it creates nothing', async () => {
    const run = (args: readonly string[], env: Settings) =>
      runInProcess(
        (own, io) => keysMain(own, '', io, { ...realSurroundings, system: new FakeSystem() }),
        args,
        env,
      );
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
    [2, 'keys craete', /^Unknown command "craete"\. Did you mean "create"\?[\s\S]*Usage:/],
    [
      2,
      'keys create --account a --expires soon',
      /^--expires must be a whole number with s, m, h or d/,
    ],
    [2, 'keys revoke --account b', /^Unknown option "--account"\./],
    [2, 'keys list', /PORT is "x"/, { PORT: 'x' }],
    [2, 'keys list', /cannot be used/, { DATA_DIR: '/proc/self/fdinfo' }],
    [2, 'accounts list', missing, { DATABASE_URL: `file:${join(folder, 'wrong/pastpaper.db')}` }],
    [
      2,
      'accounts usage 2026-13',
      /^MONTH must have the form YYYY-MM, such as 2026-11, not "2026-13"/,
    ],
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
