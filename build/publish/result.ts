import type { Report } from '../check/diagnostic.ts';
import type { TimedShift } from '../check/process-content.ts';
import type { Manifest } from '../release/manifest.ts';

/** The result of a build. */
export interface BuildResult {
  readonly report: Report;
  /** Undefined if the content has errors: nothing was published. */
  readonly publication: PublishedBuild | undefined;
}

export interface Publication {
  readonly manifest: Manifest;
  /** The release's folder. */
  readonly folder: string;
  /** How many public URLs have another response than in the release before. */
  readonly changedUrls: number;
  /** Responses that were reused from the last release. */
  readonly reused: number;
  /** Responses that were compressed by this build. */
  readonly created: number;
}

export interface PublishedBuild extends Publication {
  readonly figures: BuildFigures;
}

/** Sizes and durations, for the summary that a build prints. */
interface BuildFigures {
  readonly bytes: ReleaseBytes;
  readonly stages: readonly { readonly name: string; readonly milliseconds: number }[];
  /** The shifts that took longest to process, the slowest first. */
  readonly slowest: readonly TimedShift[];
}

/** Bytes of all bodies of a release: plain, and each in its smallest coding. */
interface ReleaseBytes {
  readonly plain: number;
  readonly smallest: number;
}

/** How many of the slowest shifts are listed. */
const listedShifts = 3;

export function slowestOf(shifts: readonly TimedShift[]): TimedShift[] {
  return [...shifts].sort((one, other) => other.milliseconds - one.milliseconds).slice(0, listedShifts);
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

/** Measures consecutive stages. */
export class Stopwatch {
  readonly #clock: () => number;
  readonly #laps: { readonly name: string; readonly milliseconds: number }[] = [];
  #start: number;

  /** @param clock in milliseconds from any moment */
  constructor(clock: () => number) {
    this.#clock = clock;
    this.#start = clock();
  }

  /** Ends a stage that began when the last one ended. */
  lap(name: string): void {
    const now = this.#clock();
    this.#laps.push({ name, milliseconds: now - this.#start });
    this.#start = now;
  }

  get laps(): readonly { readonly name: string; readonly milliseconds: number }[] {
    return this.#laps;
  }
}
