import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { makeBank, paperOf, paperPath, sampleQuestions, temporaryFolder } from '../../build/bank-folder.ts';
import { environment, repository } from '../../gateway/started-process.ts';

const { mcq } = sampleQuestions;

/** The output of a process, to wait for parts of it. */
class Output {
  #text = '';
  #onText: (() => void) | undefined;

  add(text: string): void {
    this.#text += text;
    this.#onText?.();
  }

  /** Waits for a text in the output, and drops what comes before it. */
  async waitFor(sentence: string): Promise<void> {
    for (let at = -1; at < 0; ) {
      at = this.#text.indexOf(sentence);
      if (at >= 0) this.#text = this.#text.slice(at + sentence.length);
      else await new Promise<void>((resolve) => (this.#onText = resolve));
    }
  }
}

describe('npm run build -- --watch', () => {
  it('builds on every save, keeps the current release while there are errors, and exits with 0 on SIGTERM', async () => {
    const bank = await makeBank();
    const dist = await temporaryFolder();
    const settings = { CONTENT_DIR: bank.dir, DIST_DIR: dist, DATA_DIR: await temporaryFolder() };
    const child = spawn(process.execPath, ['build/pastpaper.js', 'build', '--watch'], {
      cwd: repository,
      env: environment(settings),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = new Output();
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => output.add(text));
    }
    const topic = async () => {
      const file = join(dist, 'current/protected', paperPath);
      return JSON.parse(await readFile(file, 'utf8')).questions[0].topic;
    };
    const save = (paper: object) => writeFile(join(bank.dir, paperPath), JSON.stringify(paper));

    await output.waitFor('Building on every save.');
    assert.equal(await topic(), mcq.topic);
    await save(paperOf({ ...mcq, topic: 'Motion' }));
    await output.waitFor('Published release');
    assert.equal(await topic(), 'Motion');
    await save(paperOf({ ...mcq, answer: 'Z' }));
    await output.waitFor('Nothing was published.');
    assert.equal(await topic(), 'Motion');
    await save(paperOf({ ...mcq, topic: 'Light' }));
    await output.waitFor('Published release');
    assert.equal(await topic(), 'Light');

    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });
});
