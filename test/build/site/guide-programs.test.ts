import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinFiles } from '../../../build/site/guides/programs.ts';

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
