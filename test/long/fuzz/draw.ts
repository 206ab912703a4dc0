import fc, { type GeneratorValue, type RunDetails } from 'fast-check';

const uniform = (max: number) => fc.noBias(fc.nat(max));

/** Makes random choices. */
export class Draw {
  /** An integer from 0 to `bound` - 1. */
  readonly below: (bound: number) => number;

  constructor(below: (bound: number) => number) {
    this.below = below;
  }

  /** Draws from fast-check, which records, repeats and shrinks what is drawn. @param value of `fc.gen` */
  static from(value: GeneratorValue): Draw {
    return new Draw((bound) => value(uniform, bound - 1));
  }

  /** An integer from `first` to `last`, inclusive. */
  between(first: number, last: number): number {
    return first + this.below(last - first + 1);
  }

  /** @param probability to the third decimal */
  chance(probability: number): boolean {
    return this.below(1000) >= 1000 - 1000 * probability;
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)] as Value;
  }

  /** One of the values, with probabilities proportional to the weights. */
  weighted<Value>(choices: readonly (readonly [weight: number, value: Value])[]): Value {
    let left = this.below(choices.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, value] of choices) {
      if (left < weight) return value;
      left -= weight;
    }
    throw new RangeError('There is nothing to choose from.');
  }
}

/** The words of a text. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

const { SEED, CASE } = process.env;

/**
 * The parameters of a property. SEED and CASE in the environment repeat a failure.
 *
 * @param name of the test file
 */
export function parameters<Input>(name: string, numRuns: number) {
  return {
    numRuns,
    seed: Number(SEED ?? 1),
    ...(CASE !== undefined && { path: CASE }),
    reporter({ failed, seed, counterexamplePath, errorInstance }: RunDetails<Input>) {
      if (!failed) return;
      const repeat = `SEED=${seed} CASE=${counterexamplePath} npm test -- test/long/fuzz/${name}.test.ts`;
      throw new Error(`${(errorInstance as Error)?.message}\n\nTo reproduce: ${repeat}`, { cause: errorInstance });
    },
  };
}
