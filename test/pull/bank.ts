import { cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { BankFolder, temporaryFolder } from '../build/bank-folder.ts';
import { filesBelow, publishedFolder } from '../build/release-folder.ts';
import { sampleContentDir } from '../content/sample-bank.ts';
import { type RunningGateway, runGateway } from '../gateway/running-gateway.ts';

const served: RunningGateway[] = [];

/** Closes all of them: those that are beside another one before it, as the database is the other one's. */
async function closeServed(): Promise<void> {
  for (const running of served.splice(0).reverse()) await running.close();
}

/** A gateway that serves a bank of its own. */
export interface ServedBank {
  readonly running: RunningGateway;
  readonly url: string;
  /** The papers and diagrams that it serves, by their paths in a mirror. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/** A content folder like that of the sample bank, to be changed. */
export async function sampleBank(): Promise<BankFolder> {
  const folder = await temporaryFolder();
  await cp(sampleContentDir, folder, { recursive: true });
  return new BankFolder(folder);
}

/**
 * Serves a bank until the file's last test.
 *
 * @param beside a gateway whose keys this one takes, too
 */
export async function serve(bank: BankFolder, beside?: ServedBank): Promise<ServedBank> {
  const distDir = await temporaryFolder();
  const release = await publishedFolder(bank.dir, distDir);
  const running = await runGateway({
    DIST_DIR: distDir,
    ...(beside && { DATABASE_URL: beside.running.databaseUrl }),
  });
  served.push(running);
  after(closeServed);
  const stored = await filesBelow(join(release, 'protected'));
  const files = new Map([...stored].filter(([path]) => !/\.(br|gz)$/.test(path)));
  return { running, url: running.baseUrl, files };
}

/** Those below a folder: `neet`, `neet/2024`. */
export function below(folder: string, files: ReadonlyMap<string, Buffer>): Map<string, Buffer> {
  return new Map([...files].filter(([path]) => path.startsWith(`${folder}/`)));
}

/** The counts that a pull reports. */
export function countsOf(files: ReadonlyMap<string, Buffer>) {
  const paths = [...files.keys()];
  const papers = paths.filter((path) => path.endsWith('.json'));
  return {
    shifts: new Set(papers.map((path) => dirname(path))).size,
    papers: papers.length,
    diagrams: paths.length - papers.length,
  };
}

/** The files of a mirror, without its manifest. */
export async function filesOfCopy(folder: string): Promise<Map<string, Buffer>> {
  const files = await filesBelow(folder);
  files.delete('.pull-manifest.jsonl');
  return files;
}
