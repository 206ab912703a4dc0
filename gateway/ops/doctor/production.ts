import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isLoopback } from '../../../build/release/loopback.ts';
import { developmentKeyFile } from '../../auth/open.ts';
import type { Config } from '../../config.ts';
import { type Check, type Finding, ok, warning } from './check.ts';

/** Checks the settings that matter where anyone but the developer can reach the gateway. */
export const production: Check = {
  name: 'production',
  async *run(config) {
    if (!config.production)
      return yield warning(
        'NODE_ENV is not production. A development key is created, and weak secrets are accepted.',
        'Set NODE_ENV=production if others can reach the gateway.',
      );
    let isSuitable = true;
    for await (const finding of warningsOf(config)) {
      isSuitable = false;
      yield finding;
    }
    if (isSuitable) yield ok('The settings are suitable for production.');
  },
};

async function* warningsOf(config: Config): AsyncIterable<Finding> {
  const { adminPort, adminHost, dataDir, introspection, trustProxy, users } = config;
  // With an authentication service elsewhere, sessions are that service's.
  if (!introspection) yield* checkPublicUrl(users.publicUrl, trustProxy);
  if (adminPort === undefined)
    yield warning(
      'ADMIN_PORT is not set. The gateway cannot be monitored.',
      'Set it, and monitor /readyz and /metrics there (docs/operations.md).',
    );
  else if (!isLoopback(adminHost))
    yield warning(
      `Health and metrics are at ${adminHost} and require no password.`,
      'Make sure that only your monitoring can reach that address.',
    );
  const acceptsAnyToken = introspection && introspection.audience === undefined && !introspection.scopes;
  // Our own service issues nothing but keys.
  if (acceptsAnyToken && new URL(introspection.url).pathname !== '/auth/introspect')
    yield warning(
      'INTROSPECTION_URL is another OAuth server. Its tokens for other services are accepted as keys.',
      'Set INTROSPECTION_AUDIENCE or INTROSPECTION_SCOPE (docs/authentication.md).',
    );
  const file = join(dataDir, developmentKeyFile);
  const key = await readFile(file, 'utf8').catch(() => '');
  if (key.trim() !== '')
    yield warning(
      `${file} contains a development key from before NODE_ENV was production.`,
      'Revoke it with pastpaper keys revoke --account development, and remove the file.',
    );
}

function* checkPublicUrl(publicUrl: string | undefined, trustProxy: Config['trustProxy']): Iterable<Finding> {
  if (publicUrl === undefined)
    yield warning(
      'PUBLIC_URL is not set. Links and cookies use the Host header of each request.',
      'Set it to the address that users open, for example https://api.example.org.',
    );
  else if (publicUrl.startsWith('http:'))
    yield warning(
      `PUBLIC_URL is ${publicUrl}: passwords and keys are sent unencrypted.`,
      'Put a proxy with TLS in front of the gateway, and set PUBLIC_URL to its HTTPS address.',
    );
  else if (trustProxy === false)
    yield warning(
      'PUBLIC_URL is HTTPS, but TRUST_PROXY is not set. All clients behind the proxy share one address and one sign-in limit.',
      'Set TRUST_PROXY to the number of proxies in front of the gateway, for example 1, or to their addresses.',
    );
}
