import { createHash } from 'node:crypto';

/**
 * A pseudorandom number generator with reproducible output: Chris Doty-Humphrey's sfc32 of PractRand.
 */
export class Random {
  readonly #state: Uint32Array;

  /** @param names the seed and the name of the series */
  constructor(...names: readonly (string | number)[]) {
    const digest = createHash('sha256').update(names.join(' ')).digest();
    this.#state = Uint32Array.from({ length: 4 }, (_, word) => digest.readUInt32LE(word * 4));
  }

  /** An integer from 0 to `bound` - 1. */
  below(bound: number): number {
    return Math.floor((this.#word() / 0x1_0000_0000) * bound);
  }

  /** An integer from `first` to `last`, inclusive. */
  between(first: number, last: number): number {
    return first + this.below(last - first + 1);
  }

  chance(probability: number): boolean {
    return this.#word() / 0x1_0000_0000 < probability;
  }

  pick<Value>(values: readonly Value[]): Value {
    if (values.length === 0) throw new RangeError('There is nothing to pick from.');
    return values[this.below(values.length)] as Value;
  }

  /** One of the values, with probabilities proportional to the weights. */
  weighted<Value>(choices: readonly (readonly [weight: number, value: Value])[]): Value {
    let left = this.below(choices.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, value] of choices) {
      if (left < weight) return value;
      left -= weight;
    }
    throw new RangeError('There is nothing to pick from.');
  }

  #word(): number {
    const [a = 0, b = 0, c = 0, counter = 0] = this.#state;
    const word = (a + b + counter) >>> 0;
    this.#state[0] = b ^ (b >>> 9);
    this.#state[1] = c + (c << 3);
    this.#state[2] = ((c << 21) | (c >>> 11)) + word;
    this.#state[3] = counter + 1;
    return word;
  }
}
