import fc, { type Arbitrary, type GeneratorValue, type RunDetails } from 'fast-check';

/** One of the arbitraries, with probabilities proportional to the weights. */
export function weighted<Value>(
  ...choices: readonly (readonly [weight: number, arbitrary: Arbitrary<Value>])[]
): Arbitrary<Value> {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

/** A value in some percent of cases, and otherwise another one. */
export function sometimes<Value>(
  percent: number,
  arbitrary: Arbitrary<Value>,
  otherwise: Value,
): Arbitrary<Value> {
  return weighted([percent, arbitrary], [100 - percent, fc.constant(otherwise)]);
}

/** An integer from 0 to `max`, whose values are equally likely. */
export function uniform(max: number): Arbitrary<number> {
  return fc.noBias(fc.nat(max));
}

/** Chooses one of the values; fast-check records, repeats and shrinks the choice. */
export type Pick = <Value>(values: readonly Value[]) => Value;

/** @param value of `fc.gen` */
export function pickWith(value: GeneratorValue): Pick {
  return (values) => values[value(uniform, values.length - 1)] as (typeof values)[number];
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
      throw new Error(`${(errorInstance as Error)?.message}\n\nTo reproduce: ${repeat}`, {
        cause: errorInstance,
      });
    },
  };
}
