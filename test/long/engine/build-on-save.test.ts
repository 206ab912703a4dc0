import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import {
  makeBank,
  paperOf,
  paperPath,
  sampleQuestions,
  temporaryFolder,
} from '../../build/bank-folder.ts';
import { bodyPath } from '../../build/release-folder.ts';
import { startPastpaper } from '../../gateway/started-process.ts';
import { waitUntil } from '../../wait-until.ts';

const { mcq } = sampleQuestions;

it('build --watch builds on every save, keeps the release while there are errors, and exits with 0 on SIGTERM', async () => {
  const bank = await makeBank();
  const dist = await temporaryFolder();
  const settings = { CONTENT_DIR: bank.dir, DIST_DIR: dist, DATA_DIR: await temporaryFolder() };
  const { output, waitForOutput, stop } = startPastpaper('build', settings, ['--watch']);
  const topic = async () => {
    const file = await bodyPath(dist, paperPath);
    return JSON.parse(await readFile(file, 'utf8')).questions[0].topic;
  };
  /** Saves the question, and waits until the output has a text once more. */
  const save = async (changes: object, text: string) => {
    const times = () => (output.stdout + output.stderr).split(text).length;
    const before = times();
    await writeFile(join(bank.dir, paperPath), JSON.stringify(paperOf({ ...mcq, ...changes })));
    await waitUntil(() => times() > before);
  };

  await waitForOutput(/Building on every save\./);
  assert.equal(await topic(), mcq.topic);
  await save({ topic: 'Motion' }, 'Published release');
  assert.equal(await topic(), 'Motion');
  await save({ answer: 'Z' }, 'Nothing was published.');
  assert.equal(await topic(), 'Motion');
  await save({ topic: 'Light' }, 'Published release');
  assert.equal(await topic(), 'Light');
  assert.equal((await stop('SIGTERM')).status, 0);
});
