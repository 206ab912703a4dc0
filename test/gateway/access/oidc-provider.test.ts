import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { after, describe, it, mock } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { JWK } from 'oidc-provider';
import { defaultPlans } from '../../../build/release/plans.ts';
import { type Introspection, introspectKeys } from '../../../gateway/access/introspection.ts';
import { systemClock } from '../../../gateway/clock.ts';
import type { ValidKey } from '../../../gateway/key-check.ts';
import { originOf } from './authentication-service.ts';

// It warns on the console that it keeps everything in memory, and on Node 20 that this version is old.
mock.method(console, 'warn', () => {});
mock.method(console, 'info', () => {});
const { default: Provider } = await import('oidc-provider');

const client = { redirect_uris: [], response_types: [] };
const introspector = {
  ...client,
  client_id: 'the gate:way',
  client_secret: 'a+b c%d:e&f=/~',
  grant_types: [],
};
const reader = {
  ...client,
  client_id: 'reader',
  client_secret: 'secret-of-the-reader',
  grant_types: ['client_credentials'],
};
const signingKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
const plans = { ...defaultPlans, school: { perSecond: 20, perMonth: 100_000 } };

const server = createServer((request, response) => handle(request, response));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = originOf(server);
const provider = new Provider(issuer, {
  clients: [introspector, reader],
  clientDefaults: { id_token_signed_response_alg: 'ES256' },
  jwks: { keys: [signingKey as JWK] },
  cookies: { keys: ['signs the cookies of nobody'] },
  extraTokenClaims: () => ({ plan: 'school' }),
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    introspection: {
      enabled: true,
      allowedPolicy: (_context, { clientId }) => clientId === introspector.client_id,
    },
    revocation: {
      enabled: true,
      allowedPolicy: (_context, { clientId }, token) => clientId === token.clientId,
    },
  },
});
const handle = provider.callback();

const opened: Introspection[] = [];
const logged: string[] = [];
after(async () => {
  await Promise.all(opened.map((introspection) => introspection.close()));
  server.close();
  server.closeAllConnections();
});

/** Key checks with an empty cache. */
function open(secret = introspector.client_secret) {
  const service = { url: `${issuer}/token/introspection`, clientId: introspector.client_id, secret };
  const introspection = introspectKeys(service, plans, systemClock, (message) => logged.push(message));
  opened.push(introspection);
  return introspection.verifyKey;
}

/** An opaque access token of an account, as an authorization would issue it. */
async function tokenOf(accountId: string, lifetime = 3600): Promise<string> {
  const grantId = await new provider.Grant({ accountId, clientId: reader.client_id }).save();
  const client = await provider.Client.find(reader.client_id);
  assert.ok(client);
  const gty = 'authorization_code';
  return new provider.AccessToken({ client, accountId, grantId, gty, expiresIn: lifetime }).save();
}

/** Sends a form to one of the provider's endpoints, as the reader. */
function post(path: string, form: Readonly<Record<string, string>>): Promise<Response> {
  const credentials = Buffer.from(`${reader.client_id}:${reader.client_secret}`).toString('base64');
  return fetch(`${issuer}${path}`, {
    method: 'POST',
    headers: { Authorization: `Basic ${credentials}` },
    body: new URLSearchParams(form),
  });
}

describe('With a certified OAuth server (oidc-provider) as the authentication service', () => {
  it('an active token is valid, with account, client, plan and expiry', async () => {
    const { expiresAt = 0, ...check } = (await open()(await tokenOf('acc_1'))) as ValidKey;
    assert.deepEqual(check, { state: 'valid', account: 'acc_1', keyId: 'reader', plan: 'school' });
    assert.ok(expiresAt > Date.now());
  });

  it('a token that it did not issue is unknown', async () => {
    assert.deepEqual(await open()('made-up'), { state: 'unknown' });
  });

  it('a revoked token (RFC 7009) is unknown', async () => {
    const token = await tokenOf('acc_1');
    assert.equal((await open()(token)).state, 'valid');
    assert.equal((await post('/token/revocation', { token })).status, 200);
    assert.deepEqual(await open()(token), { state: 'unknown' });
  });

  it('a token is no longer valid after it expires', async () => {
    const token = await tokenOf('acc_1', 3);
    const verifyKey = open();
    assert.equal((await verifyKey(token)).state, 'valid');
    while ((await verifyKey(token)).state === 'valid') await delay(100);
    assert.match((await verifyKey(token)).state, /^(unknown|expired)$/);
  });

  it('a token without an account is unavailable, with the reason in the log', async () => {
    const { access_token: token } = (await (
      await post('/token', { grant_type: 'client_credentials' })
    ).json()) as Record<string, string>;
    assert.deepEqual(await open()(token ?? ''), { state: 'unavailable' });
    assert.match(logged.at(-1) ?? '', /names no account/);
  });

  it('a wrong secret of the gateway makes keys unavailable, not invalid', async () => {
    const token = await tokenOf('acc_1');
    assert.deepEqual(await open('wrong')(token), { state: 'unavailable' });
    assert.match(logged.at(-1) ?? '', /INTROSPECTION_SECRET/);
  });
});
