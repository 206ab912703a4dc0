import { avif, gif, heic, jpeg, png, svg, webp } from '../../../../build/image-bytes.ts';
import { type Draw, words } from '../../draw.ts';

/** An image of a draw format, perhaps truncated, or a file that is not an image. */
export function randomImage(draw: Draw): Buffer {
  const [width, height] = [draw.pick(sides), draw.pick(sides)];
  const image = draw.weighted<() => Buffer>([
    [2, () => png(Math.min(width, 2000), Math.min(height, 2000))],
    [1, () => jpeg(Math.min(width, 2000), Math.min(height, 2000), draw.pick([0xc0, 0xc2]))],
    [1, () => webp(Math.max(1, width), Math.max(1, height))],
    [1, () => gif(width, height)],
    [1, () => avif(width, height)],
    [1, () => heic(width, height)],
    [1, () => svg(width, height)],
    [6, () => Buffer.from(randomSvg(draw))],
    [1, () => Buffer.from('GIF89a')],
    [1, () => Buffer.from('<html><script>alert(1)</script></html>')],
    [1, () => Buffer.from('%PDF-1.4')],
    [1, () => Buffer.alloc(draw.pick([0, 1, 12, 3 * 1024 * 1024]))],
  ])();
  return draw.chance(0.2) ? image.subarray(0, draw.below(image.length + 1)) : image;
}

const sides = [0, 1, 2, 100, 8192, 8193, 16_383];

function randomSvg(draw: Draw): string {
  const attributes = draw.pick(svgAttributes);
  const root = `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>`;
  return `${draw.pick(prologues)}${root}${draw.pick(svgContents)}${draw.pick(['</svg>', '</svg>\n', '', '</svg><!-- x -->', '</svg><svg/>', '</SVG>'])}`;
}

// biome-ignore format: a list
const prologues = [
  '', '<?xml version="1.0"?>', '<?xml version="1.0" encoding="UTF-16"?>', '\ufeff', '<!-- x -->',
  '<?xml-stylesheet href="x.css"?>', '<!DOCTYPE svg>', '<!DOCTYPE svg [<!ENTITY x "y">]>',
  '<!DOCTYPE svg [<!ENTITY a "x"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>',
  '<!DOCTYPE svg SYSTEM "file:///etc/passwd">', ' \n',
];
// biome-ignore format: a list
const svgAttributes = [
  'width="30" height="20"', 'width="30px" height="1e2"', 'width="100%" height="100%"', 'viewBox="0 0 30 20"',
  'viewBox="0,0,30,20" width="60"', 'viewBox="0 0 0 0"', 'viewBox="x"', 'width="0" height="0"',
  'width="-1" height="5"', 'width="1e309" height="1"', 'width="9000" height="1"', 'width="8192.4" height="8192.4"',
  'width="0.4" height="0.4"', '', 'width="30" height="20" onload="x()"', 'width="30" height="20" OnLoad="x()"',
  'width="30" height="20" style="background:url(//x)"', "width='30' height='20'", 'width="30" width="30" height="20"',
  'WIDTH="30" HEIGHT="20"', 'width="1cm" height="1in"', 'width="30" height="20" xml:base="//x"',
];
// biome-ignore format: a list
const svgContents = [
  ...words(`
    <path/> <script>x()</script> <SCRIPT>x()</SCRIPT> <foreignObject><p/></foreignObject>
    <style>a{fill:url(#b)}</style> <text>&x;</text> <text>&</text> <![CDATA[
    <title>x</title><desc><b/></desc>
  `),
  '', '<s:script xmlns:s="http://www.w3.org/2000/svg"/>', '<a href="javascript:x()"><path/></a>',
  '<a href="java&#10;script:x()"><path/></a>', '<a xlink:href="//x"><path/></a>', '<use href="#a"/>',
  '<use href="x.svg#a"/>', '<image href="data:image/png;base64,AA=="/>', '<image href="data:image/svg+xml,x"/>',
  '<image href="https://x/y.png"/>', '<style>@import "x"</style>', '<style>a{fill:u\\72l(//x)}</style>',
  '<style><![CDATA[@import url(//x)]]></style>', '<path fill="url(#a)"/>', '<path fill="url(//x)"/>',
  '<set attributeName="href" to="//x"/>', '<animate attributeName="onload" to="x()"/>', '<text>&lt;b&gt; &amp;</text>',
  '<text>\u0000</text>',
  '<g>'.repeat(3000),
  `${'<g>'.repeat(3000)}${'</g>'.repeat(3000)}`,
  '<path onclick=x/>',
  '<path\u00a0/>',
  '<!-- -- -->',
  '<text>\u00e9e\u0301</text>',
  '<iframe src="x"/>',
  '<animate href="#a" attributeName="x" begin="0s"/>',
  '<path d="M0 0" data-on="x"/>',
  '<text> on x="y" </text>',
];
