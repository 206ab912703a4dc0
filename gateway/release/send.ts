import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import Negotiator from 'negotiator';
import type { Resource, Variant } from './resource.ts';

/** The smaller coding first, where a client likes several as much. */
const preferred = ['br', 'gzip'];

/** How a pipeline to a response ends when its client went away. */
const clientGone = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_UNABLE_TO_PIPE',
  'ECONNRESET',
  'EPIPE',
]);

/** Answers with a resource: 304 to a client that has it, else 200 and its bytes. */
export async function sendResource(request: Request, response: Response, resource: Resource): Promise<void> {
  const variant = chooseVariant(request, resource);
  if (isCurrent(request.headers['if-none-match'], variant.etag)) {
    response.writeHead(304, variant.validators).end();
    return;
  }
  const file = await open(variant.file);
  try {
    await sendFile(file, response, variant);
  } catch (error) {
    if (!clientGone.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await file.close();
  }
}

async function sendFile(
  file: FileHandle,
  response: Response,
  { file: path, size, headers }: Variant,
): Promise<void> {
  const found = await file.stat();
  // The length has been promised by the manifest; other bytes would break the connection's framing.
  if (found.size !== size)
    throw new Error(`${path} has ${found.size} bytes, not ${size}: the release was changed.`);
  if (response.destroyed) return;
  response.writeHead(200, headers);
  await pipeline(file.createReadStream({ autoClose: false, end: size - 1 }), response);
}

/** Negotiates the content coding (RFC 9110, 12.5.3); a client that refuses all gets the bytes as they are. */
function chooseVariant(request: Request, { codings, variants }: Resource): Variant {
  const coding = new Negotiator(request).encoding(codings, { preferred }) ?? 'identity';
  const variant = variants.get(coding) ?? variants.get('identity');
  if (!variant) throw new Error('A resource without its identity coding.');
  return variant;
}

/** Whether If-None-Match names the tag, by the weak comparison of RFC 9110, 13.1.2. */
function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return [...ifNoneMatch.matchAll(/"[^"]*"/g)].some(([tag]) => tag === etag);
}
