import { cp } from 'node:fs/promises';
import { makeFolderOf, shiftPath, temporaryFolder } from '../../build/bank-folder.ts';
import { everyFieldFiles } from '../../build/every-field.ts';
import { publishedFolder } from '../../build/release-folder.ts';
import { sampleContentDir } from '../../content/sample-bank.ts';

/**
 * Builds the sample bank with the shift that uses every field in the place of its own.
 *
 * @returns the DIST_DIR
 */
export async function everyFieldRelease(): Promise<string> {
  const { dir } = await makeFolderOf(everyFieldFiles);
  const isOther = (path: string) => !path.endsWith('neet/exam.json') && !path.endsWith(shiftPath);
  await cp(sampleContentDir, dir, { recursive: true, filter: isOther });
  const distDir = await temporaryFolder();
  await publishedFolder(dir, distDir);
  return distDir;
}
