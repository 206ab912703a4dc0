import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { after, describe, it, mock } from 'node:test';
import type { JWK } from 'oidc-provider';
import { defaultPlans } from '../../../build/release/plans.ts';
import { introspectKeys } from '../../../gateway/access/introspection.ts';
import type { IntrospectionService } from '../../../gateway/config.ts';
import type { ValidKey } from '../../../gateway/http.ts';
import { listenLocally } from '../../free-port.ts';
import { FakeSystem, now } from '../fake-system.ts';
import { rawGet } from '../raw-request.ts';
import { runGateway } from '../running-gateway.ts';

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
/** A gateway in front of papers. */
const gateway = { ...introspector, client_id: 'gateway', client_secret: 'what-the-gateway-sends' };
const reader = {
  ...client,
  client_id: 'reader',
  client_secret: 'secret-of-the-reader',
  grant_types: ['refresh_token'],
};
/** A client of another service on the same server. */
const mailReader = { ...reader, client_id: 'mail-reader' };
/** The services, and their scopes. */
const papers = 'https://papers.example.org';
const mail = 'https://mail.example.org';
const scopesOf: Readonly<Record<string, string>> = { [papers]: 'papers:read', [mail]: 'mail:read' };
const signingKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
  format: 'jwk',
});
const plans = { ...defaultPlans, school: { perSecond: 20, perMonth: 100_000 } };

const server = createServer((request, response) => handle(request, response));
const issuer = `http://127.0.0.1:${await listenLocally(server)}`;
const provider = new Provider(issuer, {
  clients: [introspector, gateway, reader, mailReader],
  clientDefaults: { id_token_signed_response_alg: 'ES256' },
  jwks: { keys: [signingKey as JWK] },
  cookies: { keys: ['signs the cookies of nobody'] },
  extraTokenClaims: (_context, { aud }) => ({ plan: aud === undefined ? 'school' : 'free' }),
  features: {
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_context, resource) => ({ scope: scopesOf[resource] ?? '' }),
    },
    introspection: {
      enabled: true,
      allowedPolicy: (_context, { clientId }) =>
        [introspector.client_id, gateway.client_id].includes(clientId),
    },
    revocation: {
      enabled: true,
      allowedPolicy: (_context, { clientId }, token) => clientId === token.clientId,
    },
  },
});
const handle = provider.callback();

type Purpose = Pick<IntrospectionService, 'audience' | 'scopes'>;

const opened: ReturnType<typeof introspectKeys>[] = [];
after(async () => {
  await Promise.all(opened.map((introspection) => introspection.close()));
  server.close();
  server.closeAllConnections();
});

/** Key checks with an empty cache. @param purpose what a token has to be for */
function open(purpose: Purpose = {}) {
  const { client_id: clientId, client_secret: secret } = introspector;
  const service = { url: `${issuer}/token/introspection`, clientId, secret, ...purpose };
  const introspection = introspectKeys(service, plans, new FakeSystem(), assert.fail);
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

/** A refresh token for a service, and an access token that the provider issued for it. */
async function tokensFor(
  resource: string,
  clientId: string,
): Promise<{ refresh: string; access: string }> {
  const scope = scopesOf[resource] ?? '';
  const grant = new provider.Grant({ accountId: 'acc_1', clientId });
  grant.addResourceScope(resource, scope);
  const grantId = await grant.save();
  const client = await provider.Client.find(clientId);
  assert.ok(client);
  const gty = 'authorization_code';
  const granted = {
    client,
    accountId: 'acc_1',
    grantId,
    gty,
    scope,
    resource,
    expiresWithSession: false,
  };
  const refresh = await new provider.RefreshToken(granted).save();
  const response = await post(
    '/token',
    { grant_type: 'refresh_token', refresh_token: refresh, resource },
    clientId,
  );
  const { access_token: access, error_description: error } = (await response.json()) as Record<
    string,
    string
  >;
  assert.ok(access, error);
  return { refresh, access };
}

/** Sends a form to one of the provider's endpoints, as a client. */
function post(
  path: string,
  form: Readonly<Record<string, string>>,
  clientId = reader.client_id,
): Promise<Response> {
  const credentials = Buffer.from(`${clientId}:${reader.client_secret}`).toString('base64');
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
    assert.ok(expiresAt > now());
  });

  it('a revoked token (RFC 7009) is unknown', async () => {
    const token = await tokenOf('acc_1');
    assert.equal((await open()(token)).state, 'valid');
    assert.equal((await post('/token/revocation', { token })).status, 200);
    assert.deepEqual(await open()(token), { state: 'unknown' });
  });
});

describe('With a server that other services use, too (oidc-provider)', () => {
  it('a gateway serves a paper for none but the access token for this service', async () => {
    const running = await runGateway({
      INTROSPECTION_URL: `${issuer}/token/introspection`,
      INTROSPECTION_CLIENT_ID: gateway.client_id,
      INTROSPECTION_SECRET: gateway.client_secret,
      INTROSPECTION_AUDIENCE: papers,
    });
    const [own, other] = [await tokensFor(papers, 'reader'), await tokensFor(mail, 'mail-reader')];
    const statuses: number[] = [];
    for (const token of [own.access, own.refresh, other.access, other.refresh]) {
      const headers = [`Authorization: Bearer ${token}`];
      statuses.push((await rawGet(running.baseUrl, '/neet/2024/s1/physics.json', headers)).status);
    }
    await running.close();
    assert.deepEqual(statuses, [200, 403, 403, 403]);
  });
});
