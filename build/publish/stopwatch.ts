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
