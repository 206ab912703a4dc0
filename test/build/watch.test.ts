import assert from 'node:assert/strict';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { watch } from '../../build/content/watch.ts';
import { makeBank, paperPath, shiftPath, temporaryFolder } from './bank-folder.ts';

const { dir } = await makeBank();
const file = join(dir, paperPath);
const elsewhere = await temporaryFolder();

/** Waits for notifications of changes. */
class Changes {
  #waiting: (() => void) | undefined;

  readonly notify = (): void => this.#waiting?.();

  /** Performs an action and waits for the next notification. */
  async after(action: () => Promise<unknown>): Promise<void> {
    const notified = new Promise<void>((resolve) => {
      this.#waiting = resolve;
    });
    await action();
    await notified;
  }
}

describe('The watcher reports', async () => {
  const changes = new Changes();
  const failures: string[] = [];
  await changes.after(async () => {
    const watcher = watch(dir, changes.notify, (why) => failures.push(why));
    after(() => watcher.close());
  });

  const saves: Readonly<Record<string, () => Promise<unknown>>> = {
    'a file written in place': () => writeFile(file, 'one'),
    'a file replaced by one from the same folder': () => saveByRename('two'),
    'a file replaced by one from another folder': async () => {
      await writeFile(join(elsewhere, 'draft'), 'seven');
      await rename(join(elsewhere, 'draft'), file);
    },
    'a new folder with a file in it': async () => {
      await mkdir(join(dir, 'neet/2023/2023-05-07-s1'), { recursive: true });
      await writeFile(join(dir, 'neet/2023/2023-05-07-s1/physics.json'), 'one');
    },
    'a removed file': () => rm(file),
    'a removed folder': () => rm(join(dir, shiftPath), { recursive: true }),
  };

  for (const [name, save] of Object.entries(saves)) it(name, () => changes.after(save));

  it('no failures', () => assert.deepEqual(failures, []));
});

describe('The watcher of a symbolic link', () => {
  it('reports changes in the target folder', async () => {
    const { dir: target } = await makeBank();
    const link = join(elsewhere, 'link');
    await symlink(target, link);
    const changes = new Changes();
    await changes.after(async () => {
      const watcher = watch(link, changes.notify, assert.fail);
      after(() => watcher.close());
    });
    await changes.after(() => writeFile(join(target, paperPath), 'one'));
  });
});

async function saveByRename(text: string): Promise<void> {
  await writeFile(join(dir, shiftPath, '.physics.json.draft'), text);
  await rename(join(dir, shiftPath, '.physics.json.draft'), file);
}
