import { scaleLinear } from 'd3-scale';

/** The strongest shade of a heat map, 1 being the faintest; what there is none of has no shade. */
const strongest = 5;

/** A span of counts, and the shade that stands for it. */
export interface HeatLevel {
  readonly from: number;
  readonly to: number;
  readonly shade: number;
}

/**
 * Parts counts from 1 up into as many levels as there are shades, or fewer, that begin at round numbers.
 *
 * @param most of all counts; 0 has no levels
 */
export function heatLevels(most: number): HeatLevel[] {
  const starts = startsUpTo(most);
  return starts.map((from, index) => ({
    from,
    to: (starts[index + 1] ?? most + 1) - 1,
    // Few levels are as far apart as they can be, and the highest is always the strongest.
    shade: Math.round(((index + 1) * strongest) / starts.length),
  }));
}

/** The shade of a count; undefined of 0. */
export function shadeOf(levels: readonly HeatLevel[], count: number): number | undefined {
  return levels.find(({ from, to }) => count >= from && count <= to)?.shade;
}

function startsUpTo(most: number): number[] {
  if (most <= strongest) return Array.from({ length: most }, (_, index) => index + 1);
  const scale = scaleLinear([0, most], [0, 1]);
  for (let ticks = strongest; ; ticks -= 1) {
    const starts = [1, ...scale.ticks(ticks).filter((tick) => tick > 1 && tick < most)];
    if (starts.length <= strongest) return starts;
  }
}
