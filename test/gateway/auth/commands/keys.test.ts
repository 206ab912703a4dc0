import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { gatewayUsage } from '../../../../build/command-line/usage.js';
import { main } from '../../../../gateway/auth/commands/keys.ts';
import { runInProcess } from '../../../in-process.ts';
import { runGateway } from '../../running-gateway.ts';
import { type CommandResult, runPastpaper } from '../../started-process.ts';
import { engines } from '../engines.ts';

const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
after(() => rm(folder, { recursive: true }));

const own = { DATA_DIR: join(folder, 'data') };
/** Runs the command in this process, or as its own if a gateway here has the database open: they would block each other. */
const keys = (args: readonly string[], settings: Readonly<Record<string, string>> = own) =>
  'DATABASE_URL' in settings
    ? runPastpaper('keys', settings, args)
    : runInProcess((own, io) => main(own, gatewayUsage['keys'] ?? '', io), args, settings);

async function json(args: readonly string[], settings?: Readonly<Record<string, string>>) {
  const { status, stdout, stderr } = await keys([...args, '--json'], settings);
  assert.deepEqual([status, stderr], [0, '']);
  return JSON.parse(stdout);
}

describe('pastpaper keys', () => {
  it('create --json prints id, key, account, plan and expiresAt', async () => {
    const created = await json(['create', '--account', 'school', '--plan', 'free', '--expires', '30d']);
    assert.deepEqual(Object.keys(created), ['id', 'key', 'account', 'plan', 'expiresAt']);
    assert.match(created.key, /^pfx_[0-9A-Za-z]{49}$/);
    assert.deepEqual([created.account, created.plan], ['school', 'free']);
    assert.ok(Math.abs(Date.parse(created.expiresAt) - Date.now() - 30 * 86_400_000) < 60_000);
  });

  it('create prints the key, and that it is not shown again', async () => {
    const { status, stdout } = await keys(['create', '--account', 'a reader']);
    assert.equal(status, 0);
    assert.match(stdout, /^pfx_[0-9A-Za-z]{49}\n/);
    assert.match(stdout, /not shown again\.\nId: .*\. Account: a reader\. Plan: free\. Expires: never\.\n/);
  });

  it('list shows state and first characters, never a key', async () => {
    const { key, id } = await json(['create', '--account', 'listed', '--expires', '1s']);
    await delay(1100);
    const [listed] = await json(['list', '--account', 'listed']);
    assert.deepEqual([listed.id, listed.state, listed.start], [id, 'expired', key.slice(0, 8)]);
    const { stdout } = await keys(['list']);
    assert.match(stdout, new RegExp(`expired .*listed.* ${id}$`, 'm'));
    assert.ok(!stdout.includes(key));
  });

  it('list says that there are no keys', async () => {
    const empty = { DATA_DIR: join(folder, 'empty') };
    assert.equal((await keys(['list'], empty)).stdout, 'There are no keys.\n');
    assert.deepEqual(await json(['list'], empty), []);
  });

  it('revoke takes effect at once in a running gateway, and so does expiry', async () => {
    const running = await runGateway();
    const env = { DATA_DIR: running.config.dataDir, DATABASE_URL: running.databaseUrl };
    const statusOf = async (key: string) => {
      const headers = { Authorization: `Bearer ${key}` };
      return (await fetch(`${running.baseUrl}/neet/2024/s1/physics.json`, { headers })).status;
    };
    const { id, key } = await json(['create', '--account', 'revoked'], env);
    assert.equal(await statusOf(key), 200);
    assert.equal((await json(['revoke', id], env)).state, 'revoked');
    assert.equal(await statusOf(key), 403);
    assert.match((await keys(['revoke', id], env)).stdout, /revoked/);
    const short = await json(['create', '--account', 'short', '--expires', '3s'], env);
    assert.equal(await statusOf(short.key), 200);
    await delay(Date.parse(short.expiresAt) - Date.now() + 20);
    assert.equal(await statusOf(short.key), 403);
    await running.close();
  });

  it('list --account shows the keys of one account, and none of an unknown one', async () => {
    const env = { DATA_DIR: join(folder, 'two') };
    for (const account of ['one', 'other', 'one']) await json(['create', '--account', account], env);
    const names = async (account: string) =>
      (await json(['list', '--account', account], env)).map((key: { account: string }) => key.account);
    assert.deepEqual([await names('one'), await names('none')], [['one', 'one'], []]);
  });

  it('create accepts a name', async () => {
    const env = { DATA_DIR: join(folder, 'named') };
    await json(['create', '--account', 'school', '--name', 'the library'], env);
    assert.equal((await json(['list'], env))[0].name, 'the library');
    assert.match((await keys(['list'], env)).stdout, / {2}the library {2}/);
  });

  it('create accepts a plan of PLANS', async () => {
    const plans = join(folder, 'plans.json');
    await writeFile(plans, '{"school": {"perSecond": 20, "perMonth": 5000}}');
    const env = { DATA_DIR: join(folder, 'plans'), PLANS: plans };
    assert.equal((await json(['create', '--account', 'default'], env)).plan, 'school');
  });
});

for (const engine of engines) {
  describe(`pastpaper keys, on ${engine.name}`, { skip: engine.skip }, async () => {
    if (engine.skip) return;
    const testDatabase = await engine.createDatabase();
    after(() => testDatabase.remove());
    const env = { DATA_DIR: join(folder, engine.name), DATABASE_URL: testDatabase.url };

    it('create, list and revoke use the database that DATABASE_URL names', async () => {
      const { id, key } = await json(['create', '--account', 'school'], env);
      const [listed] = await json(['list'], env);
      assert.deepEqual([listed.id, listed.state, listed.lastUsedAt], [id, 'active', null]);
      assert.equal((await json(['revoke', key], env)).id, id, 'a key is accepted in place of its id');
      assert.equal((await json(['list'], env))[0].state, 'revoked');
    });

    it('revoke --account revokes every key of one account', async () => {
      const ids: string[] = [];
      for (const account of ['leaked', 'leaked', 'other']) {
        ids.push((await json(['create', '--account', account], env)).id);
      }
      await json(['revoke', ids[0] ?? ''], env);
      const [{ revokedAt }] = await json(['list', '--account', 'leaked'], env);
      const revoked = await json(['revoke', '--account', 'leaked'], env);
      assert.deepEqual(
        revoked.map(({ id, state }: { id: string; state: string }) => [id, state]),
        ids.slice(0, 2).map((id) => [id, 'revoked']),
      );
      assert.equal(revoked[0].revokedAt, revokedAt, 'revokedAt of a revoked key does not change');
      assert.equal((await json(['list', '--account', 'other'], env))[0].state, 'active');
      const { status, stdout } = await keys(['revoke', '--account=leaked'], env);
      assert.deepEqual([status, stdout.split('\n').length], [0, 4]);
    });
  });
}

describe('pastpaper keys exits with 1 when the request cannot be met:', () => {
  const rows: readonly (readonly [string, readonly string[], RegExp])[] = [
    [
      'an unknown plan',
      ['create', '--account', 'a', '--plan', 'gold'],
      /Unknown plan "gold"\. Available plans: free\./,
    ],
    ['an unknown key', ['revoke', 'key_none'], /There is no such key/],
    [
      'an unknown account',
      ['revoke', '--account', 'none'],
      /There is no account "none"\. Run pastpaper accounts/,
    ],
  ];
  for (const [name, args, message] of rows) {
    it(name, async () => assertFailed(await keys(args), 1, message));
  }

  it('another plan than the account has', async () => {
    const env = { DATA_DIR: join(folder, 'replanned'), PLANS: join(folder, 'two-plans.json') };
    await writeFile(
      env.PLANS,
      '{"free": {"perSecond": 2, "perMonth": 9}, "gold": {"perSecond": 9, "perMonth": 99}}',
    );
    await json(['create', '--account', 'school'], env);
    const ended = await keys(['create', '--account', 'school', '--plan', 'gold'], env);
    assertFailed(
      ended,
      1,
      /^The account "school" is on the plan "free", not "gold"\. To change it, run pastpaper accounts plan\.$/m,
    );
    assert.equal((await json(['list'], env)).length, 1);
  });
});

describe('pastpaper keys exits with 2 when it is used wrongly or cannot run:', () => {
  const rows: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['no command', [], /Missing command\.[\s\S]*Usage:/],
    ['an unknown command', ['craete'], /Unknown command "craete"\. Did you mean "create"\?[\s\S]*Usage:/],
    ['an unknown option', ['list', '--all'], /--all[\s\S]*Usage:/],
    ['create without an account', ['create'], /create requires --account/],
    ['create with an argument', ['create', 'x', '--account', 'a'], /^Unexpected argument "x"\./],
    [
      'an invalid lifetime',
      ['create', '--account', 'a', '--expires', 'soon'],
      /--expires must be a whole number with s, m, h or d/,
    ],
    ['a lifetime of zero', ['create', '--account', 'a', '--expires', '0d'], /--expires/],
    ['a lifetime that is too long', ['create', '--account', 'a', '--expires', '9999999999d'], /--expires/],
    ['list with a plan', ['list', '--plan', 'free'], /^Unknown option "--plan"\./],
    ['list with an argument', ['list', 'school'], /^Unexpected argument "school"\./],
    ['revoke without a key', ['revoke'], /^Missing argument: ID\./],
    ['revoke with two keys', ['revoke', 'a', 'b'], /^Unexpected argument "b"\./],
    ['revoke with a key and an account', ['revoke', 'a', '--account', 'b'], /^Unexpected argument "a"\./],
  ];
  for (const [name, args, message] of rows) {
    it(name, async () => assertFailed(await keys(args), 2, message));
  }

  it('invalid settings', async () => assertFailed(await keys(['list'], { PORT: 'x' }), 2, /PORT is "x"/));

  it('a data folder that cannot be written', async () => {
    assertFailed(await keys(['list'], { DATA_DIR: '/proc/pastpaper' }), 2, /cannot be used/);
  });
});

function assertFailed({ status, stdout, stderr }: CommandResult, expected: number, message: RegExp): void {
  assert.match(stderr, message);
  assert.doesNotMatch(stderr, /^\s+at /m, 'a stack trace');
  assert.deepEqual([status, stdout], [expected, '']);
}
