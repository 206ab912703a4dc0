import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { score } from '../../../build/index.ts';
import { readPrograms } from '../../../build/site/guides/programs.ts';
import { sampleOrigin } from '../../../build/site/text.ts';
import { repository } from '../../gateway/started-process.ts';
import { skipReason } from '../../long/site/run-sample.ts';
import { temporaryFolder } from '../bank-folder.ts';
import scored from './scored.json' with { type: 'json' };

const example = {
  origin: sampleOrigin,
  ...{
    exam: 'neet',
    year: 2024,
    shift: '2024-05-05-s1',
    subject: 'physics',
    yearPath: '/neet/2024',
  },
  ...{ shiftPath: '/neet/2024/2024-05-05-s1', path: '/neet/2024/2024-05-05-s1/physics.json' },
};

it('The program of the guide prints a page with the texts, formulas and diagrams of a paper', async () => {
  const folder = await temporaryFolder();
  const programs = await readPrograms(example);
  await writeFile(join(folder, 'render.mjs'), programs.get('render.mjs') ?? assert.fail());
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  const diagrams = ['a_1.png', 'b.png'].map((file) => ({
    file,
    alt: '"A" & B',
    width: 4,
    height: 3,
  }));
  const question = 'Which is **not** $x_1^*$, ____ or $\\ce{SO4^2-}$?\n\n![](a_1.png)';
  const drawn = { key: 'B', label: '(2)', value: '', diagram: { ...diagrams[0], file: 'c.png' } };
  const options = [{ key: 'A', value: '2\\*x\\*3' }, drawn];
  const questions = [{ question, options, diagrams, passage: 'p1' }];
  const passages = [{ id: 'p1', text: 'A *car*.', diagrams: [] }];
  await writeFile(join(folder, 'physics.json'), JSON.stringify({ questions, passages }));
  const { stdout, stderr } = await promisify(execFile)('node', ['render.mjs', 'physics.json'], {
    cwd: folder,
  });
  assert.equal(stderr, '');
  const image = (file: string) =>
    `<img src="diagrams/${file}" alt="&#34;A&#34; &#38; B" width="4" height="3">`;
  assert.match(
    stdout,
    /<p>Which is <strong>not<\/strong> <span class="katex">.*, ____ or <span class="katex">/,
  );
  assert.doesNotMatch(stdout, /katex-error/);
  assert.ok(
    stdout.includes(`<p>${image('a_1.png')}</p><figure>${image('b.png')}</figure>`),
    stdout,
  );
  assert.match(stdout, /<li>A <p>2\*x\*3<\/p><\/li>/);
  assert.ok(stdout.includes(`<li>(2) ${image('c.png')}</li>`), stdout);
  assert.match(stdout, /<section><p>A <em>car<\/em>\.<\/p><\/section>/);
});

describe('The programs in the guide on scoring responses', () => {
  const bases = scored.questions as unknown as Parameters<typeof score>[0][];
  const cases = bases.flatMap((base) => scored.responses.map((response) => ({ base, response })));
  const questions = cases.map(({ base }, index) => ({ id: `q${index}`, ...base }));
  const responses = Object.fromEntries(cases.map(({ response }, index) => [`q${index}`, response]));
  const expected = cases.map(({ base, response }) => score(base, response));

  for (const [language, command, file] of [
    ['javascript', 'node', 'marks.mjs'],
    ['python', 'python3', 'marks.py'],
  ] as const) {
    it(`give the marks of the reference: ${file}`, async (context) => {
      const skip = await skipReason(language);
      if (skip) return context.skip(skip);
      const folder = await temporaryFolder();
      await writeFile(join(folder, file), (await readPrograms(example)).get(file) ?? assert.fail());
      await writeFile(join(folder, 'paper.json'), JSON.stringify({ questions }));
      await writeFile(join(folder, 'responses.json'), JSON.stringify(responses));
      const { stdout } = await promisify(execFile)(command, [file, 'paper.json'], { cwd: folder });
      const lines = stdout.trim().split('\n');
      const read = lines.map((line) =>
        line.split(': ').map((part, index) => (index ? Number(part) : part)),
      );
      const total = expected.reduce((sum, marks) => sum + marks, 0);
      assert.deepEqual(read, [
        ...expected.map((marks, index) => [`q${index}`, marks]),
        ['Total', total],
      ]);
    });
  }
});
