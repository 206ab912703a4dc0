import assert from 'node:assert/strict';

/** What a process tells at one moment, in the text format of Prometheus. */
export class Scrape {
  readonly text: string;
  /** By name with labels, as it is written. */
  readonly #values = new Map<string, number>();

  private constructor(text: string) {
    this.text = text;
    for (const line of text.split('\n')) {
      if (line === '' || line.startsWith('#')) continue;
      const [, series = assert.fail(`"${line}" is no sample`), value] = /^(.*) (\S+)$/.exec(line) ?? [];
      assert.ok(!this.#values.has(series), `${series} is told twice`);
      this.#values.set(series, Number(value));
    }
  }

  static async of(adminUrl: string): Promise<Scrape> {
    const answer = await fetch(`${adminUrl}/metrics`);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
    return new Scrape(await answer.text());
  }

  /** The value of a series, `name{label="value"}`; undefined where it is not told. */
  value(series: string): number | undefined {
    return this.#values.get(series);
  }

  /** Names of all metrics, with those of a histogram's parts. */
  get names(): ReadonlySet<string> {
    return new Set([...this.#values.keys()].map((series) => series.replace(/\{.*$/, '')));
  }

  /** All series of a metric. */
  seriesOf(name: string): string[] {
    return [...this.#values.keys()].filter((series) => series.replace(/\{.*$/, '') === name);
  }
}
