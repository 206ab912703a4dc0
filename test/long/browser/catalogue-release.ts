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

/** The sample bank without its newest shift, with a question less in another shift, and with an additional shift. */
async function makeEarlierBank(folder: string): Promise<void> {
  await cp(sampleContentDir, folder, { recursive: true });
  await rm(join(folder, 'jeemain/2025/2025-01-22-s2'), { recursive: true });
  await edit(join(folder, 'neet/2024/2024-06-23-s1/chemistry.json'), (questions) => questions.slice(1));
  const [shift, added] = ['2024-01-29-s2', '2024-01-30-s1'];
  const [from, to] = [join(folder, 'jeemain/2024', shift), join(folder, 'jeemain/2024', added)];
  await cp(from, to, { recursive: true });
  for (const subject of ['physics', 'chemistry', 'mathematics'])
    await edit(join(to, `${subject}.json`), (questions) =>
      questions.map(({ diagrams: _, ...question }) => ({ ...question, id: question.id.replace(shift, added) })),
    );
  await rm(join(to, 'diagrams'), { recursive: true, force: true });
}

type Questions = readonly { readonly id: string; readonly diagrams?: unknown }[];

async function edit(file: string, change: (questions: Questions) => Questions): Promise<void> {
  const paper = JSON.parse(await readFile(file, 'utf8'));
  const changed = { lastUpdated: '2024-07-01T08:00:00Z', questions: change(paper.questions) };
  await writeFile(file, JSON.stringify({ ...paper, ...changed }));
}
