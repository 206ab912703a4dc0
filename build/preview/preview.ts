import { once } from 'node:events';
import { lstat } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative, resolve, sep } from 'node:path';
import { placeOf } from '../content/file.ts';
import { watch } from '../content/watch.ts';
import { UserError } from '../release/user-error.ts';
import { type BankSetting, LiveBank } from './bank.ts';
import { paperUrl } from './paper.ts';
import { createPreviewServer, readAssets } from './server.ts';

/** The preview is not available to other machines. */
const host = '127.0.0.1';

/** The port that is tried first if none is requested. */
const defaultPort = 4400;

interface PreviewSetting extends BankSetting {
  /** Undefined: the default port, or any free one. */
  readonly port: number | undefined;
  /** The paper to open first: a path from the working directory, or from the content folder. */
  readonly file?: string | undefined;
}

export interface Preview {
  /** The page to open. */
  readonly url: string;
  /** Stops the preview. */
  close(): Promise<void>;
}

/**
 * Shows the content on pages for this machine alone, and updates them on every save. They wait for the first check.
 *
 * @throws UserError when there is no content folder, the file is not part of it, or the port is not available;
 * whatever `changedFiles` throws
 */
export async function startPreview(setting: PreviewSetting): Promise<Preview> {
  const { contentDir, port, file } = setting;
  const [bank, assets] = await Promise.all([LiveBank.open(setting), readAssets()]);
  const path = file === undefined ? '/' : await pageOfFile(contentDir, file);
  const server = createPreviewServer(bank, assets.urls, assets.files);
  const origin = await listen(server, port);
  void bank.refresh().then(() => bank.save());
  const watcher = watch(
    contentDir,
    () => void bank.refresh(),
    (reason) => bank.fail(reason),
  );
  return {
    url: `${origin}${path}`,
    async close(): Promise<void> {
      await watcher.close();
      server.close();
      server.closeAllConnections();
      await bank.close();
    },
  };
}

/** @param port undefined: the default port, or a free one @returns the origin @throws UserError without the port */
async function listen(server: Server, port: number | undefined): Promise<string> {
  try {
    const listening = once(server.listen(port ?? defaultPort, host), 'listening');
    await (port === undefined
      ? listening.catch(() => once(server.listen(0, host), 'listening'))
      : listening);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UserError(
      code === 'EADDRINUSE'
        ? `Port ${port} is in use. Use another port with --port, or omit it to use a free one.`
        : `The preview cannot listen on port ${port} on ${host}: ${message}`,
    );
  }
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

/** The path of the page of a subject file. @throws UserError when it is not a subject file of the content folder */
async function pageOfFile(contentDir: string, file: string): Promise<string> {
  for (const path of [resolve(file), resolve(contentDir, file)]) {
    const place = placeOf(relative(resolve(contentDir), path).replaceAll(sep, '/'));
    if ((place.kind !== 'paper' && place.kind !== 'translation') || place.exam === '..') continue;
    const entry = await lstat(path).catch(() => undefined);
    if (entry?.isFile()) return paperUrl(place);
  }
  throw new UserError(
    `${file} is not a subject file in the content folder ${contentDir}. Use a path such as ` +
      `${join(contentDir, 'neet/2024/2024-05-05-s1/physics.json')}, or omit it to see all papers.`,
  );
}
