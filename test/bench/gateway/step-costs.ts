/**
 * Measures the cost per request of the key check, the decision on rate and quota, and express-rate-limit around it,
 * without HTTP, with an embedded store.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Request } from 'express';
import { createKey } from '../../../gateway/auth/keys.ts';
import { openStore } from '../../../gateway/auth/store/store.ts';
import { StoredUsage } from '../../../gateway/auth/usage.ts';
import { LastUsedWriter, verifyStoredKeys } from '../../../gateway/auth/verify-keys.ts';
import { systemClock } from '../../../gateway/clock.ts';
import { type GatewayResponse, noFields } from '../../../gateway/http.ts';
import type { ValidKey } from '../../../gateway/key-check.ts';
import { InProcessLimits } from '../../../gateway/limits/in-process.ts';
import { limitRequests } from '../../../gateway/limits/limit-requests.ts';
import { openLog } from '../../../gateway/log/logger.ts';
import { inOrder, quantile } from '../figures.ts';

const rounds = 15;
const timesPerRound = 20_000;
/** Requests that a busy gateway processes in one turn of the event loop, with 64 connections. */
const perTurn = 16;
const plan = { perSecond: 10_000_000, perMonth: 1_000_000_000_000 };

const log = openLog('info');
const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
const store = await openStore({ kind: 'sqlite', file: join(folder, 'pastpaper.db') }, 2000);
const lastUsed = new LastUsedWriter(store.background, log);
const plans = { roomy: plan };
const verify = verifyStoredKeys(store.database, 'pfx_', plans, lastUsed, systemClock, log, store.dataVersion);
const request = {
  account: 'bench',
  plan: 'roomy',
  fallbackPlan: 'roomy',
  lifetime: undefined,
  prefix: 'pfx_',
};
const { key } = await createKey(store.database, systemClock, request);
const valid = (await verify(key)) as ValidKey;
const limits = new InProcessLimits(new StoredUsage(store.background), systemClock, log);
const limit = limitRequests(plans, limits);

console.log(`a request's share, Node ${process.version}`);
await measure('the check of a key', () => verify(key));
await measure('the decision on rate and quota', () => limits.take(valid.account, plan));
await measure('express-rate-limit with that decision', () => throughLimiter());
await lastUsed.close();
await limits.close();
await store.close();
await rm(folder, { recursive: true });

/** Calls the limiter with the parts of a request and a response that it uses. */
function throughLimiter(): Promise<void> {
  const response = { locals: { key: valid, fields: noFields } } as unknown as GatewayResponse;
  return new Promise((resolve) => limit({} as Request, response, () => resolve()));
}

async function measure(what: string, step: () => unknown): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    for (let time = 0; time < timesPerRound; time += 1) {
      const result = step();
      if (result instanceof Promise) await result;
      if (time % perTurn === 0) await new Promise(setImmediate);
    }
    times.push(((performance.now() - start) * 1000) / timesPerRound);
  }
  console.log(`${what.padEnd(40)} ${quantile(inOrder(times), 0.5).toFixed(2)} µs`);
}
