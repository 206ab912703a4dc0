import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { publishedFolder } from '../../build/release-folder.ts';
import { sampleContentDir } from '../../content/sample-bank.ts';

/** Publishes two releases of the sample bank, so that the catalogue lists changes. @returns their DIST_DIR */
export async function publishCatalogue(): Promise<string> {
  const [earlier, dist] = [await temporaryFolder(), await temporaryFolder()];
  await makeEarlierBank(earlier);
  for (const content of [earlier, sampleContentDir]) await publishedFolder(content, dist);
  return dist;
}

/** The sample bank without a shift, and with a question less in another one. */
async function makeEarlierBank(folder: string): Promise<void> {
  await cp(sampleContentDir, folder, { recursive: true });
  await rm(join(folder, 'jeemain/2025/2025-01-22-s2'), { recursive: true });
  const file = join(folder, 'neet/2024/2024-06-23-s1/chemistry.json');
  const paper = JSON.parse(await readFile(file, 'utf8'));
  const changed = {
    ...paper,
    lastUpdated: '2024-07-01T08:00:00Z',
    questions: paper.questions.slice(1),
  };
  await writeFile(file, JSON.stringify(changed));
}
