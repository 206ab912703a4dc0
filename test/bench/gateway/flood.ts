/**
 * Measures a gateway under attack, on SQLite and on PostgreSQL: downloads with a key during a flood of rejected sign-ins from
 * one address and from 1,000, and the counts that `kill -9` loses meanwhile.
 * Argument: seconds of each measurement.
 */
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Engine, postgres, sqlite } from '../../gateway/accounts/engines.ts';
import { Accounts } from '../../long/accounts.ts';
import { Load, wrongSignIns } from '../../long/replicas/load.ts';
import { conditions, ms, quantile, table } from '../figures.ts';
import { paperPath, writeQuestions } from '../generated.ts';
import { atEnd, runBench, runPinned } from '../processes.ts';
import { startBenchGateway } from '../servers.ts';

const seconds = Number(process.argv[2] ?? 20);
/** Downloads per second. */
const rate = 200;
/** Connections of the flood, and milliseconds between its requests on each: about 500 requests a second. */
const [connections, pause] = [64, 127];

const script = fileURLToPath(new URL('../fixed-rate.ts', import.meta.url));
const fixedRate = [process.execPath, '--import', import.meta.resolve('tsx'), script];

/** Measures downloads without and with each flood, and kills the gateway in the last one. */
async function measureFloods(engine: Engine, folder: string): Promise<(string | number)[][]> {
  const { location, url, remove } = await engine.createDatabase();
  atEnd(remove);
  const accounts = await Accounts.open(location);
  const { id, key: roomyKey } = await accounts.create('school', 'roomy');
  const used = async () => [...(await accounts.counted(id)).values()][0] ?? 0;
  const settings = { TRUST_PROXY: '1', DATABASE_URL: url };
  const data = await mkdtemp(join(folder, 'data-'));
  const { origin, process: gateway } = await startBenchGateway(
    data,
    join(folder, 'dist'),
    settings,
  );
  const client = [...fixedRate, `${origin}/${paperPath(0)}`, roomyKey, `${rate}`, `${seconds}`];
  const rows: (string | number)[][] = [];
  let allowed = '';
  for (const addresses of [0, 1, 1000]) {
    // Counts of the row before are written twice a second.
    await delay(2000);
    const before = await used();
    const flood =
      addresses === 0 ? undefined : new Load(origin, wrongSignIns(addresses), connections, pause);
    // It fails at a response that is not 200.
    const latencies: number[] = JSON.parse(await runPinned(client));
    // Without the first second, before the gateway is warm.
    const [middle = Number.NaN, p99 = Number.NaN] = [0.5, 0.99].map((share) =>
      quantile(latencies.slice(rate), share),
    );
    if (addresses === 1000) {
      gateway.kill('SIGKILL');
      await once(gateway, 'exit');
    }
    await flood?.end();
    const lost = addresses === 1000 ? before + latencies.length - (await used()) : '';
    rows.push([`${engine.name}, ${addresses} addresses`, ms(middle), ms(p99), allowed, lost]);
    allowed ||= ms(2 * p99 + 10);
  }
  await accounts.close();
  return rows;
}

await runBench(async (folder) => {
  console.log(conditions());
  await writeQuestions(folder);
  const rows: (string | number)[][] = [];
  for (const engine of [sqlite, postgres]) {
    if (engine.skip) console.log(`${engine.name}: ${engine.skip}`);
    else rows.push(...(await measureFloods(engine, folder)));
  }
  console.log(
    table(['Downloads, flood from', 'median', 'p99', 'at most', `lost of ${rate} a second`], rows),
  );
});
