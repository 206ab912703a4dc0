import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import module from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { readBytes } from '../content/file.ts';
import { maxImageBytes, readImage } from '../content/image.ts';
import { pageScript } from '../site/page-script.ts';
import type { CheckedBank } from './bank.ts';
import type { PageAssets } from './document.ts';
import type { Page, Pages } from './pages.ts';

/** What the server answers with. */
export interface PreviewParts {
  readonly pages: Pages;
  readonly bank: CheckedBank;
  readonly assets: Assets;
  /** Takes the response of a page that wants to be told of what is saved. */
  readonly onListener: (response: ServerResponse) => void;
}

/** Where pages ask for events. */
const eventsPath = '/-/events';

/**
 * Names by which a browser on this machine reaches it. Under any other, a page from elsewhere would be of the
 * same origin (DNS rebinding). The port may be another: of a tunnel, say.
 */
const ownHost = /^(127\.0\.0\.1|localhost)(:\d+)?$/i;

const otherHost = 'The preview is for this machine alone: open it as 127.0.0.1 or localhost.\n';

/** The whole way of a request. Nothing is read but what the content was found to have. */
export function createPreviewServer(parts: PreviewParts): Server {
  return createServer(async (request, response) => {
    try {
      await answer(parts, request, response);
    } catch (error) {
      if (response.headersSent) return void response.destroy();
      const { stack = String(error) } = error as Error;
      const reason = `This is a fault of the preview itself. Please report it.\n${stack}`;
      sendPage(response, parts.pages.refusal(500, 'The page could not be made', reason));
    }
  });
}

async function answer(
  { pages, bank, assets, onListener }: PreviewParts,
  { method, headers, url = '/' }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!ownHost.test(headers.host ?? '')) {
    const plain = { ...pageHeaders, 'Content-Type': 'text/plain; charset=utf-8' };
    return send(response, 421, plain, Buffer.from(otherHost));
  }
  if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    return sendPage(response, pages.refusal(405, 'Nothing can be changed here', 'The preview only shows.'));
  }
  const path = pathOf(url);
  if (path === undefined)
    return sendPage(response, pages.refusal(400, 'Malformed address', 'The address does not decode.'));
  if (path === eventsPath) return onListener(response);
  const asset = assets.files.get(path);
  if (asset) return send(response, 200, { ...assetHeaders, 'Content-Type': asset.mediaType }, asset.body);
  const diagram = findDiagram(bank, path);
  if (diagram)
    return send(response, 200, { ...diagramHeaders, 'Content-Type': diagram.mediaType }, diagram.body);
  sendPage(response, await pages.page(path));
}

/** Decoded, without query; undefined where it does not decode. */
function pathOf(url: string): string | undefined {
  try {
    return decodeURIComponent(url.replace(/[?#].*$/s, ''));
  } catch {
    return undefined;
  }
}

/** A diagram that can be shown; undefined for any other path. */
function findDiagram({ content, contentDir }: CheckedBank, path: string) {
  for (const { diagrams } of content.shifts) {
    const found = diagrams.find((diagram) => `/${diagram.path}` === path);
    if (!found) continue;
    const body = readBytes(join(contentDir, found.path), maxImageBytes);
    if ('fault' in body) return undefined;
    const image = readImage(found.file, body);
    return 'fault' in image ? undefined : { mediaType: image.mediaType, body };
  }
  return undefined;
}

function sendPage(response: ServerResponse, { status, text }: Page): void {
  send(response, status, { ...pageHeaders, 'Content-Type': 'text/html; charset=utf-8' }, Buffer.from(text));
}

function send(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): void {
  response.writeHead(status, { ...headers, 'Content-Length': body.length }).end(body);
}

/**
 * The Content-Security-Policy of the pages: scripts, styles, fonts, pictures and requests of this server alone.
 * Attributes of style are let through, and nothing else inline: KaTeX says in them where each sign of a formula
 * stands. They cannot come from the content, which is escaped, and run nothing.
 */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self'; " +
  "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A diagram that is opened by itself is a document: an SVG may look as it likes, and do nothing. */
const diagramPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

/** What every answer says: pages of others neither read it nor show it. */
const common = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

export const pageHeaders = {
  ...common,
  'Content-Security-Policy': pagePolicy,
  'Cache-Control': 'no-store',
};

export const diagramHeaders = {
  ...common,
  'Content-Security-Policy': diagramPolicy,
  'Cache-Control': 'no-cache',
};

/** Of what has its version in its address. */
export const assetHeaders = {
  ...common,
  'Content-Security-Policy': pagePolicy,
  'Cache-Control': 'max-age=31536000, immutable',
};

export const eventHeaders = {
  ...common,
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
};

/** No other machine can reach it. */
export const host = '127.0.0.1';

/** The port that is tried first where none is asked for. */
const usualPort = 4400;

/**
 * Starts to listen, for this machine alone.
 *
 * @param port undefined: the usual one, or one that is free
 * @returns the port
 * @throws NoPreview when it cannot be had
 */
export async function listen(server: Server, port: number | undefined): Promise<number> {
  if (port !== undefined) return attempt(server, port);
  try {
    return await attempt(server, usualPort);
  } catch {
    return attempt(server, 0);
  }
}

function attempt(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => reject(new NoPreview(explain(error, port)));
    server.once('error', refuse);
    server.listen(port, host, () => {
      server.off('error', refuse);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function explain({ code, message }: NodeJS.ErrnoException, port: number): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use: name another with --port, or none for one that is free.`;
  if (code === 'EACCES')
    return `Port ${port} needs rights that this user does not have: name one from 1024 on.`;
  return `Listening at port ${port} of ${host} failed: ${message}`;
}

/** Milliseconds after which a browser that lost the stream asks for it again. */
const retryTime = 1000;

/** Tells open pages which version of the content there is: server-sent events (HTML, 9.2). */
export class EventStream {
  readonly #listeners = new Set<ServerResponse>();

  /** Tells a page the version that there is, and each one that comes. */
  add(response: ServerResponse, version: string): void {
    response.writeHead(200, eventHeaders);
    if (response.req.method === 'HEAD') {
      response.end();
      return;
    }
    response.write(`retry: ${retryTime}\n${eventOf(version)}`);
    this.#listeners.add(response);
    response.on('close', () => this.#listeners.delete(response));
  }

  tell(version: string): void {
    for (const response of this.#listeners) response.write(eventOf(version));
  }
}

function eventOf(version: string): string {
  return `data: ${version}\n\n`;
}

/** The preview cannot start. The message is a sentence on why, and what to do. */
export class NoPreview extends Error {
  override readonly name = 'NoPreview';
}

export interface Asset {
  readonly mediaType: string;
  readonly body: Buffer;
}

/** The files that pages load, by their paths, and where pages find them. */
export interface Assets {
  readonly files: ReadonlyMap<string, Asset>;
  readonly addresses: PageAssets;
}

const css = 'text/css; charset=utf-8';

/**
 * Reads and bundles what pages load. Each file's path holds a digest, so that a browser may keep it. It begins
 * with `/-/`, which no exam's code does.
 */
export async function readAssets(): Promise<Assets> {
  const files = new Map<string, Asset>();
  const keep = (name: string, mediaType: string, body: Buffer): string => {
    const path = `/-/${digestOf(body)}/${name}`;
    files.set(path, { mediaType, body });
    return path;
  };
  const [site, preview, icon, script, katex] = await Promise.all([
    readFile(new URL('../site/style.css', import.meta.url)),
    readFile(new URL('./preview.css', import.meta.url)),
    readFile(new URL('../site/favicon.ico', import.meta.url)),
    pageScript('preview'),
    katexFiles(),
  ]);
  for (const [path, asset] of katex.files) files.set(path, asset);
  const addresses = {
    styles: [keep('style.css', css, site), katex.style, keep('preview.css', css, preview)],
    script: keep('preview.js', 'text/javascript; charset=utf-8', script),
    icon: keep('favicon.ico', 'image/x-icon', icon),
  };
  return { files, addresses };
}

/** KaTeX's style, and its fonts where the style looks for them: the form that every browser of today takes. */
async function katexFiles(): Promise<{ files: Map<string, Asset>; style: string }> {
  const folder = dirname(module.createRequire(import.meta.url).resolve('katex/dist/katex.min.css'));
  const body = await readFile(join(folder, 'katex.min.css'));
  const root = `/-/${digestOf(body)}`;
  const style = `${root}/katex.css`;
  const fonts = (await readdir(join(folder, 'fonts'))).filter((name) => name.endsWith('.woff2'));
  const read = fonts.map(async (name): Promise<[string, Asset]> => {
    const font = await readFile(join(folder, 'fonts', name));
    return [`${root}/fonts/${name}`, { mediaType: 'font/woff2', body: font }];
  });
  return { files: new Map([[style, { mediaType: css, body }], ...(await Promise.all(read))]), style };
}

function digestOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 8);
}
