import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { developmentKeyFile } from '../../auth/development-key.ts';
import type { Config } from '../../config.ts';
import { type Check, type Finding, ok, warning } from './check.ts';

export const production: Check = {
  name: 'production',
  async look(config) {
    if (!config.production) {
      return [
        warning(
          'NODE_ENV is not production: a development key is made, and short secrets are taken.',
          'Set NODE_ENV=production where anyone else can reach the gateway.',
        ),
      ];
    }
    const findings = [...judgeAddress(config), ...judgeAdmin(config), ...(await judgeDevelopmentKey(config))];
    return findings.length > 0 ? findings : [ok('The settings are fit for production.')];
  },
};

function judgeAddress({ people: { publicUrl }, trustProxy, introspection }: Config): Finding[] {
  // Then sessions are the service's.
  if (introspection) return [];
  if (publicUrl === undefined) {
    return [
      warning(
        'PUBLIC_URL is not set: links and cookies go by what each request calls the host.',
        'Set it to the address that people use, like https://api.example.org.',
      ),
    ];
  }
  if (publicUrl.startsWith('http:')) {
    return [
      warning(
        `PUBLIC_URL is ${publicUrl}: passwords and keys travel in the clear.`,
        'Put a proxy with TLS before the gateway, and set PUBLIC_URL to its https address.',
      ),
    ];
  }
  if (trustProxy !== false) return [];
  return [
    warning(
      'PUBLIC_URL is https, which a proxy before the gateway speaks, and TRUST_PROXY names none: all visitors share one address, and one limit on signing in.',
      'Set TRUST_PROXY to how many proxies there are, like 1, or to their addresses.',
    ),
  ];
}

function judgeAdmin({ adminPort, adminHost }: Config): Finding[] {
  if (adminPort === undefined) {
    return [
      warning(
        'ADMIN_PORT is not set: nothing outside can tell whether the gateway is well.',
        'Set it, and have /readyz and /metrics there watched (docs/operations.md).',
      ),
    ];
  }
  if (
    adminHost === 'localhost' ||
    adminHost === '::1' ||
    (isIP(adminHost) === 4 && adminHost.startsWith('127.'))
  )
    return [];
  return [
    warning(
      `Health and metrics are at ${adminHost}, and ask for no password.`,
      'See to it that only what watches the gateway reaches that address.',
    ),
  ];
}

async function judgeDevelopmentKey({ dataDir }: Config): Promise<Finding[]> {
  const kept = await readFile(join(dataDir, developmentKeyFile), 'utf8').catch(() => '');
  if (kept.trim() === '') return [];
  return [
    warning(
      `${join(dataDir, developmentKeyFile)} holds a key from before NODE_ENV was production.`,
      'Revoke it by npm run keys -- revoke --account development, and remove the file.',
    ),
  ];
}
