import { cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import type { Signer } from '../../build/release/signature.ts';
import { BankFolder, temporaryFolder } from '../build/bank-folder.ts';
import { filesBelow, publishedFolder } from '../build/release-folder.ts';
import { sampleContentDir } from '../content/sample-bank.ts';
import { type RunningGateway, runGateway } from '../gateway/running-gateway.ts';

const served: RunningGateway[] = [];

/** Closes all gateways; those that share a database before the one that owns it. */
async function closeAll(): Promise<void> {
  for (const running of served.splice(0).reverse()) await running.close();
}

/** A gateway that serves a bank. */
export interface ServedBank {
  readonly running: RunningGateway;
  readonly url: string;
  /** Its papers and diagrams, by their paths in a mirror. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/** Copies the content folder of the sample bank. */
export async function sampleBank(): Promise<BankFolder> {
  const folder = await temporaryFolder();
  await cp(sampleContentDir, folder, { recursive: true });
  return new BankFolder(folder);
}

/**
 * Serves a bank until the tests of the file end.
 *
 * @param beside a gateway whose database this one shares
 */
export async function serve(bank: BankFolder, beside?: ServedBank, signer?: Signer): Promise<ServedBank> {
  const distDir = await temporaryFolder();
  const release = await publishedFolder(bank.dir, distDir, signer);
  const running = await runGateway({
    DIST_DIR: distDir,
    ...(beside && { DATABASE_URL: beside.running.databaseUrl }),
  });
  served.push(running);
  after(closeAll);
  const stored = await filesBelow(join(release, 'protected'));
  const files = new Map([...stored].filter(([path]) => !/\.(br|gz)$/.test(path)));
  return { running, url: running.baseUrl, files };
}

/** The files below a folder: `neet`, `neet/2024`. */
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
export async function mirrorFiles(folder: string): Promise<Map<string, Buffer>> {
  const files = await filesBelow(folder);
  files.delete('.pull-manifest.jsonl');
  return files;
}
