import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { readImage } from '../../build/content/image.ts';
import { harmlessSvgs, hostileSvgs } from './hostile-svg.ts';
import { avif, gif, heic, jpeg, png, svg, webp } from './image-bytes.ts';

interface Format {
  readonly name: string;
  readonly extensions: readonly string[];
  readonly mediaType: string;
  readonly draw: (width: number, height: number) => Buffer;
  /** Length of the header that has the size of the image. */
  readonly header: number;
}

const formats: readonly Format[] = [
  { name: 'PNG', extensions: ['.png'], mediaType: 'image/png', draw: png, header: 24 },
  { name: 'JPEG', extensions: ['.jpg', '.jpeg'], mediaType: 'image/jpeg', draw: jpeg, header: 96 },
  { name: 'WebP', extensions: ['.webp'], mediaType: 'image/webp', draw: webp, header: 25 },
  { name: 'GIF', extensions: ['.gif'], mediaType: 'image/gif', draw: gif, header: 10 },
  { name: 'AVIF', extensions: ['.avif'], mediaType: 'image/avif', draw: avif, header: 105 },
  { name: 'SVG', extensions: ['.svg'], mediaType: 'image/svg+xml', draw: svg, header: 62 },
];

function read(file: string, content: Uint8Array | string) {
  return readImage(file, typeof content === 'string' ? Buffer.from(content) : content);
}

function sizeOf(
  file: string,
  content: Uint8Array | string,
): readonly [width: number, height: number] {
  const image = read(file, content);
  assert.ok('width' in image, JSON.stringify(image));
  assert.deepEqual(image.problems, []);
  return [image.width, image.height];
}

function assertRejected(file: string, content: Uint8Array | string, note = ''): void {
  const image = read(file, content);
  assert.ok('fault' in image, `${file} ${note}`);
  assert.match(image.fault, /^The (?:file is not a readable image|SVG is not well-formed XML): /);
}

describe('Reading a diagram', () => {
  for (const { name, extensions, mediaType, draw, header } of formats) {
    const [extension = ''] = extensions;

    it(`returns the media type, size and checksum of a ${name} file`, () => {
      const bytes = draw(13, 7);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      for (const end of extensions)
        assert.deepEqual(read(`q1${end}`, bytes), {
          mediaType,
          width: 13,
          height: 7,
          sha256,
          problems: [],
        });
      assert.deepEqual(sizeOf(`q1${extension}`, draw(1234, 777)), [1234, 777]);
    });

    it(`rejects a ${name} file with another extension`, () => {
      for (const other of formats.filter((format) => format.name !== name))
        assert.deepEqual(read(`q1${other.extensions[0]}`, draw(13, 7)), {
          fault: `The format of the file is ${name}, so its name must end in ${extensions.join(' or ')}.`,
          extension,
        });
    });

    it(`rejects a ${name} file that is empty, or truncated in its header or at its end`, () => {
      const bytes = draw(64, 64);
      for (const length of [0, 1, 4, Math.floor(header / 2), header - 1, bytes.length - 6])
        assertRejected(`q1${extension}`, bytes.subarray(0, length), `${length} bytes`);
    });
  }

  it('rejects an AVIF with a box that has no length, at once', () => {
    const box = Buffer.alloc(16);
    box.writeUInt32BE(1);
    box.write('free', 4);
    assertRejected('q1.avif', Buffer.concat([avif(3, 4), box]));
  });

  it('reads an AVIF with the sizes of 100,000 images, at once', () => {
    const bytes = avif(3, 4);
    const size = bytes.indexOf('ispe') - 4;
    const sizes = bytes.subarray(size, size + 20);
    const boxes = Buffer.concat([bytes.subarray(0, size), ...Array(100_000).fill(sizes)]);
    for (const type of ['meta', 'iprp', 'ipco']) {
      const at = boxes.indexOf(type) - 4;
      boxes.writeUInt32BE(boxes.length - at, at);
    }
    assert.deepEqual(sizeOf('q1.avif', boxes), [3, 4]);
  });

  it('rejects a PNG with a damaged byte', () => {
    const bytes = png(64, 64);
    bytes[50] = (bytes[50] ?? 0) ^ 1;
    assertRejected('q1.png', bytes);
  });

  it('reads a progressive JPEG', () =>
    assert.deepEqual(sizeOf('q1.jpg', jpeg(20, 10, 0xc2)), [20, 10]));

  it('rejects files of other formats, whatever the extension', () => {
    const bitmap = Buffer.alloc(58);
    bitmap.write('BM');
    bitmap.writeUInt32LE(3, 18);
    bitmap.writeUInt32LE(4, 22);
    assertRejected('q1.png', bitmap);
    assertRejected('q1.avif', heic(3, 4));
    assertRejected('q1.png', 'A circuit of two cells and a lamp.');
    assertRejected('q1.svg', 'A circuit of two cells and a lamp.');
    assertRejected('q1.svg', '<!doctype html><html><body>Not found</body></html>');
  });
});

describe('The size of an SVG', () => {
  const namespace = 'xmlns="http://www.w3.org/2000/svg"';
  const withAttributes = (attributes: string) => `<svg ${namespace} ${attributes}><path/></svg>`;
  const sized = withAttributes('width="30" height="20"');
  const drawings: Readonly<Record<string, string>> = {
    'is its width and height': sized,
    'can be in inches and centimetres': withAttributes('width="0.3125in" height="0.5292cm"'),
    'is that of the view box without width and height': withAttributes('viewBox="0 0 30 20"'),
    'follows from the width and the view box': withAttributes('width="30" viewBox="0 0 60 40"'),
    // SVG 2, 8.6: the numbers are separated by white space, a comma, or both.
    'is read from a view box with commas and spaces': withAttributes('viewBox="0, 0, 30, 20"'),
    'is found after an XML declaration': `<?xml version="1.0" encoding="utf-8"?>\n${sized}`,
  };
  for (const [behaviour, text] of Object.entries(drawings))
    it(behaviour, () => assert.deepEqual(sizeOf('q1.svg', text), [30, 20]));

  it('is required', () => {
    for (const attributes of [
      '',
      'width="0" height="0"',
      'width="100%" height="100%"',
      'viewBox="none"',
    ])
      assertRejected('q1.svg', withAttributes(attributes), attributes);
    assertRejected('q1.svg', withAttributes('viewBox="0 0 30"'));
  });
});

describe('An SVG is rejected:', () => {
  // Large ones: test/long/fuzz/linear.test.ts.
  for (const [name, content] of hostileSvgs.filter(([, { length }]) => length < 20_000)) {
    it(name, () => {
      const image = read('q1.svg', content);
      assert.ok('fault' in image || image.problems.length > 0);
    });
  }
});

describe('An SVG is accepted:', () => {
  for (const [name, content] of harmlessSvgs)
    it(name, () => assert.deepEqual(sizeOf('q1.svg', content), [30, 20]));
});
