import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import Negotiator from 'negotiator';
import type { Resource, Variant } from './resource.ts';

/** The smaller coding first, where a client likes several as much. */
const preferred = ['br', 'gzip'];

/** Answers with a resource: 304 to a client that has it, else 200 and its bytes. */
export async function sendResource(request: Request, response: Response, resource: Resource): Promise<void> {
  const variant = chooseVariant(request, resource);
  if (isCurrent(request.headers['if-none-match'], variant.etag)) {
    response.writeHead(304, variant.validators).end();
    return;
  }
  const file = await open(variant.file);
  response.writeHead(200, variant.headers);
  try {
    await pipeline(file.createReadStream(), response);
  } catch (error) {
    // The client went away, and nobody is left to answer.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
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
