/**
 * `npm run test:long -- fuzz`: sends a million requests to the gateway and tests a hundred thousand mutations of the
 * content; with `http` or `content`, only one of the two. Reads SEED, REQUESTS, MUTATIONS, and CASE (a single case) from
 * the environment.
 */
import { randomUUID } from 'node:crypto';
import type { Tally } from './content/cases.ts';
import { fuzzContent, fuzzContentCase } from './content/content-fuzzer.ts';
import { Finding } from './finding.ts';
import { startGatewayUnderTest } from './http/gateway-under-test.ts';
import { fuzzHttp, fuzzHttpCase, type HttpResult } from './http/http-fuzzer.ts';

const mebibyte = 1024 * 1024;
/** Milliseconds between two lines of progress. */
const progressInterval = 10_000;

const {
  SEED: seed = randomUUID().slice(0, 8),
  REQUESTS = '1000000',
  MUTATIONS = '100000',
  CASE,
} = process.env;
const kinds: Readonly<Record<string, { run(): Promise<void>; one(number: number): Promise<void> }>> = {
  http: { run: http, one: httpCase },
  content: { run: content, one: (number) => fuzzContentCase(seed, number) },
};
const what = process.argv[2];

try {
  for (const [name, kind] of Object.entries(kinds)) {
    if (what !== undefined && what !== name) continue;
    if (CASE === undefined) await kind.run();
    else await kind.one(Number(CASE)).then(() => console.log(`Case ${CASE} of seed ${seed} passes.`));
  }
} catch (error) {
  if (!(error instanceof Finding)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function http(): Promise<void> {
  const underTest = await startGatewayUnderTest();
  try {
    const requests = Number(REQUESTS);
    console.log(`${requests} requests, seed ${seed}, Node ${process.version}`);
    const start = performance.now();
    const result = await fuzzHttp(underTest, { seed, requests, onProgress: progress() });
    printHttpResult(result, performance.now() - start);
  } finally {
    await underTest.close();
  }
}

async function httpCase(number: number): Promise<void> {
  const underTest = await startGatewayUnderTest();
  try {
    await fuzzHttpCase(underTest, seed, number);
  } finally {
    await underTest.close();
  }
}

async function content(): Promise<void> {
  const mutations = Number(MUTATIONS);
  console.log(`${mutations} mutations of content, seed ${seed}, Node ${process.version}`);
  const start = performance.now();
  const tally = await fuzzContent({ seed, mutations, onProgress: progress() });
  printContentResult(tally, mutations, performance.now() - start);
}

/** Prints the progress at intervals. */
function progress(): (done: number) => void {
  const start = performance.now();
  let lastPrinted = start;
  return (done) => {
    const now = performance.now();
    if (now - lastPrinted < progressInterval) return;
    lastPrinted = now;
    console.log(`  ${done}, ${((done * 1000) / (now - start)).toFixed(0)} a second`);
  };
}

function printHttpResult(
  { requests, connections, open, statuses, before, after }: HttpResult,
  time: number,
): void {
  const inOrder = [...statuses].sort(([one], [other]) => one - other);
  console.log(`${requests} requests on ${connections} connections in ${inSeconds(time)}, ${open} of them kept open
  Responses    ${inOrder.map(([status, count]) => `${status}: ${count}`).join(', ')}
  Heap         ${inMebibytes(before.heap)} after warm-up, ${inMebibytes(after.heap)} at the end
  Resident     ${inMebibytes(before.resident)}, ${inMebibytes(after.resident)}
  Descriptors  ${before.descriptors}, ${after.descriptors}`);
}

function printContentResult(
  { accepted, rejected, impossible, built, commanded }: Tally,
  mutations: number,
  time: number,
): void {
  console.log(`${mutations} mutations in ${inSeconds(time)}
  Accepted     ${accepted}
  Rejected     ${rejected}
  Impossible   ${impossible}: no folder can contain these files
  Built        ${built}, and ${commanded} with the commands`);
}

function inSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(0)} s`;
}

function inMebibytes(bytes: number): string {
  return `${(bytes / mebibyte).toFixed(1)} MiB`;
}
