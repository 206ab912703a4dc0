import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { serveLocally } from '../free-port.ts';

/** An object store in memory that can be made to fail. It supports conditional writes, and checks no signature. */
export interface ScriptedStore {
  /** The address for `pull`. */
  readonly url: string;
  /** The address for `push`, and its settings. */
  readonly bucket: string;
  readonly env: Readonly<Record<string, string>>;
  readonly objects: Map<string, Buffer>;
  /** Methods and keys of the requests, in order: `GET current`. */
  readonly requests: string[];
  /** Responds to requests for objects that exist, instead of the store; true if it has. */
  respond: (method: string, key: string, response: ServerResponse, body: Buffer) => boolean;
  /** Bytes that it has received and sent in bodies. */
  bytes: number;
  close(): Promise<void>;
}

export async function startScriptedStore(): Promise<ScriptedStore> {
  const objects = new Map<string, Buffer>();
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const key = url.replace(/^\/bucket\//, '');
    requests.push(`${method} ${key}`);
    const sent = await buffer(request);
    store.bytes += sent.length;
    const object = objects.get(key);
    const etag = object && `"${createHash('md5').update(object).digest('hex')}"`;
    if (method === 'PUT') {
      const isWanted =
        headers['if-match'] === undefined ? headers['if-none-match'] !== '*' || !object : headers['if-match'] === etag;
      if (isWanted) objects.set(key, sent);
      response.writeHead(isWanted ? 200 : 412).end();
    } else if (!object) {
      response.writeHead(404).end('<Error/>');
    } else if (!store.respond(method, key, response, object)) {
      const isKnown = headers['if-none-match'] === etag;
      const fields = { etag, ...(!isKnown && { 'content-length': object.length }) };
      response.writeHead(isKnown ? 304 : 200, fields).end(method === 'GET' && !isKnown ? object : undefined);
      if (method === 'GET' && !isKnown) store.bytes += object.length;
    }
  });
  const { url: origin, close } = await serveLocally(server);
  const store: ScriptedStore = {
    url: `${origin}/bucket/`,
    bucket: 's3://bucket',
    env: { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_ENDPOINT_URL: origin },
    objects,
    requests,
    respond: () => false,
    bytes: 0,
    close,
  };
  return store;
}
