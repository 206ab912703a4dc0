import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { readBytes } from '../../content/file.ts';
import { maxImageBytes, readImage } from '../../content/image.ts';
import type { CheckedBank } from '../bank/checked-bank.ts';
import type { Page, Pages } from '../pages.ts';
import type { Assets } from './assets.ts';
import { assetHeaders, diagramHeaders, pageHeaders } from './policy.ts';

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
