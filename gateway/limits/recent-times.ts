/** Times that a new one first needs room for. */
const firstRoom = 4;

/** Moments in the order in which they came. A busy account has thousands in a second: none is copied to add one. */
export class RecentTimes {
  #times = new Float64Array(firstRoom);
  /** Place of the oldest. */
  #first = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** @param index 0: the oldest */
  at(index: number): number | undefined {
    if (index < 0 || index >= this.#length) return undefined;
    return this.#times[(this.#first + index) % this.#times.length];
  }

  /** @param time not before the last one */
  add(time: number): void {
    if (this.#length === this.#times.length) this.#grow();
    this.#times[(this.#first + this.#length) % this.#times.length] = time;
    this.#length += 1;
  }

  /** Forgets those up to a moment. */
  forgetUntil(time: number): void {
    while (this.#length > 0 && (this.#times[this.#first] ?? 0) <= time) {
      this.#first = (this.#first + 1) % this.#times.length;
      this.#length -= 1;
    }
  }

  #grow(): void {
    const grown = new Float64Array(this.#times.length * 2);
    grown.set(this.#times.subarray(this.#first));
    grown.set(this.#times.subarray(0, this.#first), this.#times.length - this.#first);
    this.#times = grown;
    this.#first = 0;
  }
}
