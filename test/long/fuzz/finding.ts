/** Something that is wrong with the product, in words: what, the smallest input that shows it, how to see it again. */
export class Finding extends Error {
  override readonly name = 'Finding';

  constructor(parts: {
    readonly fault: string;
    readonly what: 'http' | 'content';
    readonly seed: string;
    /** Undefined where no single case shows it. */
    readonly number: number | undefined;
    /** As it stands in the corpus. */
    readonly input: string;
  }) {
    const { fault, what, seed, number, input } = parts;
    const one = number === undefined ? '' : ` CASE=${number}`;
    super(`${fault}

The smallest input that shows it:

${input}

Again: SEED=${seed}${one} npm run test:long -- fuzz ${what}
It is kept by adding it to test/long/fuzz/corpus/${what}.ts.`);
  }
}
