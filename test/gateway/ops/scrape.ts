import assert from 'node:assert/strict';

/** The metrics of a process at one time, in the text format of Prometheus. */
export class Scrape {
  readonly text: string;
  /** By series: name and labels, as written. */
  readonly #values = new Map<string, number>();

  private constructor(text: string) {
    this.text = text;
    for (const line of text.split('\n')) {
      if (line === '' || line.startsWith('#')) continue;
      const [, series = assert.fail(`"${line}" is not a sample`), value] =
        /^(.*) (\S+)$/.exec(line) ?? [];
      assert.ok(!this.#values.has(series), `${series} appears twice`);
      this.#values.set(series, Number(value));
    }
  }

  static async of(adminUrl: string): Promise<Scrape> {
    const response = await fetch(`${adminUrl}/metrics`);
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
    return new Scrape(await response.text());
  }

  /** The value of a series, `name{label="value"}`; undefined if there is none. */
  value(series: string): number | undefined {
    return this.#values.get(series);
  }

  /** The names of all metrics, including the parts of histograms. */
  get names(): ReadonlySet<string> {
    return new Set([...this.#values.keys()].map((series) => series.replace(/\{.*$/, '')));
  }

  /** All series of a metric. */
  seriesOf(name: string): string[] {
    return [...this.#values.keys()].filter((series) => series.replace(/\{.*$/, '') === name);
  }
}
