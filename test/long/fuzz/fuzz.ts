/**
 * `npm run test:long -- fuzz`: sends a million requests to the gateway, and mutates the content a hundred thousand times; `-- http` and
 * `-- content` are the one or the other. Read from the environment: SEED, REQUESTS, MUTATIONS, and CASE, which is tried by
 * itself.
 */
import { randomUUID } from 'node:crypto';
import type { Tally } from './content/cases.ts';
import { fuzzContent, fuzzContentCase } from './content/run.ts';
import { Finding } from './finding.ts';
import { fuzzHttp, fuzzHttpCase, type HttpResult } from './http/run.ts';
import { startSubject } from './http/subject.ts';

const mebibyte = 1024 * 1024;
/** Requests for each connection that is left waiting. */
const requestsPerLate = 25_000;
/** Milliseconds from one line of progress to the next. */
const progressInterval = 10_000;

const {
  SEED: seed = randomUUID().slice(0, 8),
  REQUESTS = '1000000',
  MUTATIONS = '100000',
  CASE,
} = process.env;
const kinds: Readonly<Record<string, { run(): Promise<void>; one(number: number): Promise<void> }>> = {
  http: { run: http, one: oneOfHttp },
  content: { run: content, one: (number) => fuzzContentCase(seed, number) },
};
const what = process.argv[2];

try {
  for (const [name, kind] of Object.entries(kinds)) {
    if (what !== undefined && what !== name) continue;
    if (CASE === undefined) await kind.run();
    else await kind.one(Number(CASE)).then(() => console.log(`Case ${CASE} of seed ${seed} goes well.`));
  }
} catch (error) {
  if (!(error instanceof Finding)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function http(): Promise<void> {
  const subject = await startSubject();
  try {
    const requests = Number(REQUESTS);
    const late = Math.floor(requests / requestsPerLate);
    console.log(`${requests} requests, seed ${seed}, Node ${process.version}`);
    const start = performance.now();
    const result = await fuzzHttp(subject, { seed, requests, late, onProgress: progress() });
    tellHttp(result, late, performance.now() - start);
  } finally {
    await subject.close();
  }
}

async function oneOfHttp(number: number): Promise<void> {
  const subject = await startSubject();
  try {
    await fuzzHttpCase(subject, seed, number);
  } finally {
    await subject.close();
  }
}

async function content(): Promise<void> {
  const mutations = Number(MUTATIONS);
  console.log(`${mutations} mutations of content, seed ${seed}, Node ${process.version}`);
  const start = performance.now();
  const tally = await fuzzContent({ seed, mutations, onProgress: progress() });
  tellContent(tally, mutations, performance.now() - start);
}

/** Tells every now and then how much is done. */
function progress(): (done: number) => void {
  const start = performance.now();
  let told = start;
  return (done) => {
    const now = performance.now();
    if (now - told < progressInterval) return;
    told = now;
    console.log(`  ${done}, ${((done * 1000) / (now - start)).toFixed(0)} a second`);
  };
}

function tellHttp(
  { requests, connections, statuses, before, after }: HttpResult,
  late: number,
  time: number,
): void {
  const inOrder = [...statuses].sort(([one], [other]) => one - other);
  console.log(`${requests} requests by ${connections} connections in ${inSeconds(time)}, ${late} of them late
  Answers      ${inOrder.map(([status, count]) => `${status}: ${count}`).join(', ')}
  Heap         ${inMebibytes(before.heap)} when warm, ${inMebibytes(after.heap)} at the end
  Resident     ${inMebibytes(before.resident)}, ${inMebibytes(after.resident)}
  Descriptors  ${before.descriptors}, ${after.descriptors}`);
}

function tellContent(
  { accepted, refused, impossible, built, commanded }: Tally,
  mutations: number,
  time: number,
): void {
  console.log(`${mutations} mutations in ${inSeconds(time)}
  Accepted     ${accepted}
  Refused      ${refused}
  Impossible   ${impossible}: no folder can hold them
  Built        ${built}, and ${commanded} by the commands`);
}

function inSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(0)} s`;
}

function inMebibytes(bytes: number): string {
  return `${(bytes / mebibyte).toFixed(1)} MiB`;
}
