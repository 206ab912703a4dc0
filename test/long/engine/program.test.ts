import assert from 'node:assert/strict';
import { appendFile, cp, mkdir, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { makeBank, temporaryFolder } from '../../build/bank-folder.ts';
import { repository } from '../../build/command.ts';
import { startCommand } from '../../gateway/started-process.ts';

/** Creates a copy of the checkout that links to its packages. */
async function checkout(): Promise<string> {
  const root = join(await temporaryFolder(), 'checkout');
  for (const name of ['build', 'gateway', 'content', 'package.json', 'package-lock.json'])
    await cp(join(repository, name), join(root, name), { recursive: true });
  await mkdir(join(root, 'node_modules'));
  const packages = (await readdir(join(repository, 'node_modules'))).filter(
    (name) => name !== '.cache',
  );
  for (const name of packages)
    await symlink(
      await realpath(join(repository, 'node_modules', name)),
      join(root, 'node_modules', name),
    );
  return root;
}

async function validate(root: string): Promise<string> {
  const { dir } = await makeBank();
  const env = { CONTENT_DIR: dir, DATA_DIR: join(root, '.data') };
  const args = [join(root, 'build/pastpaper.js'), 'validate'];
  const { status, stdout, stderr } = await startCommand(process.execPath, args, env).ended;
  assert.equal(status, 0, stderr);
  return stdout;
}

const valid = /^1 question in 2 files: 0 errors, 0 warnings\.\n$/;

it('The compiled program is created once, and again after a change or without a cache', async () => {
  const root = await checkout();
  const cache = join(root, 'node_modules/.cache/pastpaper');
  const programs = async () => (await readdir(cache)).filter((name) => /^[0-9a-f]{16}$/.test(name));
  assert.match(await validate(root), valid);
  const first = await programs();
  assert.equal(first.length, 1);
  assert.match(await validate(root), valid);
  assert.deepEqual(await programs(), first);
  // The OpenAPI description has the version of the package.
  for (const [index, file] of ['build/report/wording.ts', 'package.json'].entries()) {
    await appendFile(join(root, file), '\n');
    assert.match(await validate(root), valid);
    assert.equal((await programs()).length, 2 + index);
  }
  // Each process creates its own if the cache cannot be written.
  await rm(join(root, 'node_modules/.cache'), { recursive: true });
  await writeFile(join(root, 'node_modules/.cache'), 'no folder');
  assert.match(await validate(root), valid);
});
