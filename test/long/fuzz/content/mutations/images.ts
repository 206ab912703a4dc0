import { avif, gif, heic, jpeg, png, svg, webp } from '../../../../build/image-bytes.ts';
import type { Draw } from '../../draw.ts';
import pieces from './pieces.json' with { type: 'json' };

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
const { prologues, svgAttributes } = pieces.images;
const groups = '<g>'.repeat(3000);
const svgContents = [...pieces.images.svgContents, groups, groups + '</g>'.repeat(3000)];
const endings = ['</svg>', '</svg>\n', '', '</svg><!-- x -->', '</svg><svg/>', '</SVG>'];

function randomSvg(draw: Draw): string {
  const attributes = draw.pick(svgAttributes);
  const root = `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>`;
  return draw.pick(prologues) + root + draw.pick(svgContents) + draw.pick(endings);
}
