import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
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

/** The check of each command, by its name. */
const checks: Readonly<Record<string, (code: string) => Promise<void>>> = {
  /** The packages are those that the test of the program runs it with. */
  async install(code) {
    const { dependencies } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'));
    for (const name of code.split(' ').slice(2)) assert.ok(Object.hasOwn(dependencies, name), name);
  },
  async pull(code) {
    const { key } = await running.createKey('puller');
    const folder = await temporaryFolder();
    const command = code.replace(sampleOrigin, running.baseUrl).replace('--out copy', `--out ${folder}`);
    const { stdout } = await runSuccessfully(command, { API_KEY: key });
    assert.match(stdout, /has all of neet\/2026: .* every checksum verified/);
  },
};

describe('The commands in the guides', () => {
  it('are pull, and the packages of the program that renders texts', () => {
    assert.deepEqual(commands.map(({ code }) => scriptOf(code)).sort(), ['install', 'pull']);
  });

  for (const { page, code } of commands) {
    it(`run as documented: ${page}: ${code}`, async () => {
      await (checks[scriptOf(code)] ?? assert.fail(`There is no check for ${code}`))(code);
    });
  }
});

function scriptOf(code: string): string {
  return /^(?:npm|npx pastpaper) (\w+) /.exec(code)?.[1] ?? '';
}

async function runSuccessfully(command: string, settings: Readonly<Record<string, string>>) {
  const result = await runCommand(command, repository, settings);
  assert.equal(result.status, 0, result.stderr);
  return result;
}
