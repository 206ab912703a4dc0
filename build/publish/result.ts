import type { Report } from '../check/diagnostic.ts';
import type { TimedShift } from '../check/work.ts';
import type { Manifest } from '../release/manifest.ts';
import type { Publication } from './publish.ts';

/** What a build comes to. */
export interface BuildResult {
  readonly report: Report;
  /** Undefined when the content has errors: then nothing was published. */
  readonly publication: PublishedBuild | undefined;
}

export interface PublishedBuild extends Publication {
  readonly figures: BuildFigures;
}

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

/** How long each part of a piece of work took, one part after the other. */
export class Stopwatch {
  readonly #clock: () => number;
  readonly #laps: { readonly name: string; readonly milliseconds: number }[] = [];
  #start: number;

  /** @param clock in milliseconds, from any moment on */
  constructor(clock: () => number) {
    this.#clock = clock;
    this.#start = clock();
  }

  /** Ends a part that began where the last one ended. */
  lap(name: string): void {
    const now = this.#clock();
    this.#laps.push({ name, milliseconds: now - this.#start });
    this.#start = now;
  }

  get laps(): readonly { readonly name: string; readonly milliseconds: number }[] {
    return this.#laps;
  }
}
