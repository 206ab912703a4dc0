import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { developmentKeyFile } from '../../auth/open.ts';
import type { Config } from '../../config.ts';
import { type Check, type Finding, ok, warning } from './check.ts';

/** Checks the settings that matter where anyone but the developer can reach the gateway. */
export const production: Check = {
  name: 'production',
  async run(config) {
    if (!config.production) {
      return warning(
        'NODE_ENV is not production. A development key is created, and weak secrets are accepted.',
        'Set NODE_ENV=production if others can reach the gateway.',
      );
    }
    const findings = [
      checkPublicUrl(config),
      checkAdminServer(config),
      checkTokens(config),
      await checkDevelopmentKey(config),
    ].filter((finding) => finding !== undefined);
    return findings.length > 0 ? findings : ok('The settings are suitable for production.');
  },
};

function checkPublicUrl({ users: { publicUrl }, trustProxy, introspection }: Config): Finding | undefined {
  // Sessions are then the authentication service's.
  if (introspection) return undefined;
  if (publicUrl === undefined) {
    return warning(
      'PUBLIC_URL is not set. Links and cookies use the Host header of each request.',
      'Set it to the address that users open, for example https://api.example.org.',
    );
  }
  if (publicUrl.startsWith('http:')) {
    return warning(
      `PUBLIC_URL is ${publicUrl}: passwords and keys are sent unencrypted.`,
      'Put a proxy with TLS in front of the gateway, and set PUBLIC_URL to its HTTPS address.',
    );
  }
  if (trustProxy !== false) return undefined;
  return warning(
    'PUBLIC_URL is HTTPS, but TRUST_PROXY is not set. All clients behind the proxy share one address and one sign-in limit.',
    'Set TRUST_PROXY to the number of proxies in front of the gateway, for example 1, or to their addresses.',
  );
}

function checkAdminServer({ adminPort, adminHost }: Config): Finding | undefined {
  if (adminPort === undefined) {
    return warning(
      'ADMIN_PORT is not set. The gateway cannot be monitored.',
      'Set it, and monitor /readyz and /metrics there (docs/operations.md).',
    );
  }
  const isLoopback = ['localhost', '::1'].includes(adminHost) || /^127(\.\d+){3}$/.test(adminHost);
  if (isLoopback) return undefined;
  return warning(
    `Health and metrics are at ${adminHost} and require no password.`,
    'Make sure that only your monitoring can reach that address.',
  );
}

/** Our own service issues nothing but keys. */
function checkTokens({ introspection }: Config): Finding | undefined {
  if (!introspection || introspection.audience !== undefined || introspection.scopes) return undefined;
  if (new URL(introspection.url).pathname === '/auth/introspect') return undefined;
  return warning(
    'INTROSPECTION_URL is another OAuth server. Its tokens for other services are accepted as keys.',
    'Set INTROSPECTION_AUDIENCE or INTROSPECTION_SCOPE (docs/authentication.md).',
  );
}

async function checkDevelopmentKey({ dataDir }: Config): Promise<Finding | undefined> {
  const file = join(dataDir, developmentKeyFile);
  const key = await readFile(file, 'utf8').catch(() => '');
  if (key.trim() === '') return undefined;
  return warning(
    `${file} contains a development key from before NODE_ENV was production.`,
    'Revoke it with pastpaper keys revoke --account development, and remove the file.',
  );
}
