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
  /** How many public URLs have another response than in the release before. */
  readonly changedUrls: number;
  /** Responses that were reused from the last release. */
  readonly reused: number;
  /** Responses that were compressed by this build. */
  readonly created: number;
}

export interface PublishedBuild extends Publication {
  readonly stages: Stopwatch['laps'];
  /** The shifts that were processed. */
  readonly timed: readonly TimedShift[];
}

/** Measures consecutive stages. */
export class Stopwatch {
  readonly laps: { readonly name: string; readonly milliseconds: number }[] = [];
  #start = performance.now();

  /** Ends a stage that began when the last one ended. */
  lap(name: string): void {
    const now = performance.now();
    this.laps.push({ name, milliseconds: now - this.#start });
    this.#start = now;
  }
}
