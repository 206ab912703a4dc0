import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../../gateway/config.ts';
import { startGateway } from '../../../gateway/start.ts';
import { buildFolder } from '../../build/build-folder.ts';
import { sampleContentDir } from '../../content/sample-bank.ts';

/** A gateway with a second release of the sample bank, so that the catalogue lists changes. */
export interface CatalogueGateway {
  readonly baseUrl: string;
  /** Stops the gateway and removes its folders. */
  close(): Promise<void>;
}

export async function runCatalogue(): Promise<CatalogueGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
  const [earlier, dist] = [join(folder, 'content'), join(folder, 'dist')];
  await makeEarlierBank(earlier);
  for (const content of [earlier, sampleContentDir]) {
    const { publication, report } = await buildFolder(content, dist);
    if (!publication) throw new Error(`${content} does not build: ${JSON.stringify(report.diagnostics)}`);
  }
  const config = readConfig({ PORT: '0', DIST_DIR: dist, DATA_DIR: join(folder, 'data') }, () => '');
  const gateway = await startGateway(config, () => {});
  return {
    baseUrl: gateway.origin,
    async close() {
      await gateway.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** The sample bank without its newest shift, with a question less in another shift, and with an additional shift. */
async function makeEarlierBank(folder: string): Promise<void> {
  await cp(sampleContentDir, folder, { recursive: true });
  await rm(join(folder, 'jeemain/2025/2025-01-22-s2'), { recursive: true });
  await shorten(join(folder, 'neet/2024/2024-06-23-s1/chemistry.json'), '2024-07-01T08:00:00Z');
  await cp(join(folder, 'jeemain/2024/2024-01-29-s2'), join(folder, 'jeemain/2024/2024-01-30-s1'), {
    recursive: true,
  });
  for (const subject of ['physics', 'chemistry', 'mathematics'])
    await rename(join(folder, `jeemain/2024/2024-01-30-s1/${subject}.json`));
  await rm(join(folder, 'jeemain/2024/2024-01-30-s1/diagrams'), { recursive: true, force: true });
}

async function shorten(file: string, lastUpdated: string): Promise<void> {
  const paper = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...paper, lastUpdated, questions: paper.questions.slice(1) }));
}

/** Gives the questions of a copied paper new ids, and removes their diagrams. */
async function rename(file: string): Promise<void> {
  const paper = JSON.parse(await readFile(file, 'utf8'));
  const questions = paper.questions.map(
    ({ diagrams: _, ...question }: { id: string; diagrams?: unknown }) => ({
      ...question,
      id: question.id.replace('2024-01-29-s2', '2024-01-30-s1'),
    }),
  );
  await writeFile(file, JSON.stringify({ ...paper, questions }));
}
