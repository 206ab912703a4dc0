/**
 * SVG files that try to run, load, link, hide or exhaust something, by the categories of published lists (PortSwigger's XSS
 * cheat sheet, html5sec, the tests of DOMPurify and svg-hush), and drawings that do not. Most are in hostile-svg.json: the
 * content of the drawing, or its content, its attributes, and what comes before it.
 */
import { attributes, elements, properties } from '../../build/content/svg.ts';
import drawings from './hostile-svg.json' with { type: 'json' };
import { jpeg, png } from './image-bytes.ts';

export type SvgCase = readonly [name: string, content: string | Buffer];

/** By what is in them. */
type Drawings = Readonly<Record<string, string | Buffer>>;

const svgNs = 'http://www.w3.org/2000/svg';
const evil = 'https://evil.example';

/** A drawing of 30 by 20 pixels. */
export function drawing(content = '', attributes = '', prologue = ''): string {
  const namespaces = `xmlns="${svgNs}" xmlns:xlink="http://www.w3.org/1999/xlink"`;
  return `${prologue}<svg ${namespaces} width="30" height="20"${attributes && ` ${attributes}`}>${content}</svg>`;
}

const declared = (encoding: string, content: string) =>
  Buffer.from(drawing(content, '', `<?xml version="1.0" encoding="${encoding}"?>`), 'latin1');

const script = '<script>alert(1)</script>';
const circle = '<circle r="5"/>';
const expired = drawing(script);

/** Not inside a drawing of 30 by 20 pixels. */
const outside: Drawings = {
  'a script after the root element': `${drawing('')}<script xmlns="${svgNs}">alert(1)</script>`,
  'a DOCTYPE in which the drawing begins': `<!DOCTYPE svg [${expired}`,
  'a document without a namespace':
    '<svg width="30" height="20"><script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script></svg>',
};

/** In ISO-2022-JP the three bytes after `ESC $ B` are no end of a comment. */
const hiddenByEscape = `<g><!--\x1b$B-->!\x1b(B<text class="-->${script}<!--">x</text>--></g>`;

const encodings: Drawings = {
  'ISO-2022-JP': declared('ISO-2022-JP', hiddenByEscape),
  'ISO-2022-JP that is not declared': Buffer.from(drawing(hiddenByEscape), 'latin1'),
  Shift_JIS: declared('Shift_JIS', '<desc class="\x81" id="onload=alert(1) "/>'),
  'UTF-16 with the high byte first': Buffer.from(`\ufeff${expired}`, 'utf16le').swap16(),
  'bytes that are not UTF-8': Buffer.concat([
    Buffer.from(drawing('').slice(0, -6)),
    Buffer.from([0xc0, 0xbc]),
    Buffer.from('script></svg>'),
  ]),
  'two byte order marks': `\ufeff\ufeff${drawing(circle)}`,
};

const uses = (id: number) => `<g id="e${id}">${`<use href="#e${id - 1}"/>`.repeat(10)}</g>`;
const levels = [0, 1, 2, 3, 4, 5, 6, 7];

const exhausting: Drawings = {
  '1,000 elements inside each other': drawing(`${'<g>'.repeat(1000)}${'</g>'.repeat(1000)}`),
  '100,000 elements': drawing('<g/>'.repeat(100_000)),
  'uses of uses': drawing(`<g id="e0"><path d="M0 0h9"/></g>${levels.slice(1).map(uses).join('')}`),
  'a use of itself with an escape': drawing('<g id="a"><use href="#%61"/></g>'),
};

const slow: Drawings = {
  'a chain of blurs': drawing(
    `<filter id="a">${'<feGaussianBlur stdDeviation="50"/>'.repeat(30)}</filter><circle r="9" filter="url(#a)"/>`,
  ),
  'a blur in a style': drawing('<circle r="9" style="filter: blur(50px)"/>'),
  'accents one above the other': drawing(`<text>a${'\u0334'.repeat(1e5)}</text>`),
};

const image = (type: string, bytes: Buffer) =>
  `<image width="9" height="9" href="data:image/${type};base64,${bytes.toString('base64')}"/>`;
const picture = (type: string, bytes: Buffer) => drawing(image(type, bytes));
const pictures: Drawings = {
  'an embedded PNG of 8,193 pixels': picture('png', png(8193, 1)),
  'an embedded PNG that is truncated': picture('png', png(9, 9).subarray(0, -9)),
  'an embedded JPEG with the type of a PNG': picture('png', jpeg(9, 9)),
  'seven embedded JPEGs of 4,000 by 4,000 pixels': drawing(
    image('jpeg', jpeg(4000, 4000)).repeat(7),
  ),
};

/** Each takes minutes where the time grows with the square of the length. */
const long: Drawings = {
  'a long name of an element': drawing(`<${'a'.repeat(1e6)}/>`),
  'many attributes': drawing(
    `<g ${Array.from({ length: 1e5 }, (_, index) => `a${index}=""`).join(' ')}/>`,
  ),
  'many namespaces and elements': drawing(
    '<g/>'.repeat(3e5),
    Array.from({ length: 2e4 }, (_, index) => `xmlns:a${index}="a"`).join(' '),
  ),
  'namespaces inside each other': drawing(`${'<g xmlns:a="b">'.repeat(5e4)}${'</g>'.repeat(5e4)}`),
  'many comments that are not closed': drawing('<!--'.repeat(4e5)),
  'comments in an instruction': drawing(`<?a ${'<!--'.repeat(4e5)}?>`),
  'styles with comments that are not closed': drawing(`<style>@${'/*'.repeat(9e5)}</style>`),
  'a style that is one word': drawing(`<style>${'a'.repeat(1e6)}</style>`),
  'a style of spaces, and a script': drawing(`<style>${' '.repeat(1e6)}</style>${script}`),
  'a long word in a selector': drawing(
    `<style>${'a'.repeat(1e6)} b { fill: url(#a) }</style>${script}`,
  ),
  'a long word in a style': drawing(`<rect style="fill: ${'a'.repeat(1.9e6)}(1)"/>`),
};

/** Each is rejected. */
export const hostileSvgs: readonly SvgCase[] = [
  ...Object.entries(drawings).flatMap(([category, ofCategory]) =>
    category === 'harmless' ? [] : drawn(ofCategory),
  ),
  ...[outside, encodings, exhausting, slow, pictures, long].flatMap((ofCategory) =>
    Object.entries(ofCategory),
  ),
];

function drawn(ofCategory: Readonly<Record<string, string | readonly string[]>>): SvgCase[] {
  return Object.entries(ofCategory).map(([name, parts]) => [name, drawing(...[parts].flat())]);
}

/** Every element that is allowed, with every attribute and property; text in quotation marks is no address. */
const everything = (() => {
  const isName = (name: string) => !name.startsWith('-');
  const values = [...attributes].filter(
    (name) => !['path', 'd', 'x', 'y', 'width', 'height', 'viewBox'].includes(name),
  );
  const quoted = [...properties].filter(
    (name) => !['width', 'height', 'transform', 'stroke-dasharray'].includes(name),
  );
  const known = `class="https://evil.example/a" role="img" aria-label="${evil}/b" data-a="javascript:alert(1)"`;
  const asAttributes = [
    ...values.map((name) => `${name}="1"`),
    ...quoted.filter(isName).map((name) => `${name}="&quot;${evil}/c&quot;"`),
  ];
  const asStyle = quoted.map((name) => `${name}: '${evil}/d'; ${name}: url(#a)`).join('; ');
  const inside = [...elements].filter((name) => !['svg', 'style', 'image'].includes(name));
  return drawing(
    `<style>${[...elements].join(', ')} { ${asStyle} }</style>${inside
      .map(
        (name) =>
          `<${name} ${known} ${asAttributes.join(' ')} style="${asStyle}">alert(1)</${name}>`,
      )
      .join('')}`,
  );
})();

/** Each is accepted, shown by a browser, and runs, loads and links nothing. */
export const harmlessSvgs: readonly SvgCase[] = [
  ...drawn(drawings.harmless),
  ['a byte order mark', `\ufeff${drawing(circle)}`],
  ['a prefix', `<s:svg xmlns:s="${svgNs}" width="30" height="20"><s:circle r="5"/></s:svg>`],
  ['everything that is on the lists', everything],
];
