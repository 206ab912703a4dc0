import { pipeline } from 'node:stream/promises';
import type { Request } from 'express';
import { type GatewayResponse, writeHead } from '../http.ts';
import type { Bodies, Body } from './bodies.ts';
import type { Resource, Variant } from './resource.ts';
import { openStream } from './streamed-file.ts';

/** How a pipeline to a response ends when its client went away. */
const clientGone = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_UNABLE_TO_PIPE',
  'ECONNRESET',
  'EPIPE',
]);

/**
 * Answers with a resource: 304 to a client that has it, else 200 and its bytes.
 *
 * @returns a promise where the bytes have to be read first
 * @throws MissingFile, HangingDisk before anything was answered
 */
export function sendResource(
  request: Request,
  response: GatewayResponse,
  resource: Resource,
  bodies: Bodies,
): Promise<void> | void {
  const { headers } = request;
  const variant = resource[resource.negotiation.choose(headers)] ?? resource.identity;
  const { etag, kind } = variant;
  if (isCurrent(headers['if-none-match'], etag)) {
    writeHead(response, 304, [...response.locals.fields, 'ETag', etag, ...kind.validators]);
    response.end();
    return;
  }
  const body = bodies.get(variant);
  if (body !== undefined) return sendBody(response, variant, body);
  if (variant.size > bodies.largest) return sendFile(response, variant, bodies);
  return bodies.read(variant).then((read) => sendBody(response, variant, read));
}

function sendBody(response: GatewayResponse, variant: Variant, body: Body): void {
  writeOk(response, variant);
  response.end(body, 'latin1');
}

async function sendFile(response: GatewayResponse, variant: Variant, { disk }: Bodies): Promise<void> {
  const file = await openStream(variant, disk);
  try {
    if (response.destroyed) return;
    writeOk(response, variant);
    await pipeline(file.pieces(), response);
  } catch (error) {
    if (!clientGone.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await file.close();
  }
}

function writeOk(response: GatewayResponse, { etag, size, kind }: Variant): void {
  const own = ['ETag', etag, 'Content-Length', String(size)];
  writeHead(response, 200, [...response.locals.fields, ...own, ...kind.fields]);
}

/** Whether If-None-Match names the tag, by the weak comparison of RFC 9110, 13.1.2. */
function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  return [...ifNoneMatch.matchAll(/"[^"]*"/g)].some(([tag]) => tag === etag);
}
