import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { changeAccount } from '../../../../gateway/accounts/accounts.ts';
import { revokeKey } from '../../../../gateway/accounts/keys.ts';
import { generateKey } from '../../../../gateway/accounts/verify-keys.ts';
import { runGateway } from '../../running-gateway.ts';
import { type ServiceResponse, Visitor } from '../users/visitor.ts';

/** Contains every character with a special meaning in a form, in Basic or in a URL. */
const secret = 'a+secret:of%20signs&of=more/than?a#few';

const formEncode = (text: string) => new URLSearchParams({ text }).toString().slice('text='.length);
const basic = (userPass: string) => `Basic ${Buffer.from(userPass).toString('base64')}`;
const credentials = basic(`gateway:${formEncode(secret)}`);

describe('Introspection (RFC 7662)', async () => {
  const running = await runGateway({ INTROSPECTION_SECRET: secret });
  after(running.close);
  const gateway = new Visitor(running.authUrl);
  const live = await running.createKey('school');

  function introspect(
    form: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = { Authorization: credentials },
  ): Promise<ServiceResponse> {
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
    return gateway.request('POST', 'introspect', new URLSearchParams(form).toString(), {
      ...type,
      ...headers,
    });
  }

  it('returns account, id and plan of a valid key', async () => {
    const { status, headers, body } = await introspect({
      token: live.key,
      token_type_hint: 'access_token',
    });
    const [account] = await running.database
      .selectFrom('accounts')
      .select('id')
      .where('name', '=', 'school')
      .execute();
    assert.deepEqual(
      [status, body],
      [
        200,
        { active: true, sub: account?.id, client_id: live.id, plan: 'roomy', token_type: 'Bearer' },
      ],
    );
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
  });

  it('returns only active: false for any other token', async () => {
    const expired = await running.createKey('school', { lifetime: 1 });
    await running.pass(1);
    const revoked = await running.createKey('school');
    await revokeKey(running.database, running.system, revoked.id);
    const blocked = await running.createKey('blocked');
    await changeAccount(running.database, 'blocked', { blockedAt: 1 });
    const tokens = {
      expired: expired.key,
      revoked: revoked.key,
      blocked: blocked.key,
      unknown: generateKey('pfx_', running.system),
      mistyped: `${live.key.slice(0, -1)}-`,
      'of unusual characters': 'ä\0\n ☃ %00',
    };
    for (const [name, token] of Object.entries(tokens)) {
      const { status, text, headers } = await introspect({ token });
      assert.deepEqual([name, status, text], [name, 200, '{"active":false}']);
      assert.equal(headers.get('cache-control'), 'no-store');
    }
  });

  it('accepts the secret as Basic with any client id, or as a bearer token', async () => {
    for (const Authorization of [
      basic(`:${formEncode(secret)}`),
      basic(`a%3Aclient:${formEncode(secret)}`),
      // As curl sends it, not form-urlencoded as RFC 6749, 2.3.1 requires.
      basic(`gateway:${secret}`),
      `bearer ${secret}`,
      credentials.replace('B', 'b'),
    ]) {
      assert.equal(
        (await introspect({ token: live.key }, { Authorization })).status,
        200,
        Authorization,
      );
    }
  });

  it('rejects requests without the secret', async () => {
    const wrong = [
      ...['gateway:wrong', `${formEncode(secret)}:`, 'gateway:%zz'].map(basic),
      ...['', 'Basic !', 'Bearer wrong', secret],
    ];
    for (const Authorization of wrong) {
      const { status, text, headers } = await introspect({ token: live.key }, { Authorization });
      assert.deepEqual([status, text], [401, '{"error":"invalid_client"}'], Authorization);
      assert.match(headers.get('www-authenticate') ?? '', /^Basic realm="/);
      assert.equal(headers.get('cache-control'), 'no-store');
    }
  });

  it('requires one token in a form', async () => {
    const form = {
      Authorization: credentials,
      'Content-Type': 'application/x-www-form-urlencoded',
    };
    const statusOf = async (body: string, headers = form) =>
      (await gateway.request('POST', `introspect?token=${live.key}`, body, headers)).status;
    for (const body of [
      '',
      'token=',
      'token_type_hint=access_token',
      'token=a&token=b',
      'token[]=a',
    ]) {
      assert.equal(await statusOf(body), 400, body);
    }
    const asJson = { ...form, 'Content-Type': 'application/json' };
    assert.equal(await statusOf(JSON.stringify({ token: live.key }), asJson), 400);
    assert.equal(await statusOf(`token=${'x'.repeat(16 * 1024)}`), 413);
  });

  it('responds with 503 when the keys cannot be read', async () => {
    await running.pass(1001);
    await running.database.schema.alterTable('keys').renameTo('keysElsewhere').execute();
    const { status, body } = await introspect({ token: live.key });
    await running.database.schema.alterTable('keysElsewhere').renameTo('keys').execute();
    assert.deepEqual([status, body], [503, { error: 'The keys cannot be read.' }]);
    assert.equal((await introspect({ token: live.key })).body.active, true);
  });

  it('logs neither a key nor the secret', () => {
    const logged = running.logged.join('\n');
    assert.match(logged, /The keys could not be read/);
    for (const hidden of [live.key, secret, formEncode(secret), credentials])
      assert.ok(!logged.includes(hidden));
  });
});
