import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildFolder } from '../build/build-folder.ts';
import { sampleBank, sampleContentDir } from '../content/sample-bank.ts';

let distDir: Promise<string> | undefined;

/**
 * Builds the sample bank, once per process.
 *
 * @returns its DIST_DIR, which tests share; copy it to change it
 */
export function sampleRelease(): Promise<string> {
  distDir ??= buildSample();
  return distDir;
}

async function buildSample(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  const { publication } = await buildFolder(sampleContentDir, folder, undefined, sampleBank);
  if (!publication) throw new Error('The sample bank does not build.');
  return folder;
}
