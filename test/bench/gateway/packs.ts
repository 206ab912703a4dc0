/**
 * Measures packs: the processor time of the gateway for a year in one ZIP file, and for the same bytes stored as one file,
 * and the memory that readers hold who have stopped in the middle. Arguments: rounds, and downloads of each.
 */
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { switchTo, writeRelease } from '../../gateway/release/write-release.ts';
import { bytesOf, conditions, mebibytes, median, ms, rangeOf, sum, table } from '../figures.ts';
import { buildBank, writeLargeBank } from '../generated.ts';
import { targetOf } from '../load.ts';
import { memoryOf, runBench } from '../processes.ts';
import { type BenchGateway, startBenchGateway } from '../servers.ts';

const rounds = Number(process.argv[2] ?? 5);
const downloads = Number(process.argv[3] ?? 200);
const concurrency = 8;
const slowReaders = 200;

/** The file of a year in which all bytes are one file instead. */
const file = 'neet/2026/2026-01-01-s1/physics.json';

/** The processor time of a process in milliseconds. */
function processorTimeOf(pid: number | undefined): number {
  // Fields 14 and 15 of proc(5), in hundredths of a second. The second field may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Starts a gateway of a release with one file of these bytes. */
async function startFileGateway(folder: string, identity: Buffer): Promise<BenchGateway> {
  const dist = join(folder, 'dist');
  const [exam = '', year = '', shift = ''] = file.split('/');
  const resource = { access: 'protected', path: file, mediaType: 'application/zip' } as const;
  await writeRelease(dist, 'file', [{ ...resource, identity }], {
    [exam]: { [year]: { s1: shift, [shift]: shift } },
  });
  await switchTo(dist, 'file');
  return startBenchGateway(folder, dist);
}

async function download(gateway: BenchGateway, path: string): Promise<Buffer> {
  const { url, headers } = targetOf(`${gateway.origin}/${path}`, gateway.roomyKey);
  const response = await fetch(url, { headers });
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

/** Processor time of one download in milliseconds. */
async function measure(gateway: BenchGateway, path: string): Promise<number> {
  const before = processorTimeOf(gateway.process.pid);
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let done = 0; done < downloads / concurrency; done += 1) await download(gateway, path);
    }),
  );
  return (processorTimeOf(gateway.process.pid) - before) / downloads;
}

/** A reader that stops after the first bytes. */
async function stoppedReader({ origin, roomyKey }: BenchGateway, pack: string): Promise<Socket> {
  const { hostname, port, host } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.write(
    `GET /${pack} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${roomyKey}\r\n\r\n`,
  );
  await new Promise((resolve, reject) => socket.once('data', resolve).once('error', reject));
  socket.pause();
  return socket;
}

await runBench(async (folder) => {
  console.log(conditions());
  const large = join(folder, 'bank');
  await writeLargeBank(large, 13_500);
  const rows = [
    await measurePack(join(folder, 'small'), 'content', 'neet/2026/all.zip'),
    await measurePack(join(folder, 'large'), large, 'jeemain/2000/all.zip'),
  ];
  console.log(
    table(
      ['', 'processor time', 'as one file', 'ratio (range)', `${slowReaders} readers`, 'each read'],
      rows,
    ),
  );
});

/** Measures the pack of a year of a bank. @returns a row of the table */
async function measurePack(folder: string, content: string, pack: string): Promise<string[]> {
  await mkdir(join(folder, 'file'), { recursive: true });
  const dist = join(folder, 'dist');
  await buildBank(content, dist, join(folder, 'data'));
  const gateway = await startBenchGateway(folder, dist);
  const bytes = await download(gateway, pack);
  const peer = await startFileGateway(join(folder, 'file'), bytes);
  const ofPack: number[] = [];
  const ofFile: number[] = [];
  // The first round is the warm-up.
  for (let round = 0; round <= rounds; round += 1) {
    const times = [await measure(gateway, pack), await measure(peer, file)] as const;
    console.log(`round ${round} of ${rounds}: ${pack} ${times.map(ms).join(', as one file ')}`);
    if (round === 0) continue;
    ofPack.push(times[0]);
    ofFile.push(times[1]);
  }
  const ratios = ofPack.map((time, round) => time / (ofFile[round] ?? Number.NaN));
  const { pid } = gateway.process;
  const before = memoryOf(pid);
  const readers = Array.from({ length: slowReaders }, () => stoppedReader(gateway, pack));
  const sockets = await Promise.all(readers);
  await delay(5000);
  const held = memoryOf(pid) - before;
  const received = sum(sockets.map(({ bytesRead }) => bytesRead));
  for (const socket of sockets) socket.destroy();
  return [
    `${pack}, ${bytesOf(bytes.length)}`,
    ms(median(ofPack)),
    ms(median(ofFile)),
    `${median(ratios).toFixed(2)} (${rangeOf(ratios)})`,
    mebibytes(held),
    bytesOf(received / slowReaders),
  ];
}
