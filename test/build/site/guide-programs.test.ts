import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { joinFiles, readPrograms } from '../../../build/site/guides/programs.ts';
import { repository } from '../../gateway/started-process.ts';
import { temporaryFolder } from '../bank-folder.ts';

describe('Joining the files of a program in the guides', () => {
  it('writes each module once, before those that import it, with merged and sorted imports', () => {
    const files = new Map([
      ['low.mjs', "import { b } from 'node:x';\n\nexport const low = b;\n"],
      ['mid.mjs', "import { low } from './low.mjs';\n\nexport function mid() {\n  return low;\n}\n"],
      [
        'top.mjs',
        "import { c, a } from 'node:x';\nimport { d } from 'node:a';\nimport { low } from './low.mjs';\nimport { mid } from './mid.mjs';\n\nmid(a, c, d, low);\n",
      ],
    ]);
    assert.equal(
      joinFiles('top.mjs', files),
      "import { d } from 'node:a';\nimport { a, b, c } from 'node:x';\n\nconst low = b;\n\nfunction mid() {\n  return low;\n}\n\nmid(a, c, d, low);",
    );
  });

  it('works for Python', () => {
    const files = new Map([
      ['part.py', 'import os\nfrom x import b\n\n\ndef part():\n    return b\n'],
      ['top.py', 'import json\nimport os\n\nfrom part import part\nfrom x import a\n\npart(a)\n'],
    ]);
    assert.equal(
      joinFiles('top.py', files),
      'import json\nimport os\nfrom x import a, b\n\n\ndef part():\n    return b\n\n\npart(a)',
    );
  });

  it('throws an error that names a missing file', () => {
    assert.throws(() => joinFiles('top.py', new Map()), /There is no sample top\.py\./);
  });
});

const example = {
  ...{ exam: 'neet', year: 2024, shift: '2024-05-05-s1', subject: 'physics', yearPath: '/neet/2024' },
  ...{ shiftPath: '/neet/2024/2024-05-05-s1', path: '/neet/2024/2024-05-05-s1/physics.json' },
};

describe('The program in the guide on showing questions', () => {
  it('prints a page with the texts, formulas and diagrams of a paper', async () => {
    const folder = await temporaryFolder();
    const programs = await readPrograms(example);
    await writeFile(join(folder, 'render.mjs'), joinFiles('render.mjs', programs));
    await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
    const diagrams = ['a_1.png', 'b.png'].map((file) => ({ file, alt: '"A" & B', width: 4, height: 3 }));
    const question = 'Which is **not** $x_1^*$, ____ or $\\ce{SO4^2-}$?\n\n![](a_1.png)';
    const questions = [{ question, options: [{ key: 'A', value: '2\\*x\\*3' }], diagrams }];
    await writeFile(join(folder, 'physics.json'), JSON.stringify({ questions }));
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
    assert.ok(stdout.includes(`<p>${image('a_1.png')}</p><figure>${image('b.png')}</figure>`), stdout);
    assert.match(stdout, /<li>A <p>2\*x\*3<\/p><\/li>/);
  });
});
