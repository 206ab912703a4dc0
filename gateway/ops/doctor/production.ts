import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isLoopback } from '../../../build/release/urls.ts';
import { developmentKeyFile } from '../../auth/open.ts';
import type { Config } from '../../config.ts';
import { type Check, type Finding, found, ok } from './check.ts';

/** Checks the settings that matter where anyone but the developer can reach the gateway. */
export const production: Check = {
  name: 'production',
  async *run(config) {
    if (!config.production) return yield found('not-production');
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
  if (adminPort === undefined) yield found('not-monitored');
  else if (!isLoopback(adminHost)) yield found('admin-not-local', { adminHost });
  const acceptsAnyToken =
    introspection && introspection.audience === undefined && !introspection.scopes;
  // Our own service issues nothing but keys.
  if (acceptsAnyToken && new URL(introspection.url).pathname !== '/auth/introspect')
    yield found('any-token-accepted');
  const file = join(dataDir, developmentKeyFile);
  const key = await readFile(file, 'utf8').catch(() => '');
  if (key.trim() !== '') yield found('development-key', { file });
}

function* checkPublicUrl(
  publicUrl: string | undefined,
  trustProxy: Config['trustProxy'],
): Iterable<Finding> {
  if (publicUrl === undefined) yield found('public-url-missing');
  else if (publicUrl.startsWith('http:')) yield found('public-url-not-https', { publicUrl });
  else if (trustProxy === false) yield found('proxy-not-trusted');
}
