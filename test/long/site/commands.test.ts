import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { sampleOrigin } from '../../../build/site/text.ts';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { runGateway } from '../../gateway/running-gateway.ts';
import { repository } from '../../gateway/started-process.ts';
import { codeOf } from './page-samples.ts';
import { runCommand } from './run-sample.ts';

const running = await runGateway();
after(() => running.close());
const { samples } = await codeOf(join(running.config.distDir, 'current/public'));
const commands = samples.filter(({ language }) => language === 'shell');

/** What each has to come to, by its script. */
const held: Readonly<Record<string, (code: string) => Promise<void>>> = {
  async keys(code) {
    const { stdout } = await done(code, { DATABASE_URL: running.databaseUrl });
    const [key] = /^pfx_\w+$/m.exec(stdout) ?? assert.fail(stdout);
    const headers = { Authorization: `Bearer ${key}` };
    assert.equal((await fetch(`${running.baseUrl}/neet/2024/s1/physics.json`, { headers })).status, 200);
  },
  async pull(code) {
    const { key } = await running.createKey('puller');
    const folder = await temporaryFolder();
    const command = code.replace(sampleOrigin, running.baseUrl).replace('--out copy', `--out ${folder}`);
    const { stdout } = await done(command, { API_KEY: key });
    assert.match(stdout, /has all of jeemain\/2025: .* every checksum verified/);
  },
};

describe('Every command of the guides runs in a checkout of the service', () => {
  it('of which there is one to make a key, and one to keep a copy', () => {
    assert.deepEqual(commands.map(({ code }) => scriptOf(code)).sort(), ['keys', 'pull']);
  });

  for (const { page, code } of commands) {
    it(`${page}: ${code}`, async () => {
      await (held[scriptOf(code)] ?? assert.fail(`nothing is known of ${code}`))(code);
    });
  }
});

function scriptOf(code: string): string {
  return /^npm run (\w+) -- /.exec(code)?.[1] ?? '';
}

async function done(command: string, settings: Readonly<Record<string, string>>) {
  const ran = await runCommand(command, repository, settings);
  assert.equal(ran.status, 0, ran.stderr);
  return ran;
}
