import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import module from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { maxImageBytes, readBytes } from '../content/file.ts';
import { readImage } from '../content/image.ts';
import { pageScript } from '../site/assets.ts';
import type { CheckedBank, LiveBank } from './bank.ts';
import type { PageAssets } from './document.ts';
import type { Page, Pages } from './pages.ts';

/** The preview is not available to other machines. */
const host = '127.0.0.1';

/** The port that is tried first if none is requested. */
const defaultPort = 4400;

/** Where pages request events. */
const eventsPath = '/-/events';

/** Milliseconds after which a browser that lost the connection requests the events again. */
const retryTime = 1000;

/**
 * Host names by which a browser on this machine reaches the server. Under any other name, a page from elsewhere would
 * have the same origin (DNS rebinding). The port may differ, for example behind a tunnel.
 */
const allowedHost = /^(127\.0\.0\.1|localhost)(:\d+)?$/i;

/**
 * The Content-Security-Policy of the pages: resources of this server only. KaTeX positions the parts of a formula with
 * style attributes. They cannot come from the content, which is escaped.
 */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self'; " +
  "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** An SVG that is opened by itself is a document: it may have styles, but no scripts. */
const diagramPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

/** Pages of other origins can neither read nor frame a response. */
const commonHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

const pageHeaders = {
  ...commonHeaders,
  'Content-Security-Policy': pagePolicy,
  'Cache-Control': 'no-store',
};

const diagramHeaders = {
  ...commonHeaders,
  'Content-Security-Policy': diagramPolicy,
  'Cache-Control': 'no-cache',
};

/** The URL of an asset contains its hash. */
const assetHeaders = {
  ...commonHeaders,
  'Content-Security-Policy': pagePolicy,
  'Cache-Control': 'max-age=31536000, immutable',
};

const eventHeaders = {
  ...commonHeaders,
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
};

/** Serves pages, their assets, diagrams, and events that announce new versions of the content. */
export class PreviewServer {
  readonly #live: LiveBank;
  readonly #pages: Pages;
  readonly #assets: ReadonlyMap<string, Asset>;
  readonly #server: Server;
  /** Open event streams (HTML, 9.2). */
  readonly #streams = new Set<ServerResponse>();

  constructor(live: LiveBank, pages: Pages, assets: ReadonlyMap<string, Asset>) {
    this.#live = live;
    this.#pages = pages;
    this.#assets = assets;
    this.#server = createServer((request, response) => {
      this.#respond(request, response).catch((error: unknown) => {
        if (response.headersSent) return void response.destroy();
        const { stack = String(error) } = error as Error;
        const reason = `This is a fault of the preview itself. Please report it.\n${stack}`;
        sendPage(response, pages.error(500, 'The page could not be made', reason));
      });
    });
  }

  /**
   * @param port undefined: the default port, or any free one
   * @returns the origin
   * @throws Error when the port is not available
   */
  async listen(port: number | undefined): Promise<string> {
    if (port !== undefined) await this.#listen(port);
    else await this.#listen(defaultPort).catch(() => this.#listen(0));
    return `http://${host}:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Sends a version to all open pages. */
  announce(version: string): void {
    for (const stream of this.#streams) stream.write(eventOf(version));
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #listen(port: number): Promise<void> {
    try {
      await once(this.#server.listen(port, host), 'listening');
    } catch (error) {
      throw new Error(explainListenError(error as NodeJS.ErrnoException, port));
    }
  }

  /** Only files that the content was found to have are read. */
  async #respond({ method, headers, url = '/' }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!allowedHost.test(headers.host ?? '')) {
      const plain = { ...pageHeaders, 'Content-Type': 'text/plain; charset=utf-8' };
      const reason = 'The preview is for this machine alone: open it as 127.0.0.1 or localhost.\n';
      return send(response, 421, plain, Buffer.from(reason));
    }
    if (method !== 'GET' && method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      const page = this.#pages.error(405, 'Nothing can be changed here', 'The preview only shows.');
      return sendPage(response, page);
    }
    const path = decodedPath(url);
    if (path === undefined)
      return sendPage(response, this.#pages.error(400, 'Malformed address', 'The address does not decode.'));
    if (path === eventsPath) return this.#openStream(response);
    const asset = this.#assets.get(path);
    if (asset) return send(response, 200, { ...assetHeaders, 'Content-Type': asset.mediaType }, asset.body);
    const diagram = readDiagramAt(this.#live.bank, path);
    if (diagram)
      return send(response, 200, { ...diagramHeaders, 'Content-Type': diagram.mediaType }, diagram.body);
    sendPage(response, await this.#pages.page(path));
  }

  #openStream(response: ServerResponse): void {
    response.writeHead(200, eventHeaders);
    if (response.req.method === 'HEAD') return void response.end();
    response.write(`retry: ${retryTime}\n${eventOf(this.#live.version)}`);
    this.#streams.add(response);
    response.on('close', () => this.#streams.delete(response));
  }
}

function explainListenError({ code, message }: NodeJS.ErrnoException, port: number): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use: name another with --port, or none for one that is free.`;
  if (code === 'EACCES')
    return `Port ${port} needs rights that this user does not have: name one from 1024 on.`;
  return `Listening at port ${port} of ${host} failed: ${message}`;
}

/** Without query; undefined if it does not decode. */
function decodedPath(url: string): string | undefined {
  try {
    return decodeURIComponent(url.replace(/[?#].*$/s, ''));
  } catch {
    return undefined;
  }
}

/** Reads the diagram at a path; undefined if there is none, or it is not a valid image. */
function readDiagramAt({ content, contentDir }: CheckedBank, path: string): Asset | undefined {
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

function eventOf(version: string): string {
  return `data: ${version}\n\n`;
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

interface Asset {
  readonly mediaType: string;
  readonly body: Buffer;
}

const css = 'text/css; charset=utf-8';

/**
 * Reads and bundles what pages load. Each path contains a hash of the file, so that browsers can cache it, and starts
 * with `/-/`, which is not an exam's code.
 */
export async function readAssets(): Promise<{ files: ReadonlyMap<string, Asset>; urls: PageAssets }> {
  const files = new Map<string, Asset>();
  const add = (name: string, mediaType: string, body: Buffer): string => {
    const path = `/-/${hashOf(body)}/${name}`;
    files.set(path, { mediaType, body });
    return path;
  };
  const katex = dirname(module.createRequire(import.meta.url).resolve('katex/dist/katex.min.css'));
  const [siteStyle, katexStyle, previewStyle, script, icon, fonts] = await Promise.all([
    readFile(new URL('../site/style.css', import.meta.url)),
    readFile(join(katex, 'katex.min.css')),
    readFile(new URL('./preview.css', import.meta.url)),
    pageScript('preview'),
    readFile(new URL('../site/favicon.ico', import.meta.url)),
    readdir(join(katex, 'fonts')),
  ]);
  const urls = {
    styles: [
      add('style.css', css, siteStyle),
      add('katex.css', css, katexStyle),
      add('preview.css', css, previewStyle),
    ],
    script: add('preview.js', 'text/javascript; charset=utf-8', script),
    icon: add('favicon.ico', 'image/x-icon', icon),
  };
  // KaTeX's style sheet refers to its fonts by relative URLs. All supported browsers read WOFF2.
  for (const font of fonts.filter((name) => name.endsWith('.woff2'))) {
    const body = await readFile(join(katex, 'fonts', font));
    files.set(`/-/${hashOf(katexStyle)}/fonts/${font}`, { mediaType: 'font/woff2', body });
  }
  return { files, urls };
}

function hashOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 8);
}
