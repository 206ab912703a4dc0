import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { makeBank, paperOf, paperPath, sampleQuestions, temporaryFolder } from '../../build/bank-folder.ts';
import { environment, repository } from '../../gateway/started-process.ts';

const { mcq } = sampleQuestions;

/** What a process says, to be waited for piece by piece. */
class Said {
  #text = '';
  #heard: (() => void) | undefined;

  hear(text: string): void {
    this.#text += text;
    this.#heard?.();
  }

  /** Waits until a sentence has been said, and forgets what came before it. */
  async until(sentence: string): Promise<void> {
    for (let at = -1; at < 0; ) {
      at = this.#text.indexOf(sentence);
      if (at >= 0) this.#text = this.#text.slice(at + sentence.length);
      else await new Promise<void>((resolve) => (this.#heard = resolve));
    }
  }
}

describe('npm run build -- --watch', () => {
  it('builds again on save, keeps what is current while there are errors, and ends when it is stopped', async () => {
    const bank = await makeBank();
    const dist = await temporaryFolder();
    const settings = { CONTENT_DIR: bank.dir, DIST_DIR: dist, DATA_DIR: await temporaryFolder() };
    const child = spawn(process.execPath, ['build/pastpaper.js', 'build', '--watch'], {
      cwd: repository,
      env: environment(settings),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = new Said();
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => said.hear(text));
    }
    const topic = async () => {
      const file = join(dist, 'current/protected', paperPath);
      return JSON.parse(await readFile(file, 'utf8')).questions[0].topic;
    };
    const save = (paper: object) => writeFile(join(bank.dir, paperPath), JSON.stringify(paper));

    await said.until('Building on every save.');
    assert.equal(await topic(), mcq.topic);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await save(paperOf({ ...mcq, topic: 'Motion' }));
    await said.until('Published release');
    assert.equal(await topic(), 'Motion');
    await save(paperOf({ ...mcq, answer: 'Z' }));
    await said.until('Nothing was published.');
    assert.equal(await topic(), 'Motion');
    await save(paperOf({ ...mcq, topic: 'Light' }));
    await said.until('Published release');
    assert.equal(await topic(), 'Light');

    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });
});
