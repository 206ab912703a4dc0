/**
 * Measures the memory of a gateway with a bank of a million questions: after the start, after two million requests for
 * random papers, and after a switch to a release with the same files; and the duration of start and switch. With `flags`,
 * also without each of V8's flags that the gateway sets.
 */
import { link, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  manifestFile,
  parseManifest,
  sealManifest,
  storedVariants,
} from '../../../build/release/manifest.ts';
import { switchTo, writeRelease } from '../../gateway/release/write-release.ts';
import { generatePapers, generateShifts, paperPath, questionsPerPaper } from './generated-papers.ts';
import { runPinned, stop } from './pinned.ts';
import { type BenchGateway, startBenchGateway } from './running-bench-gateway.ts';

const questions = Number(process.argv[2] ?? 1_000_000);
const requests = Number(process.argv[3] ?? 2_000_000);
const cacheBytes = 64 * 1024 * 1024;
/** Seconds of requests between two measurements of the memory. */
const pieceLength = 10;

const papers = Math.ceil(questions / questionsPerPaper);
const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
const dist = join(folder, 'dist');
console.log(
  `${papers * questionsPerPaper} questions in ${papers} papers, Node ${process.version}, ${availableParallelism()} cores, a cache of ${inMebibytes(cacheBytes)}`,
);
const release = await writeRelease(
  dist,
  'release',
  generatePapers(papers, 'release'),
  generateShifts(papers),
);
const flags = ['--max-semi-space-size=16', '--heap-growing-percent=20'];
try {
  for (const without of process.argv[4] === 'flags' ? [undefined, ...flags] : [undefined]) {
    if (without !== undefined) console.log(`\nWithout ${without}`);
    await measure(without);
  }
} finally {
  await rm(folder, { recursive: true });
}

/** @param without a flag of V8 that the gateway is started without */
async function measure(without: string | undefined): Promise<void> {
  await switchTo(dist, 'release');
  const start = performance.now();
  const settings = { CACHE_BYTES: String(cacheBytes) };
  const gateway = await startBenchGateway(folder, dist, settings, [process.execPath], without);
  const memory = () => memoryOf(gateway);
  try {
    console.log(`started in ${((performance.now() - start) / 1000).toFixed(1)} s, ${await memory()}`);
    const script = await writeScript(gateway);
    let finished = 0;
    while (finished < requests) {
      const output = await runPinned([
        'wrk',
        '-t1',
        '-c64',
        `-d${pieceLength}s`,
        '-s',
        script,
        gateway.origin,
      ]);
      if (/Non-2xx|Socket errors/.test(output)) throw new Error(output);
      finished += Number(/(\d+) requests in/.exec(output)?.[1]);
      console.log(`${finished} requests, ${await memory()}`);
    }
    const before = performance.now();
    await linkRelease(release, 'linked');
    await switchTo(dist, 'linked');
    await delay(30_000);
    console.log(
      `30 s after a switch to the same files, linked in ${((performance.now() - before) / 1000 - 30).toFixed(1)} s, ${await memory()}`,
    );
  } finally {
    await stop(gateway.process);
    await rm(join(dist, 'releases', 'linked'), { recursive: true, force: true });
  }
}

/** Writes a script for wrk that requests random papers in random content codings. */
async function writeScript({ roomyKey }: BenchGateway): Promise<string> {
  const file = join(folder, 'papers.lua');
  const paths = Array.from({ length: papers }, (_, paper) => `"/${paperPath(paper)}"`).join(',');
  await writeFile(
    file,
    `local paths = {${paths}}
    local codings = {"br", "gzip", "identity"}
    math.randomseed(1)
    wrk.headers["Authorization"] = "Bearer ${roomyKey}"
    request = function()
      wrk.headers["Accept-Encoding"] = codings[math.random(3)]
      return wrk.format("GET", paths[math.random(#paths)])
    end`,
  );
  return file;
}

/** Creates a release with hard links to the same files, under another id. */
async function linkRelease(from: string, name: string): Promise<void> {
  const to = join(dist, 'releases', name);
  const manifest = parseManifest(await readFile(join(from, manifestFile), 'utf8'));
  for (const { file } of storedVariants(manifest)) {
    await mkdir(dirname(join(to, file)), { recursive: true });
    await link(join(from, file), join(to, file));
  }
  const shifts = { ...manifest.shifts, neet: {} };
  await writeFile(join(to, manifestFile), JSON.stringify(sealManifest({ ...manifest, shifts })));
}

async function memoryOf({ process: { pid } }: BenchGateway): Promise<string> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const [resident, most] = ['VmRSS', 'VmHWM'].map((name) => {
    return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) * 1024;
  });
  return `${inMebibytes(resident ?? 0)} resident, ${inMebibytes(most ?? 0)} at most`;
}

function inMebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
}
