import { lstat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { placeOf } from '../content/find.ts';
import { watch } from '../content/watch.ts';
import { type BankSetting, type ChangedFiles, CheckedBank, LiveBank } from './bank.ts';
import { Pages } from './pages.ts';
import { paperAddress } from './problem.ts';
import { createPreviewServer, EventStream, host, listen, NoPreview, readAssets } from './server.ts';

/** Milliseconds that the first page waits for the first check, which a small bank needs no more for. */
const patience = 500;

/** What is shown first: all papers, the page of one, or what changed against a git ref. */
export type Shown =
  | { readonly kind: 'bank' }
  /** The file as a person names it: from the working directory, or from the content folder. */
  | { readonly kind: 'paper'; readonly file: string }
  | { readonly kind: 'changes'; readonly ref: string; readonly changedFiles: ChangedFiles };

export interface PreviewSetting extends BankSetting {
  /** Undefined: the usual one, or one that is free. */
  readonly port: number | undefined;
  readonly shown: Shown;
}

export interface Preview {
  /** Of the page to open. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Shows the content on pages for this machine alone, and follows what is saved. The first check of a
 * large bank goes on while pages are shown.
 *
 * @throws NoContent when there is no content folder; NoPreview when the file is none of it or the port cannot be
 * had; whatever `changedFiles` throws
 */
export async function startPreview(setting: PreviewSetting): Promise<Preview> {
  const { contentDir, port, shown } = setting;
  const [bank, assets] = await Promise.all([CheckedBank.open(setting), readAssets()]);
  const first = shown.kind === 'paper' ? await chosenPaper(contentDir, shown.file) : '/';
  const events = new EventStream();
  const changedFiles = shown.kind === 'changes' ? shown.changedFiles : undefined;
  const live = await LiveBank.open(bank, changedFiles, () => events.tell(live.version));
  const pages = new Pages(live, assets.addresses, shown.kind === 'changes' ? shown.ref : undefined);
  const server = createPreviewServer({
    ...{ pages, bank, assets },
    onListener: (response) => events.add(response, live.version),
  });
  const listening = await listen(server, port);
  const firstCheck = live.refresh().then(() => bank.save());
  const watcher = watch(
    contentDir,
    () => void live.refresh(),
    (why) => live.fail(why),
  );
  await Promise.race([firstCheck, delay(patience, undefined, { ref: false })]);
  return {
    url: `http://${host}:${listening}${first}`,
    async close() {
      await watcher.close();
      server.close();
      server.closeAllConnections();
      bank.close();
      await live.settled();
      await bank.save();
    },
  };
}

/**
 * The path of the page of a subject file.
 *
 * @param file as a person names it: from the working directory, or from the content folder
 * @throws NoPreview when it is no subject file of the content folder
 */
export async function chosenPaper(contentDir: string, file: string): Promise<string> {
  for (const path of [resolve(file), resolve(contentDir, file)]) {
    const place = placeOf(relative(resolve(contentDir), path).replaceAll(sep, '/'));
    if (place.kind !== 'paper' || place.exam === '..') continue;
    const entry = await lstat(path).catch(() => undefined);
    if (entry?.isFile()) return paperAddress(place);
  }
  throw new NoPreview(
    `${file} is no subject file of the content folder ${contentDir}. Name one like ${join(contentDir, 'neet/2024/2024-05-05-s1/physics.json')}, or none to see them all.`,
  );
}
