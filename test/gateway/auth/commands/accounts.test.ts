import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { gatewayUsage } from '../../../../build/command-line/usage.js';
import { main } from '../../../../gateway/auth/commands/accounts.ts';
import { runInProcess } from '../../../in-process.ts';
import { runGateway } from '../../running-gateway.ts';
import { type CommandResult, runPastpaper } from '../../started-process.ts';
import { behindProxy, setUps } from '../set-ups.ts';
import { newUser, signedIn, Visitor } from '../users/visitor.ts';

const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
after(() => rm(folder, { recursive: true }));
const plans = join(folder, 'plans.json');
await writeFile(
  plans,
  '{"free": {"perSecond": 2, "perMonth": 1000}, "roomy": {"perSecond": 100000, "perMonth": 1000000}}',
);

type Environment = Readonly<Record<string, string>>;

const own: Environment = { DATA_DIR: join(folder, 'data') };
/** Runs the command in this process, or as its own if a gateway here has the database open: they would block each other. */
const accounts = (args: readonly string[], env = own) =>
  env === own
    ? runInProcess((own, io) => main(own, gatewayUsage['accounts'] ?? '', io), args, env)
    : runPastpaper('accounts', env, args);

async function json(args: readonly string[], env?: Environment) {
  const { status, stdout, stderr } = await accounts([...args, '--json'], env);
  assert.deepEqual([status, stderr], [0, '']);
  return JSON.parse(stdout);
}

for (const { setUp, skip } of setUps) {
  describe(`pastpaper accounts, ${setUp}`, { skip }, async () => {
    if (skip) return;
    const running = await runGateway(behindProxy, setUp);
    after(running.close);
    const env = {
      DATA_DIR: running.config.dataDir,
      DATABASE_URL: running.databaseUrl,
      PORT: new URL(running.authUrl).port,
    };
    const visitor = () => new Visitor(running.authUrl);
    const download = async (key: string) => {
      const headers = { Authorization: `Bearer ${key}` };
      return (await fetch(`${running.baseUrl}/neet/2024/s1/physics.json`, { headers })).status;
    };

    /** Signs up a new user, who gets an account. */
    async function signUpUser() {
      const user = newUser();
      return { ...user, browser: await signedIn(running.authUrl, user) };
    }

    it('list shows accounts of users and of the operator, and never a secret', async () => {
      const ada = await signUpUser();
      const { key } = (await ada.browser.post('keys', { name: 'laptop', expiresIn: null })).body;
      await running.createKey('school', { plan: 'free' });
      const listed = await json(['list'], env);
      const byName = (name: string) => listed.find((account: { name: string }) => account.name === name);
      const { id, createdAt, ...rest } = byName(ada.email);
      assert.match(id, /^acc_[0-9a-f-]{36}$/);
      assert.equal(new Date(createdAt).toISOString(), createdAt);
      const fresh = {
        plan: 'free',
        state: 'active',
        blockedAt: null,
        liveKeys: 1,
        used: 0,
        lastUsedAt: null,
      };
      assert.deepEqual(rest, { name: ada.email, email: ada.email, ...fresh });
      assert.equal(byName('school').email, null);
      const { stdout } = await accounts(['list'], env);
      assert.match(
        stdout,
        new RegExp(`^${ada.email} +free +active +1 +0 +- +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d +${id}$`, 'm'),
      );
      assert.ok(!stdout.includes(key.slice(8)) && !stdout.includes(ada.password));
    });

    it('plan moves an account to another plan, from its next request on', async () => {
      const ada = await signUpUser();
      const withPlans = { ...env, PLANS: plans };
      const changed = await json(['plan', ada.email, 'roomy'], withPlans);
      assert.deepEqual([changed.name, changed.plan], [ada.email, 'roomy']);
      const { plan } = (await ada.browser.get('account')).body;
      assert.deepEqual(plan, { name: 'roomy', perSecond: 100_000, perMonth: 1_000_000 });
      const { status, stdout } = await accounts(['plan', ada.email, 'free'], withPlans);
      assert.equal(status, 0);
      assert.match(stdout, new RegExp(`^${ada.email} +free `, 'm'));
    });

    it('block rejects keys and sign-in, and unblock allows both again', async () => {
      const ada = await signUpUser();
      const keys: string[] = [];
      for (const name of ['one', 'two']) {
        keys.push((await ada.browser.post('keys', { name, expiresIn: null })).body.key);
      }
      const blocked = await json(['block', ada.email], env);
      assert.equal(blocked.state, 'blocked');
      assert.equal(new Date(blocked.blockedAt).toISOString(), blocked.blockedAt);
      assert.deepEqual(await json(['block', ada.email], env), blocked, 'blocking again changes nothing');
      assert.equal((await ada.browser.get('account')).status, 401);
      assert.equal((await visitor().signIn(ada)).status, 403);
      assert.equal(await download(keys[0] ?? ''), 403);
      assert.match((await accounts(['list'], env)).stdout, new RegExp(`^${ada.email} +free +blocked `, 'm'));
      const unblocked = await json(['unblock', ada.email], env);
      assert.deepEqual([unblocked.state, unblocked.blockedAt], ['active', null]);
      assert.equal((await visitor().signIn(ada)).status, 200);
      assert.equal(await download(keys[1] ?? ''), 200);
    });

    it('show prints the account and its keys', async () => {
      const { key } = await running.createKey('library');
      assert.equal(await download(key), 200);
      const { keys, ...account } = await json(['show', 'library'], env);
      assert.deepEqual(
        [account.name, account.liveKeys, keys.length, keys[0].state],
        ['library', 1, 1, 'active'],
      );
      const { stdout } = await accounts(['show', 'library'], env);
      assert.match(stdout, /^ACCOUNT .*\nlibrary .*\n\nKEY .*\npfx_/);
    });

    it('delete removes an account with its keys and its user, who can sign up again', async () => {
      const ada = await signUpUser();
      const { key } = (await ada.browser.post('keys', { name: 'laptop', expiresIn: null })).body;
      assert.equal(await download(key), 200);
      const { status, stdout } = await accounts(['delete', ada.email], env);
      assert.deepEqual(
        [status, stdout],
        [0, `The account "${ada.email}" is deleted, with its keys and its usage.\n`],
      );
      assert.equal(await download(key), 403);
      assert.equal((await ada.browser.get('account')).status, 401);
      assert.equal((await visitor().signIn(ada)).status, 401);
      assert.equal((await accounts(['show', ada.email], env)).status, 1);
      const again = await signedIn(running.authUrl, ada);
      assert.deepEqual((await again.get('keys')).body.keys, []);
    });

    it('reset-link creates a link that sets a new password once', async () => {
      const ada = await signUpUser();
      const { status, stdout, stderr } = await accounts(
        ['reset-link', ada.email.toUpperCase(), '--json'],
        env,
      );
      assert.equal(status, 0);
      assert.match(
        stderr,
        /^PUBLIC_URL is not set, so the link uses HOST and PORT: http:\/\/127\.0\.0\.1:\d+\./,
      );
      const { link, ...rest } = JSON.parse(stdout);
      assert.deepEqual(rest, {});
      const { origin, pathname, hash } = new URL(link);
      const token = new URLSearchParams(hash.slice(1)).get('token');
      assert.deepEqual([origin, pathname], [new URL(running.authUrl).origin, '/dashboard/reset-password/']);
      const set = async (newPassword: string) =>
        (await visitor().post('reset-password', { token, newPassword })).status;
      const fresh = { ...ada, password: 'a fresh phrase of words' };
      assert.deepEqual([await set(fresh.password), await set('another phrase of words')], [200, 400]);
      assert.equal((await visitor().signIn(ada)).status, 401);
      assert.equal((await visitor().signIn(fresh)).status, 200);
      assert.equal((await ada.browser.get('account')).status, 401, 'the old session has ended');
    });

    it('reset-link prints the link, at PUBLIC_URL if it is set', async () => {
      const ada = await signUpUser();
      const { status, stdout, stderr } = await accounts(['reset-link', ada.email], {
        ...env,
        PUBLIC_URL: 'https://api.example.org',
      });
      assert.deepEqual([status, stderr], [0, '']);
      assert.match(
        stdout,
        /^https:\/\/api\.example\.org\/dashboard\/reset-password\/#token=\w{24}\n\nThe link works once and is valid for one hour\.\n$/,
      );
    });

    it('accepts names with quotes and spaces', async () => {
      const name = `O'Brien "and" sons; drop table accounts --`;
      await running.createKey(name);
      assert.equal((await json(['block', name], env)).name, name);
    });
  });
}

describe('pastpaper accounts', () => {
  it('list says that there are no accounts', async () => {
    assert.equal((await accounts(['list'])).stdout, 'There are no accounts.\n');
    assert.deepEqual(await json(['list']), []);
  });
});

describe('pastpaper accounts exits with 1 when the request cannot be met:', () => {
  const rows: readonly (readonly [string, readonly string[], RegExp])[] = [
    [
      'an unknown account to block',
      ['block', 'none'],
      /^There is no account "none"\. Run pastpaper accounts list/,
    ],
    ['an unknown account to unblock', ['unblock', 'none'], /^There is no account "none"/],
    ['an unknown account to move', ['plan', 'none', 'free'], /^There is no account "none"/],
    ['an unknown plan', ['plan', 'none', 'gold'], /^Unknown plan "gold"\. Available plans: free\./],
    [
      'a plan named like a property of every object',
      ['plan', 'none', 'constructor'],
      /^Unknown plan "constructor"/,
    ],
    ['an address without a user', ['reset-link', 'a@example.org'], /^There is no user "a@example\.org"/],
  ];
  for (const [name, args, message] of rows) {
    it(name, async () => assertFailed(await accounts(args), 1, message));
  }
});

describe('pastpaper accounts exits with 2 when it is used wrongly or cannot run:', () => {
  const rows: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['no command', [], /^Missing command\.[\s\S]*Usage:/],
    ['an unknown command', ['remove', 'a'], /^Unknown command "remove"\.[\s\S]*Usage:/],
    ['a command named like a property of every object', ['toString'], /^Unknown command "toString"\./],
    ['an unknown option', ['list', '--all'], /^Unknown option "--all"\.[\s\S]*Usage:/],
    ['list with an argument', ['list', 'school'], /^Unexpected argument "school"/],
    ['plan without a plan', ['plan', 'school'], /^Missing argument: PLAN\./],
    ['block without an account', ['block'], /^Missing argument: NAME\./],
    ['block with two accounts', ['block', 'a', 'b'], /^Unexpected argument "b"/],
    ['unblock without an account', ['unblock'], /^Missing argument: NAME\./],
    ['reset-link without an address', ['reset-link'], /^Missing argument: EMAIL\./],
  ];
  for (const [name, args, message] of rows) {
    it(name, async () => assertFailed(await accounts(args), 2, message));
  }

  it('invalid settings', async () => assertFailed(await accounts(['list'], { PORT: 'x' }), 2, /PORT is "x"/));

  it('PostgreSQL that cannot be reached', async () => {
    const ended = await accounts(['list'], { DATABASE_URL: 'postgres://ada:hidden@127.0.0.1:9/keys' });
    assertFailed(ended, 2, /^The database keys at 127\.0\.0\.1:9 cannot be used: /);
    assert.doesNotMatch(ended.stderr, /hidden/);
  });
});

function assertFailed({ status, stdout, stderr }: CommandResult, expected: number, message: RegExp): void {
  assert.match(stderr, message);
  assert.doesNotMatch(stderr, /^\s+at /m, 'a stack trace');
  assert.deepEqual([status, stdout], [expected, '']);
}
