import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startPastpaper } from '../../gateway/started-process.ts';
import { makeBank, paperPath, temporaryFolder } from '../bank-folder.ts';
import { assertNoStackTrace, runCommand } from '../command.ts';

describe('pastpaper preview', () => {
  it('prints the page of a paper, serves it, and ends with 0 when it is stopped', async () => {
    const { dir } = await makeBank();
    const settings = { CONTENT_DIR: dir, DATA_DIR: await temporaryFolder() };
    const preview = startPastpaper('preview', settings, [paperPath, '--port', '0']);
    const [, url = ''] = await preview.waitForOutput(/^Preview: (http:\S+)$/m);
    const response = await fetch(url);
    assert.equal(response.status, 200);
    assert.match(await response.text(), /Which of these is a unit of length\?/);
    preview.process.kill('SIGINT');
    const { status, stderr } = await preview.ended;
    assert.deepEqual([status, stderr], [0, '']);
  });

  const misuses: readonly [string, readonly string[], RegExp][] = [
    ['a file outside of the content', ['nowhere.json'], /^nowhere\.json is not a subject file in /],
    ['two files', ['a.json', 'b.json'], /^Unexpected argument "b\.json"\./],
    ['a file and a ref', ['a.json', '--since', 'HEAD'], /^Name a file or use --since, not both\.\n/],
    ['an invalid port', ['--port', '70000'], /^--port must be a number from 0 to 65535, not "70000"\.\n/],
  ];
  for (const [sentence, args, message] of misuses) {
    it(`rejects ${sentence}`, async () => {
      const { dir } = await makeBank();
      const outcome = await runCommand(['preview', ...args], { CONTENT_DIR: dir });
      assert.deepEqual([outcome.status, outcome.stdout], [2, '']);
      assert.match(outcome.stderr, message);
      assertNoStackTrace(outcome);
    });
  }
});
