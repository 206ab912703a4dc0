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

function kept(rule: string, shows: string, content: FileContent): RuleCase {
  return { rule, shows, files: paper(content), found: [] };
}

function broken(
  rule: string,
  shows: string,
  content: FileContent,
  ...found: readonly (Omit<Found, 'file' | 'pointer'> & { readonly pointer?: string })[]
): RuleCase {
  return {
    rule,
    shows,
    files: paper(content),
    found: found.map((one) => ({ file: paperPath, pointer: '', ...one })),
  };
}

const megabyte = 1024 * 1024;

function tooLarge(megabytes: number): RuleCase {
  return {
    rule: 'readable-file',
    shows: `a file of ${megabytes} MB is too large`,
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

/** The paper with these bytes in the place of `length`, which stands at 7:48. */
function withBytes(...bytes: readonly number[]): Buffer {
  const [before = '', after = ''] = text.split('length');
  return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
}

const encodingCases: readonly RuleCase[] = [
  kept('utf-8', 'all of Unicode is UTF-8', text.replace('length', 'é ν क 😀')),
  broken('utf-8', 'Latin-1 is not, and is read as what it may be', withBytes(0xe9), {
    message: notUtf8('E9'),
    at: '7:48-7:49',
    suggestion: 'é',
  }),
  broken(
    'utf-8',
    'characters of several bytes before the wrong one count as columns do',
    Buffer.concat([
      Buffer.from(text.split('length')[0] ?? ''),
      Buffer.from('é😀'),
      Buffer.from([0xff, 0x22]),
    ]),
    { message: notUtf8('FF'), at: '7:51-7:52', suggestion: 'ÿ' },
  ),
  broken('utf-8', 'half a character is none', withBytes(0xe2, 0x82, 0x2e), {
    message: notUtf8('E2 82'),
    at: '7:48-7:49',
    suggestion: 'â‚',
  }),
  broken('utf-8', 'nor is half a character at the end of a file', Buffer.from('"µ').subarray(0, 2), {
    message: notUtf8('C2'),
    at: '1:2-1:3',
    suggestion: 'Â',
  }),
  broken('utf-8', 'a surrogate is none', withBytes(0xed, 0xa0, 0x80), {
    message: notUtf8('ED'),
    at: '7:48-7:49',
    suggestion: 'í',
  }),
  ...(['utf16le', 'utf16be'] as const).flatMap((encoding) =>
    ['\ufeff', ''].map((mark) =>
      broken(
        'utf-8',
        `${encoding} ${mark ? 'with' : 'without'} a byte order mark is not`,
        utf16(encoding, mark + text),
        {
          message: 'The file is in the wrong encoding. Save it as UTF-8.',
          at: startOfFile,
        },
      ),
    ),
  ),

  kept('byte-order-mark', 'a file begins with its first character', text),
  broken('byte-order-mark', 'a mark before it is one too many', `\ufeff${text}`, {
    message: 'The file begins with a byte order mark. Save it as "UTF-8", not as "UTF-8 with BOM".',
    at: startOfFile,
  }),
];

function utf16(encoding: 'utf16le' | 'utf16be', content: string): Buffer {
  const bytes = Buffer.from(content, 'utf16le');
  return encoding === 'utf16le' ? bytes : bytes.swap16();
}

const again = (name: string) => `The property "${name}" is repeated here. The earlier one would be lost.`;
const first = 'The first one is here.';

function duplicate(
  shows: string,
  content: string,
  name: string,
  pointer: string,
  at: string,
  firstAt: string,
): RuleCase {
  return broken('duplicate-keys', shows, content, {
    message: again(name),
    at,
    pointer,
    related: [{ message: first, file: paperPath, at: firstAt }],
  });
}

const answer = '      "answer": "A",\n';

const duplicateCases: readonly RuleCase[] = [
  kept(
    'duplicate-keys',
    'strings may hold what looks like a name',
    text.replace('length', 'a \\": b, \\" : c'),
  ),
  kept('duplicate-keys', 'names may stand in several objects', text),
  kept('duplicate-keys', 'space may stand before a colon', text.replaceAll('":', '"\n :')),
  duplicate(
    'a property may not stand twice',
    text.replace(answer, answer + answer),
    'answer',
    '/questions/0/answer',
    '19:7-19:15',
    '18:7-18:15',
  ),
  duplicate(
    'with another value neither',
    text.replace(answer, answer + answer.replace('A', 'B')),
    'answer',
    '/questions/0/answer',
    '19:7-19:15',
    '18:7-18:15',
  ),
  duplicate(
    'nor with space before its colon',
    text.replace(answer, answer + answer.replace(':', ' :')),
    'answer',
    '/questions/0/answer',
    '19:7-19:15',
    '18:7-18:15',
  ),
  duplicate(
    'nor written with escapes',
    text.replace(answer, answer + answer.replace('answer', '\\u0061nswer')),
    'answer',
    '/questions/0/answer',
    '19:7-19:20',
    '18:7-18:15',
  ),
  duplicate(
    'nor beside a string that holds as many names as are lost',
    text.replace(answer, answer + answer.replace(':', '\t\n:')).replace('length', '\\":'),
    'answer',
    '/questions/0/answer',
    '19:7-19:15',
    '18:7-18:15',
  ),
  duplicate(
    'nor at the top of a file',
    text.replace('  "questions"', '  "lastUpdated": "2024-06-01T10:00:00Z",\n  "questions"'),
    'lastUpdated',
    '/lastUpdated',
    '3:3-3:16',
    '2:3-2:16',
  ),
  duplicate(
    'nor deep inside of one',
    text.replace('"key": "B"', '"key": "A", "key": "B"'),
    'key',
    '/questions/0/options/1/key',
    '14:23-14:28',
    '14:11-14:16',
  ),
  duplicate(
    'nor in a file on one line',
    JSON.stringify(paperOf(mcq)).replace('"answer":"A"', '"answer":"A","answer":"A"'),
    'answer',
    '/questions/0/answer',
    '1:207-1:215',
    '1:194-1:202',
  ),
];

const syntaxCases: readonly RuleCase[] = [
  kept('syntax', 'JSON may be laid out in any way', JSON.stringify(paperOf(mcq))),
  kept('syntax', 'lines may end as on Windows', text.replaceAll('\n', '\r\n')),
  broken('syntax', 'a comma behind the last item is one too many', text.replace('"easy"', '"easy",'), {
    message: 'Remove the trailing comma.',
    at: '20:27-20:28',
  }),
  broken('syntax', 'JSON has no comments', text.replace('"easy"', '"easy" // for now'), {
    message: 'JSON has no comments.',
    at: '20:28-20:38',
  }),
];

const schemaCases: readonly RuleCase[] = [
  kept('schema', 'a paper with all that it needs is of its form', text),
  broken('schema', 'a word in another case is another word', text.replace('"easy"', '"Easy"'), {
    message: 'Write "easy", not "Easy": upper and lower case differ.',
    pointer: '/questions/0/difficulty',
    at: '20:21-20:27',
    suggestion: 'easy',
  }),
];

/** Cases of the rules on files, before anything is known of what they hold. */
export const fileCases: readonly RuleCase[] = [
  { rule: 'readable-file', shows: 'a file of ordinary size can be read', files: valid, found: [] },
  tooLarge(17),
  tooLarge(100),
  ...encodingCases,
  ...duplicateCases,
  ...syntaxCases,
  ...schemaCases,
];
