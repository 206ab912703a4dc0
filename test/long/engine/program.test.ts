import assert from 'node:assert/strict';
import { cp, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { makeBank, temporaryFolder } from '../../build/bank-folder.ts';
import { repository } from '../../build/command.ts';
import { startCommand } from '../../gateway/started-process.ts';

/** Creates a copy of the checkout that links to its packages. */
async function checkout(): Promise<string> {
  const root = join(await temporaryFolder(), 'checkout');
  for (const name of ['build', 'gateway', 'content', 'package.json', 'package-lock.json'])
    await cp(join(repository, name), join(root, name), { recursive: true });
  await symlink(join(repository, 'node_modules'), join(root, 'node_modules'));
  return root;
}

/** Validates a small bank with the program of a checkout. */
async function validate(root: string) {
  const { dir } = await makeBank();
  const env = { CONTENT_DIR: dir, DATA_DIR: join(root, '.data') };
  const args = [join(root, 'build/pastpaper.js'), 'validate'];
  return startCommand(process.execPath, args, env).ended;
}

const valid = /^1 question in 2 files: 0 errors, 0 warnings\.\n$/;

describe('The program of a clone', () => {
  it('is compiled once, by several commands at once too, and again after a change', async () => {
    const root = await checkout();
    const compiledAt = async () => (await stat(join(root, 'compiled/package.json'))).mtimeMs;
    for (const { stdout, stderr } of await Promise.all([validate(root), validate(root)]))
      assert.match(stdout, valid, stderr);
    const first = await compiledAt();
    assert.match((await validate(root)).stdout, valid);
    assert.equal(await compiledAt(), first);
    const wording = join(root, 'build/report/wording.ts');
    const source = await readFile(wording, 'utf8');
    await writeFile(wording, source.replace("'error'", "'mistake'"));
    assert.match((await validate(root)).stdout, /0 mistakes/);
  });

  it('says why it cannot be compiled', async () => {
    const root = await checkout();
    await writeFile(join(root, 'compiled'), 'no folder');
    const { status, stderr } = await validate(root);
    assert.equal(status, 2);
    assert.match(stderr, /^The program could not be compiled: E\w+: [^\n]*compiled[^\n]*\n$/);
  });
});
