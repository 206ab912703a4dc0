import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readText } from '../../build/read/file.ts';
import type { Diagnostic } from '../../build/report/diagnostic.ts';
import { validateContent } from '../../build/validate.ts';
import {
  examPath,
  type FileContent,
  makeBank,
  paperOf,
  paperPath,
  sampleExam,
  sampleQuestions,
} from './bank-folder.ts';

const noValue = 'This is no JSON value: text stands in double quotes, the words are true, false and null.';
const noItem = 'A value belongs here; after the last item stands no comma.';
const valid = JSON.stringify(paperOf(sampleQuestions.mcq), undefined, 2);

async function diagnosticsOf(file: FileContent): Promise<readonly Diagnostic[]> {
  const bank = await makeBank({ [paperPath]: file });
  return (await validateContent(bank.dir)).report.diagnostics;
}

/** Where and what, all of it being of the rule `syntax` in the paper. */
async function mistakesIn(file: FileContent): Promise<[string, string][]> {
  return (await diagnosticsOf(file)).map((diagnostic) => {
    const { rule, severity, file, pointer, line, column, endLine, endColumn, message } = diagnostic;
    assert.deepEqual([rule, severity, file, pointer], ['syntax', 'error', paperPath, '']);
    return [`${line}:${column}-${endLine}:${endColumn}`, message];
  });
}

describe('A file that is no JSON', () => {
  it('has all its mistakes told, each with its line and column', async () => {
    const text = `{
  "lastUpdated": "2024-06-01T10:00:00Z"
  "questions": [
    {
      "id": "q1",
      "question": "Half is $\\sqrt{0.25}$",
      "options": [1, 2,],
      "answer" "A",
      "topic": "Units\tand more"
    }
  ]
}
`;
    assert.deepEqual(await mistakesIn(text), [
      ['3:3-3:14', 'A comma belongs between two items.'],
      ['6:19-6:42', 'This is no JSON escape: a backslash is written twice (\\\\frac for \\frac).'],
      ['7:24-7:25', noItem],
      ['8:16-8:19', 'A colon belongs between a property name and its value.'],
      ['9:16-9:32', 'A control character stands here: a line break is written \\n, a tab \\t.'],
    ]);
  });

  const single: readonly [string, string, readonly [string, string][]][] = [
    ['is empty', '', [['1:1-1:1', noItem]]],
    [
      'is cut short',
      '{\n"a": [1',
      [
        ['2:8-2:8', 'A closing ] is missing.'],
        ['2:8-2:8', 'A closing } is missing.'],
      ],
    ],
    [
      'ends inside a text',
      '["a',
      [
        ['1:2-1:4', 'A closing " is missing.'],
        ['1:4-1:4', 'A closing ] is missing.'],
      ],
    ],
    [
      'goes on after its end',
      '{}\n{}',
      [['2:1-2:2', 'The file should end here: something stands after its value.']],
    ],
    ['has a comment', '{} // so far', [['1:4-1:13', 'JSON has no comments.']]],
    ['ends inside a comment', '{} /* so far', [['1:4-1:13', 'JSON has no comments.']]],
    ['has half a number', '[1.]', [['1:2-1:4', 'This number ends too early.']]],
    ['has half an escape', '["\\u12"]', [['1:2-1:8', 'This is no \\u escape: it takes four hex digits.']]],
    [
      'has lines that end as on Windows',
      '{\r\n  "a": 1\r\n  "b": 2\r\n}',
      [['3:3-3:6', 'A comma belongs between two items.']],
    ],
    ['is nested too deep and cut short', '['.repeat(100_000), [['1:1-1:1', 'This is not valid JSON.']]],
  ];
  for (const [sentence, text, mistakes] of single) {
    it(sentence, async () => assert.deepEqual(await mistakesIn(text), mistakes));
  }

  const words: readonly [string, string, string][] = [
    ['has a word without quotes', '[yes]', '1:2-1:5'],
    ['has a text in single quotes', "['yes']", '1:2-1:7'],
    ['has a name without quotes', '{a: 1}', '1:2-1:3'],
    ['has a number that JSON has not', '[.5]', '1:2-1:4'],
  ];
  for (const [sentence, text, at] of words) {
    it(sentence, async () => assert.deepEqual((await mistakesIn(text))[0], [at, noValue]));
  }

  it('does not hide what is wrong with other files', async () => {
    const bank = await makeBank({ [examPath]: { ...sampleExam, label: '' }, [paperPath]: '{' });
    const { diagnostics, summary } = (await validateContent(bank.dir)).report;
    assert.deepEqual(
      diagnostics.map(({ rule, file }) => [rule, file]),
      [
        ['syntax', paperPath],
        ['schema', examPath],
      ],
    );
    assert.deepEqual(summary, { files: 2, questions: 0, errors: 2, warnings: 0 });
  });
});

describe('A file that is nested beyond any use', () => {
  it('is held against its schema all the same', async () => {
    const [diagnostic, ...others] = await diagnosticsOf(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    assert.deepEqual(
      [diagnostic?.message, diagnostic?.line, others],
      ['A list is not of the type object.', 1, []],
    );
  });
});

describe('Text is UTF-8', () => {
  const notUtf8: readonly [string, Uint8Array][] = [
    ['Latin-1', Buffer.from(valid.replace('length', 'Länge'), 'latin1')],
    ['UTF-16', Buffer.from(`\ufeff${valid}`, 'utf16le')],
    ['cut inside a character', Buffer.from('"µ').subarray(0, 2)],
  ];
  for (const [sentence, bytes] of notUtf8) {
    it(`and a file that is ${sentence} is refused`, async () => {
      assert.deepEqual(await mistakesIn(bytes), [
        ['1:1-1:1', 'The file is not UTF-8: save it in that encoding.'],
      ]);
    });
  }

  it('with or without a byte order mark', async () => {
    assert.deepEqual(await diagnosticsOf(`\ufeff${valid}`), []);
  });

  it('whose byte order mark takes no column', async () => {
    const faulty = JSON.stringify({ ...paperOf(sampleQuestions.mcq), lastUpdated: 1 });
    const columns = async (text: string) =>
      (await diagnosticsOf(text)).map(({ column, endColumn }) => [column, endColumn]);
    assert.deepEqual(await columns(`\ufeff${faulty}`), [[16, 17]]);
    assert.deepEqual(await columns(faulty), [[16, 17]]);
    assert.deepEqual(await mistakesIn('\ufeff[1 2]'), [['1:4-1:5', 'A comma belongs between two items.']]);
  });

  it('whose columns count in UTF-16 units, as editors do', async () => {
    assert.deepEqual(await mistakesIn('["é", "🎓" 7]'), [
      ['1:12-1:13', 'A comma belongs between two items.'],
    ]);
  });

  it('and what cannot be read as a file says why', async () => {
    const bank = await makeBank();
    assert.deepEqual(await readText(bank.dir), { fault: 'The file cannot be read (EISDIR).' });
    assert.deepEqual(await readText(`${bank.dir}/none.json`), { fault: 'The file cannot be read (ENOENT).' });
  });
});
