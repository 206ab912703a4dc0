/** The specification suite against nginx and Caddy in front of a gateway. */
import assert from 'node:assert/strict';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { revokeKey } from '../../../gateway/auth/keys.ts';
import { systemClock } from '../../../gateway/clock.ts';
import { runGateway } from '../../gateway/running-gateway.ts';
import { beyond, failedRows, runSpecification } from './rows.ts';
import { hosts } from './running-host.ts';

/** The sections of the specification that involve the host; limits are the gateway's. */
const sections = ['authentication', 'endpoints', 'errors', 'resources'];

for (const software of hosts) {
  describe(`The specification on ${software.name} in front of a gateway`, { skip: software.skip }, () => {
    it('is met in every row', async () => {
      const gateway = await runGateway();
      after(() => gateway.close());
      const release = await realpath(join(gateway.config.distDir, 'current'));
      const host = await software.start(release, new URL(gateway.baseUrl).host);
      after(() => host.close());
      const alone = await software.start(release);
      after(() => alone.close());
      const revoked = await gateway.createKey('reader');
      await revokeKey(gateway.database, systemClock, revoked.id);
      const { stdout } = await runSpecification(sections, {
        BASE_URL: host.baseUrl,
        UNREACHABLE_BASE_URL: alone.baseUrl,
        API_KEY: (await gateway.createKey('reader')).key,
        FREE_API_KEY: (await gateway.createKey('visitor', { plan: 'free' })).key,
        EXPIRED_API_KEY: (await gateway.createKey('reader', { lifetime: 1 })).key,
        REVOKED_API_KEY: revoked.key,
      });
      assert.deepEqual(failedRows(stdout), beyond[software.name], stdout);
      assert.ok(Number(/^# pass (\d+)$/m.exec(stdout)?.[1]) > 60, stdout);
    });
  });
}
