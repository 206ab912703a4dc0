import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { diagramContentType, type Output } from '../compile/response.ts';
import { maxImageBytes, readBytes } from '../content/file.ts';
import { readImage } from '../content/image.ts';
import { percentDecoded } from '../release/urls.ts';
import { pageScript, readTypefaces } from '../site/assets.ts';
import { readKatex } from '../site/paper/katex-files.ts';
import type { LiveBank } from './bank.ts';
import { errorPage, type Page, type PageAssets, type PageContext, page } from './document.ts';
import { editorPage, newPaperPage } from './edit-page.ts';
import { editPath, openEditor } from './edit-requests.ts';
import { indexPage } from './index-page.ts';
import { paperPage } from './paper-page.ts';

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
const diagramPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

/** Pages of other origins can neither read nor frame a response. */
const commonHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Content-Security-Policy': pagePolicy,
  'Cache-Control': 'no-store',
};

type Asset = Pick<Output, 'mediaType' | 'body'>;

/**
 * Serves pages, their assets, diagrams, and events that announce new versions of the content. Changes files for its own
 * pages.
 *
 * @param urls of the assets that every page loads
 */
export function createPreviewServer(
  bank: LiveBank,
  urls: PageAssets,
  assets: ReadonlyMap<string, Asset>,
): Server {
  const editor = openEditor(bank);
  const context = { bank, assets: urls, token: editor.token };
  return createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      if (response.headersSent) return void response.destroy();
      const { stack = String(error) } = error as Error;
      const reason = `This is a bug in the preview. Please report it.\n${stack}`;
      sendPage(response, errorPage(context, 500, 'The page could not be created', reason));
    });
  });

  /** Only files that the content was found to have are read. */
  async function respond(request: IncomingMessage, response: ServerResponse) {
    const { method, headers, url = '/' } = request;
    if (!allowedHost.test(headers.host ?? '')) {
      const reason =
        'The preview is only available on this machine. Open it at 127.0.0.1 or localhost.\n';
      return send(response, 421, {
        mediaType: 'text/plain; charset=utf-8',
        body: Buffer.from(reason),
      });
    }
    const path = percentDecoded(url.replace(/[?#].*$/s, ''));
    if (method === 'POST' && path?.startsWith(editPath)) {
      const { status, body } = await editor.respond(request, path);
      const text = Buffer.from(JSON.stringify(body));
      return send(response, status, { mediaType: 'application/json', body: text });
    }
    if (method !== 'GET' && method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      const reason = 'Pages are read-only.';
      return sendPage(response, errorPage(context, 405, 'Method not allowed', reason));
    }
    if (path === undefined)
      return sendPage(
        response,
        errorPage(context, 400, 'Malformed URL', 'The URL cannot be decoded.'),
      );
    if (path === eventsPath) return sendEvents(response, bank);
    const asset = assets.get(path);
    // The URL of an asset contains its hash.
    if (asset)
      return send(response, 200, asset, { 'Cache-Control': 'max-age=31536000, immutable' });
    const diagram = readDiagramAt(bank, path);
    if (diagram) {
      const headers = { 'Content-Security-Policy': diagramPolicy, 'Cache-Control': 'no-cache' };
      return send(response, 200, diagram, headers);
    }
    sendPage(response, await pageAt(context, path, new URLSearchParams(url.replace(/^[^?]*/, ''))));
  }
}

/** Renders a page from the current content. @param path decoded, without query */
async function pageAt(context: PageContext, path: string, query: URLSearchParams): Promise<Page> {
  const { bank } = context;
  if (!bank.report) await bank.running;
  if (path === '/') return page(context, 200, indexPage(bank));
  if (path === `${editPath}new`) return page(context, 200, newPaperPage(bank));
  if (path.startsWith(editPath)) {
    const parts = editorPage(bank, path.slice(editPath.length), query);
    if (parts) return page(context, 200, parts);
  }
  for (const shift of bank.content.shifts) {
    const place = [...shift.papers, ...shift.translations].find(
      (one) => `/${one.path}` === `${path}.json`,
    );
    if (place) return page(context, 200, await paperPage(bank, shift, place));
  }
  return errorPage(context, 404, 'Paper not found', `The content folder has no paper for ${path}.`);
}

/** Reads the diagram at a path; undefined if there is none, or it is not a valid image. */
function readDiagramAt({ content, contentDir }: LiveBank, path: string): Asset | undefined {
  const found = content.shifts
    .flatMap(({ diagrams }) => diagrams)
    .find((diagram) => `/${diagram.path}` === path);
  if (!found) return undefined;
  const body = readBytes(join(contentDir, found.path), maxImageBytes);
  if ('fault' in body) return undefined;
  const image = readImage(found.file, body);
  return 'fault' in image ? undefined : { mediaType: diagramContentType(image.mediaType), body };
}

/** Keeps the response open as an event stream (HTML, 9.2), on which it sends each version. */
function sendEvents(response: ServerResponse, bank: LiveBank): void {
  response.writeHead(200, { ...commonHeaders, 'Content-Type': 'text/event-stream' });
  if (response.req.method === 'HEAD') return void response.end();
  const sendVersion = (version: string) => response.write(`data: ${version}\n\n`);
  response.write(`retry: ${retryTime}\n`);
  sendVersion(bank.version);
  bank.on('version', sendVersion);
  response.on('close', () => bank.off('version', sendVersion));
}

function sendPage(response: ServerResponse, { status, text }: Page): void {
  send(response, status, { mediaType: 'text/html; charset=utf-8', body: Buffer.from(text) });
}

function send(
  response: ServerResponse,
  status: number,
  { mediaType, body }: Asset,
  headers = {},
): void {
  const ofBody = { 'Content-Type': mediaType, 'Content-Length': body.length };
  response.writeHead(status, { ...commonHeaders, ...headers, ...ofBody }).end(body);
}

const css = 'text/css; charset=utf-8';
const javascript = 'text/javascript; charset=utf-8';

/**
 * Reads and bundles what pages load. Each path contains a hash of the file, so that browsers can cache it, and starts
 * with `/-/`, which is not an exam's code.
 */
export async function readAssets(): Promise<{
  files: ReadonlyMap<string, Asset>;
  urls: PageAssets;
}> {
  const files = new Map<string, Asset>();
  const add = (name: string, mediaType: string, body: Buffer): string => {
    const path = `/-/${hash('sha256', body).slice(0, 8)}/${name}`;
    files.set(path, { mediaType, body });
    return path;
  };
  const [siteStyle, typefaces, previewStyle, script, editorScript, icon, { style, fonts }] =
    await Promise.all([
      readFile(new URL('../site/style.css', import.meta.url)),
      readTypefaces(),
      readFile(new URL('./preview.css', import.meta.url)),
      pageScript('preview'),
      pageScript('editor'),
      readFile(new URL('../site/favicon.ico', import.meta.url)),
      readKatex(),
    ]);
  const katexUrl = add('katex.css', css, Buffer.from(style));
  const siteUrl = add('style.css', css, siteStyle);
  const urls = {
    styles: [siteUrl, katexUrl, add('preview.css', css, previewStyle)],
    script: add('preview.js', javascript, script),
    editorScript: add('editor.js', javascript, editorScript),
    icon: add('favicon.ico', 'image/x-icon', icon),
  };
  for (const { file, body } of typefaces)
    files.set(`${dirname(siteUrl)}/${file}`, { mediaType: 'font/woff2', body });
  for (const { path, body } of fonts)
    files.set(`${dirname(katexUrl)}/${path}`, { mediaType: 'font/woff2', body });
  return { files, urls };
}
