/** What `git cat-file --batch` answers, object by object in the order of the questions. */
export class BatchOutput {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(output: AsyncIterable<Buffer>) {
    this.#chunks = output[Symbol.asyncIterator]();
  }

  /** The next object's bytes; undefined when git has no such object, or ended. */
  async next(): Promise<Buffer | undefined> {
    const header = await this.#line();
    const size = / (\d+)$/.exec(header)?.[1];
    if (size === undefined) return undefined;
    const bytes = await this.#take(Number(size));
    await this.#take(1);
    return bytes;
  }

  async #line(): Promise<string> {
    const parts: Buffer[] = [];
    for (;;) {
      const end = this.#rest.indexOf('\n');
      if (end >= 0) {
        const line = Buffer.concat([...parts, this.#rest.subarray(0, end)]);
        this.#rest = this.#rest.subarray(end + 1);
        return line.toString();
      }
      parts.push(this.#rest);
      if (!(await this.#more())) return '';
    }
  }

  async #take(size: number): Promise<Buffer | undefined> {
    const parts: Buffer[] = [];
    let missing = size;
    for (;;) {
      const part = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(part.length);
      parts.push(part);
      missing -= part.length;
      if (missing === 0) return Buffer.concat(parts);
      if (!(await this.#more())) return undefined;
    }
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#chunks.next();
    this.#rest = done ? Buffer.alloc(0) : value;
    return !done;
  }
}
