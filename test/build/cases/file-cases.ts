import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileContent, paperOf, paperPath, sampleQuestions } from '../bank-folder.ts';
import { accepts, bankOf, type Cases, rejects } from './rule-case.ts';

const text = `${JSON.stringify(paperOf(sampleQuestions.mcq), undefined, 2)}\n`;
const [beforeWord = '', afterWord = ''] = text.split('length');

/** The paper with these bytes in place of `length`, at 7:48. */
function withBytes(...bytes: readonly number[]): Buffer {
  return Buffer.concat([Buffer.from(beforeWord), Buffer.from(bytes), Buffer.from(afterWord)]);
}

function notUtf8(what: string, content: FileContent, hex: string, at: string, suggestion: string) {
  const message = `The file is not UTF-8: it has the bytes ${hex} here. Save it as UTF-8.`;
  return rejects(what, bankOf(content), { message, at, suggestion });
}

function utf16(encoding: 'utf16le' | 'utf16be', content: string): Buffer {
  const bytes = Buffer.from(content, 'utf16le');
  return encoding === 'utf16le' ? bytes : bytes.swap16();
}

const answer = '      "answer": "A",\n';
const again = (wrong: string) =>
  text.replace(answer, answer.replace('"answer"', '⟪"answer"⟫') + wrong);

/** Papers with a repeated property. */
const duplicates: readonly (readonly [
  what: string,
  content: string,
  name?: string,
  pointer?: string,
])[] = [
  ['a repeated property', again('⟦"answer"⟧: "A",')],
  ['a repeated property with escapes in its name', again('⟦"\\u0061nswer"⟧: "A",')],
  [
    'a repeated property in a file with a string that looks like a property name',
    again('⟦"answer"⟧\t\n: "A",').replace('length', '\\":'),
  ],
  [
    'a repeated property of a nested object',
    text.replace('"key": "B"', '⟪"key"⟫: "A", ⟦"key"⟧: "B"'),
    'key',
    '/questions/0/options/1/key',
  ],
];

/** Rules on each file before its schema. */
export const fileCases: Cases = {
  'readable-file': [
    accepts('a file of ordinary size', bankOf(text)),
    {
      ...rejects('a file of 17 MB', bankOf(`⟦⟧${text}`), {
        message: 'The file is too large: 17 MB. The limit is 16 MB.',
      }),
      make: (dir: string) => truncate(join(dir, paperPath), 17 * 1024 * 1024),
    },
  ],
  'utf-8': [
    accepts('any Unicode characters', bankOf(text.replace('length', 'é ν क 😀'))),
    notUtf8('Latin-1, with a suggestion', withBytes(0xe9), 'E9', '7:48-7:49', 'é'),
    notUtf8('an incomplete character', withBytes(0xe2, 0x82, 0x2e), 'E2 82', '7:48-7:49', 'â‚'),
    ...(['utf16le', 'utf16be'] as const).map((encoding) => {
      const mark = encoding === 'utf16le' ? '\ufeff' : '';
      return rejects(
        `${encoding} ${mark ? 'with' : 'without'} a byte order mark`,
        bankOf(utf16(encoding, mark + text)),
        { message: 'The file is in the wrong encoding. Save it as UTF-8.' },
      );
    }),
  ],
  'byte-order-mark': [
    accepts('a file without a byte order mark', bankOf(text)),
    rejects('a byte order mark', bankOf(`\ufeff⟦⟧${text}`), {
      message:
        'The file begins with a byte order mark. Save it as "UTF-8", not as "UTF-8 with BOM".',
      ...{ at: '1:1-1:1', suggestion: '' },
    }),
  ],
  'duplicate-keys': [
    accepts(
      'strings that look like a property name',
      bankOf(text.replace('length', 'a \\": b, \\" : c')),
    ),
    accepts('the same name in several objects', bankOf(text)),
    accepts('space before a colon', bankOf(text.replaceAll('":', '"\n :'))),
    ...duplicates.map(([what, content, name = 'answer', pointer = '/questions/0/answer']) =>
      rejects(what, bankOf(content), {
        message: `The property "${name}" is repeated here. Only the last one counts: remove the other.`,
        ...{ pointer, related: [{ message: 'First occurrence.' }] },
      }),
    ),
  ],
};
