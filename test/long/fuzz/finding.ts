/** A bug in the product: what is wrong, the smallest input that shows it, and how to reproduce it. */
export class Finding extends Error {
  override readonly name = 'Finding';

  constructor(parts: {
    readonly failure: string;
    readonly what: 'http' | 'content';
    readonly seed: string;
    /** The number of the case; undefined if no single case shows it. */
    readonly number: number | undefined;
    /** The input, in the format of the corpus. */
    readonly input: string;
  }) {
    const { failure, what, seed, number, input } = parts;
    const one = number === undefined ? '' : ` CASE=${number}`;
    super(`${failure}

Smallest input that shows it:

${input}

Reproduce: SEED=${seed}${one} npm run test:long -- fuzz ${what}
Add it to test/long/fuzz/corpus/${what}.ts when it is fixed.`);
  }
}
