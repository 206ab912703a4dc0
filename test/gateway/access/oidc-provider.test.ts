/** A certified OAuth server (oidc-provider), which other services use too, as the authentication service. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { after, it, mock } from 'node:test';
import type { JWK } from 'oidc-provider';
import { listenLocally } from '../../free-port.ts';
import { rawGet } from '../raw-request.ts';
import { runGateway } from '../running-gateway.ts';

// It warns on the console that it keeps everything in memory, and on Node 20 that this version is old.
mock.method(console, 'warn', () => {});
mock.method(console, 'info', () => {});
const { default: Provider } = await import('oidc-provider');

const client = { redirect_uris: [], response_types: [] };
/** Basic credentials are form-urlencoded (RFC 6749, 2.3.1). */
const gateway = { client_id: 'the gate:way', client_secret: 'a+b%c:d&e=/~', grant_types: [] };
const reader = {
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

const server = createServer((request, response) => handle(request, response));
const issuer = `http://127.0.0.1:${await listenLocally(server)}`;
const provider = new Provider(issuer, {
  clients: [gateway, reader, mailReader].map((each) => ({ ...client, ...each })),
  clientDefaults: { id_token_signed_response_alg: 'ES256' },
  jwks: { keys: [signingKey as JWK] },
  cookies: { keys: ['signs the cookies of nobody'] },
  extraTokenClaims: () => ({ plan: 'roomy' }),
  features: {
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_context, resource) => ({ scope: scopesOf[resource] ?? '' }),
    },
    introspection: {
      enabled: true,
      allowedPolicy: (_context, { clientId }) => clientId === gateway.client_id,
    },
    revocation: {
      enabled: true,
      allowedPolicy: (_context, { clientId }, token) => clientId === token.clientId,
    },
  },
});
const handle = provider.callback();
const running = await runGateway({
  INTROSPECTION_URL: `${issuer}/token/introspection`,
  INTROSPECTION_CLIENT_ID: gateway.client_id,
  INTROSPECTION_SECRET: gateway.client_secret,
  INTROSPECTION_AUDIENCE: papers,
});
after(async () => {
  await running.close();
  server.close();
  server.closeAllConnections();
});

/** A refresh token for a service, and an access token that the provider issued for it. */
async function tokensFor(resource: string, { client_id: clientId }: typeof reader) {
  const scope = scopesOf[resource] ?? '';
  const grant = new provider.Grant({ accountId: 'acc_1', clientId });
  grant.addResourceScope(resource, scope);
  const grantId = await grant.save();
  const client = await provider.Client.find(clientId);
  assert.ok(client);
  const gty = 'authorization_code';
  const granted = { client, accountId: 'acc_1', grantId, gty, scope, resource };
  const refresh = await new provider.RefreshToken({ ...granted, expiresWithSession: false }).save();
  const form = { grant_type: 'refresh_token', refresh_token: refresh, resource };
  const response = await post('/token', form, clientId);
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

it('A gateway serves a paper only for an access token for this service that is not revoked (RFC 7009)', async () => {
  const [own, other] = [await tokensFor(papers, reader), await tokensFor(mail, mailReader)];
  const { access: revoked } = await tokensFor(papers, reader);
  assert.equal((await post('/token/revocation', { token: revoked })).status, 200);
  const statuses: number[] = [];
  for (const token of [own.access, own.refresh, other.access, other.refresh, revoked]) {
    const headers = [`Authorization: Bearer ${token}`];
    statuses.push((await rawGet(running.baseUrl, '/neet/2024/s1/physics.json', headers)).status);
  }
  assert.deepEqual(statuses, [200, 403, 403, 403, 403]);
});
