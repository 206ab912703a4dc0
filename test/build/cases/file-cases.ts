import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import {
  examPath,
  type FileContent,
  type Files,
  paperOf,
  paperPath,
  sampleExam,
  sampleQuestions,
} from '../bank-folder.ts';
import { type Found, type RuleCase, startOfFile } from './rule-case.ts';

const { mcq } = sampleQuestions;
const valid: Files = { [examPath]: sampleExam, [paperPath]: paperOf(mcq) };
const text = `${JSON.stringify(paperOf(mcq), undefined, 2)}\n`;

function paper(content: FileContent): Files {
  return { [examPath]: sampleExam, [paperPath]: content };
}

function validCase(rule: string, title: string, content: FileContent): RuleCase {
  return { rule, title, files: paper(content), found: [] };
}

function invalidCase(
  rule: string,
  title: string,
  content: FileContent,
  ...found: readonly (Omit<Found, 'file' | 'pointer'> & { readonly pointer?: string })[]
): RuleCase {
  return {
    rule,
    title,
    files: paper(content),
    found: found.map((one) => ({ file: paperPath, pointer: '', ...one })),
  };
}

const megabyte = 1024 * 1024;

function tooLarge(megabytes: number): RuleCase {
  return {
    rule: 'readable-file',
    title: `rejects a file of ${megabytes} MB`,
    files: valid,
    make: (dir) => truncate(join(dir, paperPath), megabytes * megabyte),
    found: [
      {
        message: `The file is too large: ${megabytes} MB. The limit is 16 MB.`,
        file: paperPath,
        pointer: '',
        at: startOfFile,
      },
    ],
  };
}

const notUtf8 = (bytes: string) => `The file is not UTF-8: it has the bytes ${bytes} here. Save it as UTF-8.`;

/** The paper with these bytes in place of `length`, at 7:48. */
function withBytes(...bytes: readonly number[]): Buffer {
  const [before = '', after = ''] = text.split('length');
  return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
}

const encodingCases: readonly RuleCase[] = [
  validCase('utf-8', 'accepts any Unicode characters', text.replace('length', 'é ν क 😀')),
  invalidCase('utf-8', 'rejects Latin-1, with a suggestion', withBytes(0xe9), {
    message: notUtf8('E9'),
    at: '7:48-7:49',
    suggestion: 'é',
  }),
  invalidCase(
    'utf-8',
    'counts columns correctly after characters of several bytes',
    Buffer.concat([
      Buffer.from(text.split('length')[0] ?? ''),
      Buffer.from('é😀'),
      Buffer.from([0xff, 0x22]),
    ]),
    { message: notUtf8('FF'), at: '7:51-7:52', suggestion: 'ÿ' },
  ),
  invalidCase('utf-8', 'rejects an incomplete character', withBytes(0xe2, 0x82, 0x2e), {
    message: notUtf8('E2 82'),
    at: '7:48-7:49',
    suggestion: 'â‚',
  }),
  invalidCase(
    'utf-8',
    'rejects an incomplete character at the end of the file',
    Buffer.from('"µ').subarray(0, 2),
    {
      message: notUtf8('C2'),
      at: '1:2-1:3',
      suggestion: 'Â',
    },
  ),
  invalidCase('utf-8', 'rejects an encoded surrogate', withBytes(0xed, 0xa0, 0x80), {
    message: notUtf8('ED'),
    at: '7:48-7:49',
    suggestion: 'í',
  }),
  ...(['utf16le', 'utf16be'] as const).flatMap((encoding) =>
    ['\ufeff', ''].map((mark) =>
      invalidCase(
        'utf-8',
        `rejects ${encoding} ${mark ? 'with' : 'without'} a byte order mark`,
        utf16(encoding, mark + text),
        {
          message: 'The file is in the wrong encoding. Save it as UTF-8.',
          at: startOfFile,
        },
      ),
    ),
  ),

  validCase('byte-order-mark', 'accepts a file without a byte order mark', text),
  invalidCase('byte-order-mark', 'rejects a byte order mark', `\ufeff${text}`, {
    message: 'The file begins with a byte order mark. Save it as "UTF-8", not as "UTF-8 with BOM".',
    at: startOfFile,
    suggestion: '',
  }),
];

function utf16(encoding: 'utf16le' | 'utf16be', content: string): Buffer {
  const bytes = Buffer.from(content, 'utf16le');
  return encoding === 'utf16le' ? bytes : bytes.swap16();
}

const again = (name: string) =>
  `The property "${name}" is repeated here. Only the last one counts: remove the other.`;
const first = 'First occurrence.';

function duplicate(
  title: string,
  content: string,
  name: string,
  pointer: string,
  at: string,
  firstAt: string,
): RuleCase {
  return invalidCase('duplicate-keys', title, content, {
    message: again(name),
    at,
    pointer,
    related: [{ message: first, file: paperPath, at: firstAt }],
  });
}

const answer = '      "answer": "A",\n';

const duplicateCases: readonly RuleCase[] = [
  validCase(
    'duplicate-keys',
    'accepts strings that look like a property name',
    text.replace('length', 'a \\": b, \\" : c'),
  ),
  validCase('duplicate-keys', 'accepts the same name in several objects', text),
  validCase('duplicate-keys', 'accepts space before a colon', text.replaceAll('":', '"\n :')),
  duplicate(
    'rejects a repeated property',
    text.replace(answer, answer + answer),
    'answer',
    '/questions/0/answer',
    '19:7-19:15',
    '18:7-18:15',
  ),
  duplicate(
    'rejects a repeated property with another value',
    text.replace(answer, answer + answer.replace('A', 'B')),
    'answer',
    '/questions/0/answer',
    '19:7-19:15',
    '18:7-18:15',
  ),
  duplicate(
    'rejects a repeated property with space before the colon',
    text.replace(answer, answer + answer.replace(':', ' :')),
    'answer',
    '/questions/0/answer',
    '19:7-19:15',
    '18:7-18:15',
  ),
  duplicate(
    'rejects a repeated property with escapes in its name',
    text.replace(answer, answer + answer.replace('answer', '\\u0061nswer')),
    'answer',
    '/questions/0/answer',
    '19:7-19:20',
    '18:7-18:15',
  ),
  duplicate(
    'rejects a repeated property in a file with a string that looks like a property name',
    text.replace(answer, answer + answer.replace(':', '\t\n:')).replace('length', '\\":'),
    'answer',
    '/questions/0/answer',
    '19:7-19:15',
    '18:7-18:15',
  ),
  duplicate(
    'rejects a repeated property at the top level',
    text.replace('  "questions"', '  "lastUpdated": "2024-06-01T10:00:00Z",\n  "questions"'),
    'lastUpdated',
    '/lastUpdated',
    '3:3-3:16',
    '2:3-2:16',
  ),
  duplicate(
    'rejects a repeated property of a nested object',
    text.replace('"key": "B"', '"key": "A", "key": "B"'),
    'key',
    '/questions/0/options/1/key',
    '14:23-14:28',
    '14:11-14:16',
  ),
  duplicate(
    'rejects a repeated property in a file on one line',
    JSON.stringify(paperOf(mcq)).replace('"answer":"A"', '"answer":"A","answer":"A"'),
    'answer',
    '/questions/0/answer',
    '1:207-1:215',
    '1:194-1:202',
  ),
];

const syntaxCases: readonly RuleCase[] = [
  validCase('syntax', 'accepts JSON in any formatting', JSON.stringify(paperOf(mcq))),
  validCase('syntax', 'accepts CRLF line endings', text.replaceAll('\n', '\r\n')),
  invalidCase('syntax', 'rejects a trailing comma', text.replace('"easy"', '"easy",'), {
    message: 'Remove the trailing comma.',
    at: '20:27-20:28',
    suggestion: '',
  }),
  invalidCase('syntax', 'rejects a comment', text.replace('"easy"', '"easy" // for now'), {
    message: 'JSON has no comments.',
    at: '20:28-20:38',
  }),
];

const schemaCases: readonly RuleCase[] = [
  validCase('schema', 'accepts a valid paper', text),
  invalidCase(
    'schema',
    'rejects a value in another case, with a suggestion',
    text.replace('"easy"', '"Easy"'),
    {
      message: 'Write "easy", not "Easy": upper and lower case differ.',
      pointer: '/questions/0/difficulty',
      at: '20:21-20:27',
      suggestion: 'easy',
    },
  ),
];

/** Cases of the rules on the encoding, syntax and schema of files. */
export const fileCases: readonly RuleCase[] = [
  { rule: 'readable-file', title: 'accepts a file of ordinary size', files: valid, found: [] },
  tooLarge(17),
  tooLarge(100),
  ...encodingCases,
  ...duplicateCases,
  ...syntaxCases,
  ...schemaCases,
];
