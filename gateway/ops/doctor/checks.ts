import { authenticationService } from './authentication-service.ts';
import type { Check } from './check.ts';
import { dataFolder } from './data-folder.ts';
import { database } from './database.ts';
import { nodeVersion } from './node-version.ts';
import { ports } from './ports.ts';
import { production } from './production.ts';
import { redis } from './redis.ts';
import { release } from './release.ts';

/** All checks, in the order in which they are told. The settings are read before them. */
export const checks: readonly Check[] = [
  nodeVersion,
  production,
  release,
  dataFolder,
  database,
  redis,
  authenticationService,
  ports,
];
