import { copyFile, mkdir, readFile, realpath, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Manifest,
  manifestFile,
  parseManifest,
  releasesFolder,
  sealManifest,
  storedVariants,
} from '../../../build/release/manifest.ts';
import { sampleContentDir } from '../../content/sample-bank.ts';
import { switchTo } from '../../gateway/release/write-release.ts';
import { stop } from '../gateway/pinned.ts';
import { startBenchGateway } from '../gateway/running-bench-gateway.ts';
import { writeLargeBank } from '../large-bank.ts';
import { processorTime } from '../processor-time.ts';
import { runNode } from '../run-node.ts';
import type { Paths } from './costs.ts';

const [shift, subject] = ['jeemain/2000/2000-01-01-s1', 'physics'];
const diagram = 'jeemain-2000-01-01-s1-physics-01-circuit.svg';

/** What the benchmark requests from the release of `buildBank`. */
export const paths: Paths = {
  metadata: 'jeemain/2000',
  paper: `${shift}/${subject}.json`,
  diagram: `${shift}/diagrams/${diagram}`,
};

/** The measurements of a bank and its release. */
export interface MeasuredBank {
  readonly papers: number;
  readonly questions: number;
  readonly distDir: string;
  /** Files of the release, the bytes of its manifest, and what all files take on a disk. */
  readonly files: number;
  readonly manifestBytes: number;
  readonly diskBytes: number;
  /** Processor time of a build with an empty cache, in seconds. */
  readonly buildSeconds: number;
}

/** Builds a bank of generated questions with one diagram in a folder. */
export async function buildBank(folder: string, questions: number): Promise<MeasuredBank> {
  const [content, distDir] = [join(folder, 'content'), join(folder, 'dist')];
  const bank = await writeLargeBank(content, questions);
  await addDiagram(content);
  const before = processorTime('self').ofChildren;
  const settings = { CONTENT_DIR: content, DIST_DIR: distDir, DATA_DIR: join(folder, 'data') };
  await runNode(['build/pastpaper.js', 'build'], settings);
  const buildSeconds = (processorTime('self').ofChildren - before) / 1e6;
  const sizes = [...storedVariants(await currentManifest(distDir))].map(({ size }) => size);
  const manifestBytes = (await stat(join(distDir, 'current', manifestFile))).size;
  return {
    papers: bank.files - 1,
    questions: bank.questions,
    distDir,
    files: sizes.length + 1,
    manifestBytes,
    diskBytes: [...sizes, manifestBytes].reduce((sum, size) => sum + Math.ceil(size / block) * block, 0),
    buildSeconds,
  };
}

/** Bytes that a file system allocates at a time. */
const block = 4096;

/** Adds a diagram of the sample bank to the first question. */
async function addDiagram(content: string): Promise<void> {
  const file = join(content, shift, `${subject}.json`);
  const paper = JSON.parse(await readFile(file, 'utf8'));
  paper.questions[0].diagrams = [{ file: diagram, alt: 'A circuit with a battery and two resistors.' }];
  await writeFile(file, `${JSON.stringify(paper, undefined, 2)}\n`);
  await mkdir(join(content, shift, 'diagrams'));
  const sample = 'jeemain/2024/2024-01-27-s1/diagrams/jeemain-2024-01-27-s1-physics-03-circuit.svg';
  await copyFile(join(sampleContentDir, sample), join(content, shift, 'diagrams', diagram));
}

/**
 * The resident memory of a gateway after its start in bytes.
 *
 * @param exams how many exams the release has: all have the same papers, and share their files
 */
export async function memoryOfGateway(
  folder: string,
  { distDir }: MeasuredBank,
  exams: number,
): Promise<number> {
  const manifest = await currentManifest(distDir);
  const others = Array.from({ length: exams - 1 }, (_, index) => `exam${index}`);
  const copies = Object.entries(manifest.protected).flatMap(([path, stored]) =>
    others.map((exam) => [path.replace(/^jeemain/, exam), stored]),
  );
  const aliases = others.map((exam) => [exam, manifest.shifts['jeemain']]);
  const larger = sealManifest({
    ...manifest,
    protected: { ...manifest.protected, ...Object.fromEntries(copies) },
    shifts: { ...manifest.shifts, ...Object.fromEntries(aliases) },
  });
  const dist = join(folder, `dist-${exams}`);
  const release = join(dist, releasesFolder, 'large');
  await mkdir(release, { recursive: true });
  for (const name of ['public', 'protected', 'hosts'])
    await symlink(join(await realpath(join(distDir, 'current')), name), join(release, name));
  await writeFile(join(release, manifestFile), JSON.stringify(larger));
  await switchTo(dist, 'large');
  const gateway = await startBenchGateway(dist, dist);
  try {
    const status = await readFile(`/proc/${gateway.process.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
  } finally {
    await stop(gateway.process);
  }
}

async function currentManifest(distDir: string): Promise<Manifest> {
  return parseManifest(await readFile(join(distDir, 'current', manifestFile), 'utf8'));
}
