import type { TimedShift } from '../check/work.ts';
import type { Manifest } from '../release/manifest.ts';

/** What a build came to, for the person who waited. */
export interface BuildFigures {
  readonly bytes: ReleaseBytes;
  readonly stages: readonly { readonly name: string; readonly milliseconds: number }[];
  /** The shifts that took longest to check and answer, the slowest first. */
  readonly slowest: readonly TimedShift[];
}

/** Bytes of a release's answers: as they are, and as they are sent to who takes the smallest form. */
export interface ReleaseBytes {
  readonly plain: number;
  readonly smallest: number;
}

/** So many of the slowest are told. */
const toldShifts = 3;

export function slowestOf(shifts: readonly TimedShift[]): TimedShift[] {
  return [...shifts].sort((one, other) => other.milliseconds - one.milliseconds).slice(0, toldShifts);
}

export function bytesOf({ public: open, protected: locked }: Manifest): ReleaseBytes {
  let plain = 0;
  let smallest = 0;
  for (const resources of [open, locked]) {
    for (const { identity, br, gzip } of Object.values(resources)) {
      plain += identity.size;
      smallest += Math.min(identity.size, br?.size ?? identity.size, gzip?.size ?? identity.size);
    }
  }
  return { plain, smallest };
}
