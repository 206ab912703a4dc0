import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { readImage } from '../../build/content/image.ts';
import type { DiagramFile } from '../../build/content/types.ts';
import { makeBank, paperOf, paperPath, sampleQuestions, shiftPath } from './bank-folder.ts';
import { avif, gif, heic, jpeg, png, svg, webp } from './image-bytes.ts';
import { readBank } from './read-bank.ts';
import { validateFolder } from './validate-folder.ts';

interface Format {
  readonly name: string;
  readonly extensions: readonly string[];
  readonly mediaType: string;
  readonly draw: (width: number, height: number) => Buffer;
  /** Length of the header that has the size of the image. */
  readonly header: number;
}

const formats: readonly Format[] = [
  { name: 'png', extensions: ['.png'], mediaType: 'image/png', draw: png, header: 24 },
  { name: 'jpg', extensions: ['.jpg', '.jpeg'], mediaType: 'image/jpeg', draw: jpeg, header: 96 },
  { name: 'webp', extensions: ['.webp'], mediaType: 'image/webp', draw: webp, header: 25 },
  { name: 'gif', extensions: ['.gif'], mediaType: 'image/gif', draw: gif, header: 10 },
  { name: 'avif', extensions: ['.avif'], mediaType: 'image/avif', draw: avif, header: 105 },
  { name: 'svg', extensions: ['.svg'], mediaType: 'image/svg+xml', draw: svg, header: 62 },
];

interface Reading {
  readonly image: DiagramFile['image'] | undefined;
  readonly messages: readonly string[];
}

/** Reads a diagram that a question names, as the build does. */
async function read(file: string, bytes: Uint8Array | string): Promise<Reading> {
  const bank = await makeBank({
    [paperPath]: paperOf({ ...sampleQuestions.mcq, diagrams: [{ file, alt: 'A blue square.' }] }),
    [`${shiftPath}/diagrams/${file}`]: bytes,
  });
  const [found, { report }] = await Promise.all([readBank(bank.dir), validateFolder(bank.dir)]);
  for (const { rule } of report.diagnostics) assert.equal(rule, 'diagram-image');
  return { image: found.diagrams[0]?.image, messages: report.diagnostics.map(({ message }) => message) };
}

/** Asserts that the file was rejected with one problem. */
function assertRejected({ messages: [message, ...others] }: Reading, file: string, note?: string): void {
  const isRejected = /^The (file is not a readable image|SVG is not well-formed XML): /.test(message ?? '');
  assert.ok(isRejected, `${file} ${note}: ${message}`);
  assert.deepEqual(others, []);
}

describe('Reading a diagram', () => {
  for (const { name, extensions, mediaType, draw, header } of formats) {
    for (const extension of extensions) {
      it(`returns the media type, size and checksum of a ${name} file with the extension ${extension}`, async () => {
        const bytes = draw(13, 7);
        const { image, messages } = await read(`q1${extension}`, bytes);
        assert.deepEqual(messages, []);
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        assert.deepEqual(image, { mediaType, width: 13, height: 7, sha256 });
      });
    }

    it(`reads ${name} sizes of more than one byte`, async () => {
      const { image } = await read(`q1${extensions[0]}`, draw(1234, 777));
      assert.deepEqual(image && 'width' in image && [image.width, image.height], [1234, 777]);
    });

    for (const other of formats.filter((format) => format.name !== name)) {
      it(`rejects a ${name} file with the extension ${other.extensions[0]}`, async () => {
        const file = `q1${other.extensions[0]}`;
        const { messages } = await read(file, draw(13, 7));
        assert.equal(messages.length, 1);
        const right = `, so its name must end in ${extensions.join(' or ')}.`;
        assert.ok(messages[0]?.startsWith('The format of the file is '), messages[0]);
        assert.ok(messages[0]?.endsWith(right), messages[0]);
      });
    }

    it(`rejects an empty ${name} file`, async () => {
      const file = `q1${extensions[0]}`;
      assertRejected(await read(file, ''), file);
    });

    it(`rejects a ${name} file that is truncated in its header`, async () => {
      const file = `q1${extensions[0]}`;
      const bytes = draw(13, 7);
      for (const length of [1, 4, Math.floor(header / 2), header - 1]) {
        assertRejected(await read(file, bytes.subarray(0, length)), file, `${length} bytes`);
      }
    });
  }

  it('rejects images that are truncated at the end', async () => {
    const accepted: string[] = [];
    for (const { name, extensions, draw } of formats) {
      const bytes = draw(64, 64);
      const { messages } = await read(`q1${extensions[0]}`, bytes.subarray(0, -6));
      if (messages.length === 0) accepted.push(name);
    }
    assert.deepEqual(accepted, []);
  });

  // Node reads an empty file into shared memory.
  it('ignores the bytes after the file in its buffer', () => {
    const zeros = new Uint8Array(new ArrayBuffer(64), 8, 0);
    const pictures = formats.map(({ extensions, draw, header }) => {
      const buffer = new Uint8Array(draw(13, 7));
      return [`q1${extensions[0]}`, buffer.subarray(0, header - 1)] as const;
    });
    for (const [file, bytes] of [['q1.png', zeros] as const, ...pictures]) {
      assert.deepEqual(readImage(file, bytes), readImage(file, bytes.slice()), file);
    }
  });

  it('reads a progressive JPEG', async () => {
    const { image } = await read('q1.jpg', jpeg(20, 10, 0xc2));
    assert.deepEqual(image && 'width' in image && [image.width, image.height], [20, 10]);
  });

  it('rejects files of other formats, whatever the extension', async () => {
    const bitmap = Buffer.alloc(58);
    bitmap.write('BM');
    bitmap.writeUInt32LE(3, 18);
    bitmap.writeUInt32LE(4, 22);
    for (const [file, bytes] of [
      ['q1.png', bitmap],
      ['q1.avif', heic(3, 4)],
      ['q1.png', 'A circuit of two cells and a lamp.'],
      ['q1.svg', 'A circuit of two cells and a lamp.'],
      ['q1.svg', '<!doctype html><html><body>Not found</body></html>'],
    ] as const) {
      const { image, messages } = await read(file, bytes);
      assert.ok(image && 'fault' in image, file);
      assert.equal(messages.length, 1);
    }
  });
});

describe('The size of an SVG', () => {
  const namespace = 'xmlns="http://www.w3.org/2000/svg"';
  const sized = `<svg ${namespace} width="30" height="20"/>`;
  const byAttributes: readonly [string, string][] = [
    ['is its width and height', 'width="30" height="20"'],
    ['can be in pixels, and is rounded', 'width="29.6px" height="20.4px"'],
    ['can be in inches and centimetres', 'width="0.3125in" height="0.5292cm"'],
    ['can be in single quotes', "width='30' height='20'"],
    ['is that of the view box without width and height', 'viewBox="0 0 30 20"'],
    [
      'is that of the view box if width and height are 100%',
      'width="100%" height="100%" viewBox="5 5 30 20"',
    ],
    ['follows from the width and the view box', 'width="30" viewBox="0 0 60 40"'],
    ['follows from the height and the view box', 'height="20" viewBox="0 0 60 40"'],
    // SVG 2, 8.6: the numbers are separated by white space, a comma, or both.
    ['is read from a view box with commas', 'viewBox="0,0,30,20"'],
    ['is read from a view box with commas and spaces', 'viewBox="0, 0, 30, 20"'],
    ['is read from a view box with several spaces', 'viewBox=" 0 0  30 20 "'],
    ['is read from a view box over two lines', 'viewBox="0 0\n30 20"'],
  ];
  const drawings: readonly [string, string][] = [
    ...byAttributes.map(([sentence, attributes]): [string, string] => [
      sentence,
      `<svg ${namespace} ${attributes}><path/></svg>`,
    ]),
    ['is found after an XML declaration', `<?xml version="1.0" encoding="utf-8"?>\n${sized}`],
    ['is found after a byte order mark', `\ufeff${sized}`],
    ['is found after a long comment', `<!--${' licence '.repeat(150)}-->${sized}`],
  ];
  for (const [sentence, text] of drawings) {
    it(sentence, async () => {
      const { image, messages } = await read('q1.svg', text);
      assert.deepEqual(messages, []);
      assert.deepEqual(image && 'width' in image && [image.width, image.height], [30, 20]);
    });
  }

  const sizeless = [
    '',
    'width="0" height="0"',
    'width="100%" height="100%"',
    'viewBox="none"',
    'viewBox="0 0 30"',
  ];
  for (const attributes of sizeless) {
    it(`is required: rejects an SVG with ${attributes || 'no attributes'}`, async () => {
      assertRejected(await read('q1.svg', `<svg ${namespace} ${attributes}><path/></svg>`), 'q1.svg');
    });
  }
});
