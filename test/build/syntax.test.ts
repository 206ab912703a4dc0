import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Diagnostic } from '../../build/check/diagnostic.ts';
import { readBytes, readJsonFile } from '../../build/content/file.ts';
import {
  examPath,
  type FileContent,
  makeBank,
  paperOf,
  paperPath,
  sampleExam,
  sampleQuestions,
} from './bank-folder.ts';
import { parseMarkedText } from './cases/marked-text.ts';
import { validateFolder } from './validate-folder.ts';

const noValue =
  'This is not a JSON value. Put text in double quotes; the only other words are true, false and null.';
const noNumber = 'This is not a JSON number. Write it like 12, -0.5 or 1e3.';
const noEscape = 'In JSON, write a backslash twice (\\\\frac for \\frac).';
const noComma = 'Put a comma between two items.';
const comma = 'Remove the trailing comma.';
const colon = 'Put a colon between a property name and its value.';
const comment = 'JSON has no comments.';
const quotes = 'Put text in straight double quotes.';
const inner = 'The text ends at this quote. Write a quote inside a text as \\".';
const control = 'This control character is not allowed. Write a line break as \\n, a tab as \\t.';
const unclosed = (open: string, close: string) => `This ${open} is not closed: a ${close} is missing.`;
const extra = (bracket: string) => `Remove this ${bracket}: it has no matching bracket.`;

async function diagnosticsOf(file: FileContent): Promise<readonly Diagnostic[]> {
  const bank = await makeBank({ [paperPath]: file });
  return (await validateFolder(bank.dir)).report.diagnostics;
}

/** Returns place, message and suggestion of each diagnostic. Asserts that all are of the rule `syntax`. */
async function syntaxErrorsIn(
  file: FileContent,
): Promise<[at: string, message: string, suggestion?: string][]> {
  return (await diagnosticsOf(file)).map((diagnostic) => {
    const { rule, severity, file, pointer, line, column, endLine, endColumn } = diagnostic;
    const { message, suggestion } = diagnostic;
    assert.deepEqual([rule, severity, file, pointer], ['syntax', 'error', paperPath, '']);
    const at = `${line}:${column}-${endLine}:${endColumn}`;
    return suggestion === undefined ? [at, message] : [at, message, suggestion];
  });
}

/** Line and column of the start and end of the marked part of a text. */
function removeMarks(text: string): { readonly text: string; readonly at: string } {
  const marked = parseMarkedText(text);
  assert.ok(marked);
  const position = (offset: number) => {
    const lines = marked.text.slice(0, offset).split('\n');
    return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
  };
  return { text: marked.text, at: `${position(marked.start)}-${position(marked.end)}` };
}

const paper = `{
  "lastUpdated": "2024-06-01T10:00:00Z",
  "questions": [
    {
      "id": "q1",
      "question": "What is $x$?",
      "options": [
        { "key": "A", "value": "1" },
        { "key": "B", "value": "2" }
      ],
      "answer": "A",
      "difficulty": "easy"
    },
    {
      "id": "q2",
      "accepted": ["A", "B"],
      "answer": "B"
    }
  ]
}
`;

describe('A JSON syntax error has one diagnostic with its place:', () => {
  const mistakes: readonly [
    sentence: string,
    right: string,
    wrong: string,
    message: string,
    suggestion?: string,
  ][] = [
    ['a comma after the last property', '"easy"\n', '"easy"⟦,⟧\n', comma, ''],
    ['a comma after the last item', '["A", "B"]', '["A", "B"⟦,⟧]', comma, ''],
    ['a missing comma at the end of a line', '"q1",\n      "question"', '"q1"\n      ⟦"question"⟧', noComma],
    ['a missing comma within a line', '"A", "value": "1"', '"A" ⟦"value"⟧: "1"', noComma],
    ['a missing comma between objects', '},\n    {', '}\n    ⟦{⟧', noComma],
    ['two commas', '"q1",', '"q1",⟦,⟧', 'Remove the extra comma.', ''],
    ['a semicolon', '"q1",', '"q1"⟦;⟧', 'Separate items with commas.', ','],
    ['a missing colon', '"answer": "A"', '"answer" ⟦"A"⟧', colon],
    ['an equals sign', '"answer": "A"', '"answer" ⟦=⟧ "A"', colon, ':'],
    ['a missing value', '"answer": "A",', '"answer": ⟦,⟧', 'A value is missing here.'],
    ['an extra brace', '"easy"\n    },', '"easy"\n    }⟦}⟧,', extra('}')],
    ['an extra bracket', '["A", "B"]', '["A", "B"]⟦]⟧', extra(']')],
    [
      'a missing closing quote',
      '"What is $x$?",',
      '⟦"What is $x$?,⟧',
      'A closing " is missing on this line.',
    ],
    ['a missing opening quote', '"What is', '⟦What⟧ is', noValue],
    ['quotes inside a text', 'What is $x$?', 'What is ⟦"⟧x" here?', inner, '\\"'],
    ['a line break inside a text', '"What is', '⟦"What⟧\nis', 'A closing " is missing on this line.'],
    ['a tab inside a text', '$x$', '$⟦\t⟧x$', control],
    ['a control character inside a text', '$x$', '$x⟦\u0001⟧$', control],
    ['single quotes', '"easy"', "⟦'easy'⟧", quotes, '"easy"'],
    ['typographic quotes', '"easy"', '⟦“easy”⟧', quotes, '"easy"'],
    ['typographic quotes around a name', '"difficulty"', '⟦“difficulty”⟧', quotes, '"difficulty"'],
    ['a name without quotes', '"difficulty":', '⟦difficulty⟧:', noValue],
    ['a word without quotes', '"easy"', '⟦easy⟧', noValue],
    ["Python's None", '"easy"', '⟦None⟧', noValue, 'null'],
    ["Python's True", '"easy"', '⟦True⟧', noValue, 'true'],
    ['NaN', '"easy"', '⟦NaN⟧', noValue],
    ['a property name of Object.prototype', '"easy"', '⟦constructor⟧', noValue],
    ['a number with a leading zero', '"easy"', '⟦05⟧', noNumber],
    ['a number that starts with a dot', '"easy"', '⟦.5⟧', noNumber],
    ['a number that ends in a dot', '"easy"', '⟦5.⟧', 'This number is incomplete.'],
    ['a number with a plus sign', '"easy"', '⟦+5⟧', noNumber],
    ['a hexadecimal number', '"easy"', '⟦0x1F⟧', noNumber],
    ['a comment', '"easy"\n', '"easy" ⟦// for now⟧\n', comment],
    ['a comment over two lines', '"easy"\n', '"easy" ⟦/* for\nnow */⟧\n', comment],
    ['a comment with #', '"easy"\n', '"easy" ⟦#⟧ for now\n', comment],
    ['an unescaped backslash', '$x$', '$⟦\\sqrt⟧{x} + \\\\alpha$', noEscape, '\\\\sqrt'],
    ['an unescaped backslash before u', '$x$', '$⟦\\upsilon⟧$', noEscape, '\\\\upsilon'],
    ['an incomplete escape', '$x$', '⟦\\u12⟧', 'A \\u escape takes four hex digits.'],
    [
      'a merge conflict',
      '      "answer": "A",\n',
      '⟦<<<<<<< HEAD\n      "answer": "A",\n=======\n      "answer": "B",\n>>>>>>> other⟧\n',
      'This is an unresolved merge conflict. Keep one of the two versions, and remove the conflict markers.',
    ],
    [
      'text after the end of the value',
      '\n}\n',
      '\n}\n⟦{⟧}\n',
      'The file should end here. Remove what follows.',
    ],
  ];
  for (const [sentence, right, wrong, message, suggestion] of mistakes) {
    it(sentence, async () => {
      const { text, at } = removeMarks(paper.replace(right, () => wrong));
      assert.throws(() => JSON.parse(text));
      const expected = suggestion === undefined ? [at, message] : [at, message, suggestion];
      assert.deepEqual(await syntaxErrorsIn(text), [expected]);
    });
  }

  it('several unescaped backslashes, with a suggestion for each', async () => {
    const text = paper.replace('$x$', '$\\sqrt{x} + \\alpha$').replace('"1"', '"\\\'a\\\'"');
    assert.deepEqual(await syntaxErrorsIn(text), [
      ['6:29-6:34', noEscape, '\\\\sqrt'],
      ['6:40-6:46', noEscape, '\\\\alpha'],
      ['8:33-8:35', noEscape, "\\\\'"],
      ['8:36-8:38', noEscape, "\\\\'"],
    ]);
  });

  it('a missing brace', async () => {
    const { text, at } = removeMarks(
      paper.replace('{\n      "id"', '⟦{⟧\n      "id"').replace('"easy"\n    },', '"easy",'),
    );
    assert.deepEqual(await syntaxErrorsIn(text), [[at, unclosed('{', '}')]]);
  });

  it('a missing bracket', async () => {
    const { text, at } = removeMarks(
      paper.replace('"options": [', '"options": ⟦[⟧').replace('      ],\n', ''),
    );
    assert.deepEqual(await syntaxErrorsIn(text), [[at, unclosed('[', ']')]]);
  });

  it('a truncated file, with the place of the open bracket', async () => {
    const [diagnostic, ...others] = await diagnosticsOf('{\n"a": [1\n');
    assert.deepEqual(others, []);
    assert.deepEqual(
      [diagnostic?.message, diagnostic?.line, diagnostic?.column, diagnostic?.endLine, diagnostic?.endColumn],
      ['The file ends here, and a ] is missing.', 2, 8, 2, 8],
    );
    assert.deepEqual(
      diagnostic?.related?.map(({ message, line, column }) => [message, line, column]),
      [['This one is not closed.', 2, 6]],
    );
  });

  it('a file that is truncated inside a string', async () => {
    assert.deepEqual(await syntaxErrorsIn('["a'), [['1:2-1:4', 'A closing " is missing on this line.']]);
  });

  it('an empty file', async () => {
    assert.deepEqual(await syntaxErrorsIn(''), [['1:1-1:1', 'A value is missing here.']]);
  });

  it('100,000 open brackets', async () => {
    assert.deepEqual(await syntaxErrorsIn('['.repeat(100_000)), [
      ['1:100001-1:100001', 'The file ends here, and a ] is missing.'],
    ]);
  });

  it('a megabyte of text that is not JSON, with at most 1,000 diagnostics', async () => {
    const mistakes = await syntaxErrorsIn('x, y;\n'.repeat(200_000));
    assert.ok(mistakes.length > 0 && mistakes.length <= 1000, String(mistakes.length));
  });
});

describe('A file with syntax errors', () => {
  it('has a diagnostic with line and column for each', async () => {
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
    assert.deepEqual(await syntaxErrorsIn(text), [
      ['3:3-3:14', noComma],
      ['6:29-6:34', noEscape, '\\\\sqrt'],
      ['7:23-7:24', comma, ''],
      ['8:16-8:19', colon],
      ['9:22-9:23', control],
    ]);
  });

  it('has a diagnostic for each, also on consecutive lines', async () => {
    const text = paper.replace('"q1",', '"q1"').replace('$x$?",', '$x$?"').replace('"A",\n', '"A"\n');
    assert.deepEqual(await syntaxErrorsIn(text), [
      ['6:7-6:17', noComma],
      ['7:7-7:16', noComma],
      ['12:7-12:19', noComma],
    ]);
  });

  it('may have CRLF line endings', async () => {
    assert.deepEqual(await syntaxErrorsIn('{\r\n  "a": 1\r\n  "b": 2\r\n}'), [['3:3-3:6', noComma]]);
  });

  it('does not hide problems in other files', async () => {
    const bank = await makeBank({ [examPath]: { ...sampleExam, label: '' }, [paperPath]: '{' });
    const { diagnostics, summary } = (await validateFolder(bank.dir)).report;
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

describe('The columns of a diagnostic', () => {
  it('do not count a byte order mark', async () => {
    const invalid = JSON.stringify({ ...paperOf(sampleQuestions.mcq), lastUpdated: 1 });
    const columns = async (text: string) =>
      (await diagnosticsOf(text))
        .filter(({ rule }) => rule === 'schema')
        .map(({ column, endColumn }) => [column, endColumn]);
    assert.deepEqual(await columns(`\ufeff${invalid}`), [[16, 17]]);
    assert.deepEqual(await columns(invalid), [[16, 17]]);
  });

  it('count UTF-16 units, as editors do', async () => {
    assert.deepEqual(await syntaxErrorsIn('["é", "🎓" 7]'), [['1:12-1:13', noComma]]);
  });
});

describe('Reading a path that is not a file', () => {
  it('returns the reason', async () => {
    const { dir } = await makeBank();
    assert.deepEqual(readBytes(dir, 10), { fault: 'This is not a regular file.' });
    assert.deepEqual(readBytes(`${dir}/none.json`, 10), { fault: 'The file cannot be read (ENOENT).' });
    const { state } = readJsonFile(`${dir}/none.json`, 'none.json', 'exam');
    assert.equal(state, 'unreadable');
  });
});
