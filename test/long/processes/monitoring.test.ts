import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { freePort } from '../../free-port.ts';
import { Scrape } from '../../gateway/ops/scrape.ts';
import { startServer } from '../../gateway/server-process.ts';
import { repository } from '../../gateway/started-process.ts';

interface Panel {
  readonly targets?: readonly { readonly expr: string }[];
}

const docs = join(repository, 'docs');
const guide = await readFile(join(docs, 'operations.md'), 'utf8');
const alertsFile = join(docs, 'operations/alerts.yml');
const { rules } = parse(await readFile(alertsFile, 'utf8')).groups[0];
const dashboard = JSON.parse(await readFile(join(docs, 'operations/dashboard.json'), 'utf8'));
const panels: readonly Panel[] = dashboard.panels;
const queries: readonly string[] = [
  ...panels.flatMap(({ targets = [] }) => targets),
  ...dashboard.annotations.list,
].map(({ expr }) => expr);
const definitions: readonly string[] = dashboard.templating.list.flatMap(
  ({ definition }: { definition?: string }) => definition ?? [],
);

/** Redis is not running, which does not change the list of metrics. */
const env = {
  ADMIN_PORT: '0',
  INTROSPECTION_SECRET: randomBytes(32).toString('base64'),
  REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
};
const [gateway, service] = [await startServer('gateway', env), await startServer('auth', env)];
const [ofGateway, ofService] = [
  await Scrape.of(gateway.adminOrigin),
  await Scrape.of(service.adminOrigin),
];
await Promise.all([gateway.stop(), service.stop()]);

/** Runs promtool. Returns its exit status and output. */
function promtool(args: readonly string[], input?: string): readonly [number | null, string] {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', input });
  return [status, stdout + stderr];
}

/** The names of metrics in an expression: all names start with one of these prefixes. */
function metricsIn(expression: string): string[] {
  return expression.match(/\b(pastpaper|process|nodejs)_\w+/g) ?? [];
}

describe('The Grafana dashboard', () => {
  it('uses only metrics that a gateway exports', () => {
    const names = [...queries, ...definitions].flatMap(metricsIn);
    assert.ok(names.length > 30);
    assert.deepEqual(
      names.filter((name) => !ofGateway.names.has(name)),
      [],
    );
  });

  it('shows every metric of the gateway', () => {
    const shown = new Set(queries.flatMap(metricsIn).map(familyOf));
    assert.deepEqual(
      families(ofGateway).filter((family) => !shown.has(family.split(' ', 1)[0] ?? '')),
      [],
    );
  });

  it('has valid Prometheus expressions', async () => {
    const file = join(await temporaryFolder(), 'queries.yml');
    const asRules = queries.map((expr, index) => ({
      record: `query_${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll(/\$(job|instance)/g, 'any'),
    }));
    await writeFile(file, JSON.stringify({ groups: [{ name: 'queries', rules: asRules }] }));
    const [status, output] = promtool(['check', 'rules', '--lint-fatal', file]);
    assert.equal(status, 0, output);
  });
});

describe('The alerts', () => {
  it('use only metrics that a gateway exports', () => {
    for (const { alert, expr } of rules) {
      const names = metricsIn(expr);
      assert.ok(names.length > 0 || /\bup\{/.test(expr), alert);
      for (const name of names) assert.ok(ofGateway.names.has(name), `${alert}: ${name}`);
    }
  });

  it('have a severity and a summary, and are documented', () => {
    for (const { alert, labels, annotations } of rules) {
      assert.match(labels.severity, /^(page|ticket)$/, alert);
      assert.match(annotations.summary, /\.$/, alert);
      assert.ok(guide.includes(`\`${alert}\``), alert);
    }
  });

  it('are valid Prometheus rules, and pass the tests in alerts.yml', () => {
    for (const args of [
      ['check', 'rules', '--lint-fatal', alertsFile],
      ['test', 'rules', fileURLToPath(new URL('alerts.yml', import.meta.url))],
    ]) {
      const [status, output] = promtool(args);
      assert.equal(status, 0, output);
    }
  });
});

describe('The metrics', () => {
  it('match the table in docs/operations.md, with types and labels', () => {
    const rows = [...guide.matchAll(/^\| `(pastpaper_\w+)` +\| (\w+) +\| ([^|]*?) +\|/gm)].map(
      ([, name = '', type = '', labels = '']) =>
        [name, type, ...(labels.match(/\w+/g) ?? []).sort()].join(' '),
    );
    assert.deepEqual(rows.sort(), families(ofGateway));
  });

  it('of pastpaper auth are the same, without those of limits and releases', () => {
    const ofGatewayOnly = /^pastpaper_(?:limits|body_cache|damaged_bodies|release)_/;
    const shared = families(ofGateway).filter((name) => !ofGatewayOnly.test(name));
    assert.deepEqual(families(ofService), shared);
  });

  it('pass promtool check metrics', () => {
    // promtool also checks names, but those of prom-client are not ours.
    const ours = ofGateway.text
      .split('\n\n')
      .filter((family) => family.startsWith('# HELP pastpaper_'));
    assert.equal(ours.length, families(ofGateway).length);
    const [status, output] = promtool(['check', 'metrics'], `${ours.join('\n')}\n`);
    assert.deepEqual([status, output], [0, '']);
    assert.notEqual(
      promtool(['check', 'metrics'], ofGateway.text)[0],
      1,
      'the whole scrape is parsed',
    );
  });
});

/** The metrics of Pastpaper, sorted: name, type, and the names of labels. */
function families(scrape: Scrape): string[] {
  return [...scrape.text.matchAll(/^# TYPE (pastpaper_\w+ \w+)\n(.*)/gm)]
    .map(([, family, sample = '']) =>
      [family, ...(sample.match(/\w+(?==")/g) ?? []).sort()].join(' '),
    )
    .sort();
}

/** The metric name without the suffix of a histogram series. */
function familyOf(name: string): string {
  return name.replace(/_(bucket|sum|count)$/, '');
}
