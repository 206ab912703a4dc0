import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { it } from 'node:test';
import { repository } from '../../gateway/started-process.ts';

it('An image of either Dockerfile serves, prints no key, and keeps its keys when its container is replaced', () => {
  const { status } = spawnSync('bash', [join(repository, 'test/long/images/images.sh')], {
    stdio: 'inherit',
  });
  assert.equal(status, 0);
});
