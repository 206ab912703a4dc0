/**
 * Measures a gateway under attack, on SQLite and on PostgreSQL: downloads with a key during a flood of rejected sign-ins from
 * one address and from 1,000, and the counts that `kill -9` loses meanwhile. Then the requests of an account with many keys.
 * Argument: seconds of each measurement.
 */
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Engine, postgres, sqlite } from '../../gateway/accounts/engines.ts';
import { signedIn } from '../../gateway/accounts/users/visitor.ts';
import { runGateway } from '../../gateway/running-gateway.ts';
import { Accounts } from '../../long/accounts.ts';
import { Load, wrongSignIns } from '../../long/replicas/load.ts';
import { conditions, median, ms, table } from '../figures.ts';
import { paperPath, writeQuestions } from '../generated.ts';
import { latenciesAt, targetOf } from '../load.ts';
import { atEnd, runBench } from '../processes.ts';
import { startBenchGateway } from '../servers.ts';

const seconds = Number(process.argv[2] ?? 20);
/** Downloads per second. */
const rate = 200;
/** Connections of the flood, and milliseconds between its requests on each: about 500 requests a second. */
const [connections, pause] = [64, 127];

/** Measures downloads without and with each flood, and kills the gateway in the last one. */
async function measureFloods(engine: Engine, folder: string): Promise<(string | number)[][]> {
  const { location, url, remove } = await engine.createDatabase();
  atEnd(remove);
  const accounts = await Accounts.open(location);
  const { id, key: roomyKey } = await accounts.create('school', 'roomy');
  const used = async () => [...(await accounts.counted(id)).values()][0] ?? 0;
  const settings = { TRUST_PROXY: '1', DATABASE_URL: url };
  const data = await mkdtemp(join(folder, 'data-'));
  const { origin, process: gateway } = await startBenchGateway(data, join(folder, 'dist'), {
    settings,
  });
  const target = await targetOf(200, `${origin}/${paperPath(0)}`, { roomyKey });
  const rows: (string | number)[][] = [];
  let allowed = '';
  for (const addresses of [0, 1, 1000]) {
    // Counts of the row before are written twice a second.
    await delay(2000);
    const before = await used();
    const flood =
      addresses === 0 ? undefined : new Load(origin, wrongSignIns(addresses), connections, pause);
    // It throws at a response that is not 200.
    const { median: middle = Number.NaN, p99 = Number.NaN } =
      (await latenciesAt(target, rate, seconds)) ?? {};
    if (addresses === 1000) {
      gateway.kill('SIGKILL');
      await once(gateway, 'exit');
    }
    await flood?.end();
    const lost = addresses === 1000 ? before + rate * seconds - (await used()) : '';
    rows.push([`${engine.name}, ${addresses} addresses`, ms(middle), ms(p99), allowed, lost]);
    allowed ||= ms(2 * p99 + 10);
  }
  await accounts.close();
  return rows;
}

/** Measures the requests of an account with more and more keys, and how long they block the event loop. */
async function measureKeys(): Promise<(string | number)[][]> {
  const { authUrl, database, close } = await runGateway({}, 'in-real-time');
  atEnd(close);
  const ada = await signedIn(authUrl);
  const { id } = await database.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  const month = new Date().toISOString().slice(0, 7);
  const rows: (string | number)[][] = [];
  for (const count of [1000, 2000, 5000, 10_000]) {
    const numbers = sql`with recursive numbers as (select 1 as number union all select number + 1 from numbers
      where number < ${count}) insert or ignore into`;
    await sql`${numbers} keys (id, "accountId", name, hash, start, "createdAt", "revokedAt")
      select 'key_' || number, ${id}, '', 'hash ' || number, 'pfx_', number, number from numbers`.execute(
      database,
    );
    for (const day of [10, 15, 20])
      await sql`${numbers} "keyUsage" (account, day, key, used, "rejectedByRate", "rejectedByQuota")
        select ${id}, ${`${month}-${day}`}, 'key_' || number, 1, 0, 0 from numbers`.execute(
        database,
      );
    const figures: string[] = [];
    for (const path of ['account', 'keys', `keys?page=${count / 50}`]) {
      const times: number[] = [];
      const blocks = monitorEventLoopDelay({ resolution: 1 });
      blocks.enable();
      for (let time = 0; time < 9; time += 1) {
        const start = performance.now();
        if ((await ada.get(path)).status !== 200) throw new Error(`${path} failed`);
        times.push(performance.now() - start);
      }
      blocks.disable();
      figures.push(ms(median(times)), ms(blocks.max / 1e6));
    }
    rows.push([count, ...figures]);
  }
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
  const head = ['account', 'keys', 'last page of keys'].flatMap((name) => [name, 'longest block']);
  console.log(table(['Keys', ...head], await measureKeys()));
});
