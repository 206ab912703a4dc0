/**
 * Measures what a request costs gateways, Redis, the authentication service and PostgreSQL, compares a simulation with
 * these costs with a measured run of replicas, and writes what numbers of accounts and questions need to docs/scale.md.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgres } from '../../gateway/auth/engines.ts';
import { noRedis } from '../../gateway/limits/redis-server.ts';
import { client } from '../gateway/load.ts';
import { putIntoDocs } from '../gateway/table.ts';
import { measureCosts, startServers } from './costs.ts';
import { buildBank, memoryOfGateway, paths } from './measured-bank.ts';
import type { Profile } from './model.ts';
import { compareReplicas } from './replica-runs.ts';
import { accountTable, answer, comparisonTable, costTable, partTable, questionTable } from './tables.ts';

const rounds = Number(process.argv[2] ?? 3);
const seconds = Number(process.argv[3] ?? 1);
/** Copies of the papers of the larger bank in the release with which the memory of a gateway is measured. */
const exams = 10;

/** Accounts that use the whole quota of `free`, most of it in the hours before an exam. */
const free: Profile = {
  requestsPerMonth: 1_000,
  peak: 10,
  mix: {
    ...{ metadata: 0.5, metadata304: 0.5 },
    ...{ paper: 0.5, paper304: 0.3, diagram: 0.2 },
    ...{ '401': 0.02, '429': 0.05 },
  },
  session: { requests: 20, seconds: 60 },
  signInsPerMonth: 2,
  cdn: 0.9,
};
/** The plan `school` in docs/settings.md. */
const school: Profile = {
  ...free,
  requestsPerMonth: 100_000,
  session: { requests: 600, seconds: 60 },
};

const missing = [
  postgres.skip,
  noRedis,
  client !== 'wrk' && 'there is no wrk',
  process.platform !== 'linux' && 'processor times are read from /proc',
].filter((why) => why !== false);
if (missing.length === 0) await main();
else {
  console.error(`This benchmark needs Linux with wrk, Redis and PostgreSQL: ${missing.join('; ')}.`);
  process.exitCode = 2;
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
  try {
    const small = await buildBank(join(folder, 'small'), 10_000);
    const large = await buildBank(join(folder, 'large'), 100_000);
    const memory = [
      [large.papers, await memoryOfGateway(folder, large, 1)],
      [large.papers * exams, await memoryOfGateway(folder, large, exams)],
    ] as const;
    const servers = await startServers(small.distDir);
    try {
      const costs = await measureCosts(servers, paths, rounds, seconds);
      const runs = await compareReplicas(servers, paths, 2 * rounds, seconds * 2);
      const load = loadavg().map((average) => average.toFixed(1));
      const machine = `Node ${process.versions.node}, ${cpus()[0]?.model.trim()} with ${cpus().length} cores, load ${load.join(' ')}, ${new Date().toISOString().slice(0, 10)}.`;
      const sections = {
        answer: answer(costs, free, school),
        costs: `${machine}\n\n${costTable(costs)}`,
        parts: partTable(costs, free, school),
        free: accountTable(costs, free),
        school: accountTable(costs, school),
        questions: questionTable(small, large, memory),
        simulation: comparisonTable(runs),
      };
      for (const [name, text] of Object.entries(sections)) {
        await putIntoDocs(`scale ${name}`, text, 'docs/scale.md');
      }
    } finally {
      await servers.close();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}
