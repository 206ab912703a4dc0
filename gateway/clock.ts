/** The time, handed to whoever needs it so that tests can set it. */
export interface Clock {
  /** Wall clock: milliseconds since 1970 in UTC. It may be set back. */
  now(): number;
  /** Microseconds since some moment, whole, so that sums and differences are exact; never goes back. */
  elapsed(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => Math.floor(performance.now() * 1000),
};
