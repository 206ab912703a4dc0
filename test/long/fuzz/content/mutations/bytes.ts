import type { Draw } from '../../draw.ts';
import pieces from './pieces.json' with { type: 'json' };

/** Mutates bytes like a failing disk, an editor, or a program with another encoding. */
export function mutateBytes(draw: Draw, bytes: Buffer): Buffer {
  const at = draw.below(bytes.length + 1);
  const end = Math.min(bytes.length, at + draw.below(20));
  const [before, part, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
  const insert = (piece: string) => Buffer.concat([before, Buffer.from(piece, 'latin1'), part, after]);
  return draw.weighted<() => Buffer>([
    [6, () => Buffer.concat([before, flipped(draw, part), after])],
    [4, () => insert(draw.pick(pieces.bytes.odd))],
    [3, () => Buffer.concat([before, after])],
    [2, () => before],
    [1, () => after],
    [1, () => Buffer.concat([before, part, part, after])],
    [1, () => Buffer.concat([bytes, bytes])],
    [1, () => Buffer.concat([Buffer.from('\xef\xbb\xbf', 'latin1'), bytes])],
    [1, () => Buffer.from(`\ufeff${bytes.toString()}`, 'utf16le')],
    [1, () => Buffer.from(bytes.toString(), 'latin1')],
    [1, () => Buffer.from(bytes.toString('latin1'), 'utf8')],
    [1, () => Buffer.from(bytes.toString().replaceAll('\n', draw.pick(['\r\n', '\r', '\u2028', ''])))],
    [1, () => Buffer.alloc(draw.pick([0, 1, 100]))],
  ])();
}

function flipped(draw: Draw, part: Buffer): Buffer {
  const copy = Buffer.from(part);
  for (const index of copy.keys()) if (draw.chance(0.3)) copy[index] = (copy[index] ?? 0) ^ (1 << draw.below(8));
  return copy;
}
