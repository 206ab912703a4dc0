import { temporaryFolder } from '../build/bank-folder.ts';
import { buildFolder } from '../build/release-folder.ts';
import { sampleBank, sampleContentDir } from '../content/sample-bank.ts';

let distDir: Promise<string> | undefined;

/**
 * Builds the sample bank, once per process.
 *
 * @returns its DIST_DIR, which tests share; copy it to change it
 */
export async function sampleRelease(): Promise<string> {
  // A promise of its own for each caller: node:test assigns what follows an await to the test that made the promise.
  distDir ??= buildSample();
  return distDir;
}

async function buildSample(): Promise<string> {
  const folder = await temporaryFolder();
  const { publication } = await buildFolder(sampleContentDir, folder, undefined, sampleBank);
  if (!publication) throw new Error('The sample bank does not build.');
  return folder;
}
