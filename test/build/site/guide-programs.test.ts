import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { compiledFile } from '../../../build/compile.js';
import { type Question, score } from '../../../build/index.ts';
import { readPrograms } from '../../../build/site/guides/programs.ts';
import { repository } from '../../gateway/started-process.ts';
import { skipReason } from '../../long/site/run-sample.ts';
import { temporaryFolder } from '../bank-folder.ts';
import { below, mirrorFiles, serve, smallBank } from '../client/served-bank.ts';

const example = {
  ...{
    exam: 'neet',
    year: 2024,
    shift: '2024-03-01-s1',
    subject: 'physics',
    yearPath: '/neet/2024',
  },
  ...{ shiftPath: '/neet/2024/2024-03-01-s1', path: '/neet/2024/2024-03-01-s1/physics.json' },
};

describe('The programs of the guides', async () => {
  const { running, url, files } = await serve(await smallBank('neet'));
  const { key } = await running.createKey('reader');
  const programs = await readPrograms({ ...example, origin: url });
  const folder = await temporaryFolder();
  for (const [name, source] of [
    ['client.mjs', await compiledFile('pages/client')],
    ['render.mjs', await compiledFile('pages/render')],
    ['pastpaper.py', join(repository, 'build/client/pastpaper.py')],
  ] as const)
    await cp(source, join(folder, name));
  for (const [name, text] of programs) await writeFile(join(folder, name), text);
  const run = (command: string, file: string) =>
    promisify(execFile)(command, [file], {
      cwd: folder,
      env: { ...process.env, API_KEY: key, PYTHONDONTWRITEBYTECODE: '1' },
    });
  const paper = JSON.parse(
    String(files.get(`${example.yearPath.slice(1)}/${example.shift}/physics.json`)),
  );

  for (const [language, command, extension] of [
    ['javascript', process.execPath, 'mjs'],
    ['python', 'python3', 'py'],
  ] as const)
    it(`mirror a year, verify it and score a paper, in ${language}`, async (context) => {
      const skip = await skipReason(language);
      if (skip) return context.skip(skip);
      await rm(join(folder, 'copy'), { recursive: true, force: true });
      const { stdout } = await run(command, `download.${extension}`);
      assert.match(stdout, /^Papers: \d+, diagrams: \d+, all verified\.\n$/);
      assert.deepEqual(await mirrorFiles(join(folder, 'copy')), below('neet/2024', files));
      const verified = (await run(command, `verify.${extension}`)).stdout;
      assert.ok(verified.includes('neet/2024/2024-03-01-s1/physics matches.\n'), verified);
      const answers = paper.questions.map(({ id, answer }: Question) => [id, answer]);
      await writeFile(join(folder, 'responses.json'), JSON.stringify(Object.fromEntries(answers)));
      const total = paper.questions.reduce(
        (sum: number, one: Question) => sum + score(one, one.answer),
        0,
      );
      assert.equal((await run(command, `marks.${extension}`)).stdout, `Total: ${total}\n`);
      await truncate(join(folder, 'copy/neet/2024/2024-03-01-s1/physics.json'), 100);
      await assert.rejects(run(command, `verify.${extension}`), /Run sync again/);
    });

  it('write a page with questions of a paper, whose formulas are MathML', async () => {
    await run(process.execPath, 'download.mjs');
    await run(process.execPath, 'page.mjs');
    const page = await readFile(join(folder, 'page.html'), 'utf8');
    const ofYear = [...below('neet/2024', files)].filter(([path]) =>
      path.endsWith('/physics.json'),
    );
    const questions = ofYear.flatMap(([, body]) => JSON.parse(String(body)).questions);
    assert.equal(
      page.match(/<div class="question">/g)?.length,
      Math.min(20, questions.filter(({ dropped }) => !dropped).length),
    );
    assert.match(page, /<math /);
    assert.doesNotMatch(page, /<script|katex-html/);
  });
});
