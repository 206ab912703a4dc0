import assert from 'node:assert/strict';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { fixture } from '../../build/exchange/imported.ts';
import { repository, startPastpaper } from '../../gateway/started-process.ts';

const guide = await readFile(join(repository, 'docs/bring-your-questions.md'), 'utf8');

/** The code blocks of the guide in a language. */
function blocks(language: string): string[] {
  return Array.from(guide.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms')), ([, code = '']) => code);
}

it('The guide for own questions leads from CSV and Moodle XML to a served bank', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'questions.csv'), blocks('csv')[0] ?? '');
  await copyFile(fixture('course.xml'), join(folder, 'course.xml'));
  let served = 0;
  for (const line of blocks('sh').join('').trim().split('\n')) {
    const [npx, pastpaper, command = '', ...args] = line.split(' ');
    assert.deepEqual([npx, pastpaper], ['npx', 'pastpaper']);
    const started = startPastpaper(command, { PORT: '0' }, args, folder);
    if (command !== 'gateway') {
      const { status, stdout, stderr } = await started.ended;
      assert.equal(status, 0, `${line}\n${stdout}${stderr}`);
      continue;
    }
    const [, key = '', url = ''] = await started.waitForOutput(/'Authorization: Bearer (\S+)' (\S+)/);
    const response = await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
    assert.match(await response.text(), /Which of these is a prime number\?/);
    await started.stop();
    served += 1;
  }
  assert.equal(served, 1);
});
