import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Request } from 'express';
import { type GatewayResponse, writeHead } from '../http.ts';
import { type Bodies, openFile } from './bodies.ts';
import type { Resource, Variant } from './resource.ts';

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
 * @throws MissingFile before anything was answered
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
  if (variant.size > bodies.largest) return sendFile(response, variant);
  return bodies.read(variant).then((read) => sendBody(response, variant, read));
}

function sendBody(response: GatewayResponse, variant: Variant, body: Buffer): void {
  writeOk(response, variant);
  response.end(body);
}

async function sendFile(response: GatewayResponse, variant: Variant): Promise<void> {
  const { folder, file: name, size } = variant;
  const path = join(folder, name);
  const file = await openFile(path);
  try {
    const found = await file.stat();
    // The length has been promised by the manifest; other bytes would break the connection's framing.
    if (found.size !== size)
      throw new Error(`${path} has ${found.size} bytes, not ${size}: the release was changed.`);
    if (response.destroyed) return;
    writeOk(response, variant);
    await pipeline(file.createReadStream({ autoClose: false, end: size - 1 }), response);
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
