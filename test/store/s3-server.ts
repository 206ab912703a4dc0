import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { AwsV4Signer } from 'aws4fetch';

/**
 * An object store in memory that can be made to fail. Writes must be signed (AWS Signature 4), reads need not be, and a
 * signature that is wrong is rejected.
 */
export interface S3Server {
  /** `s3://` and its bucket, and the settings that lead to it. */
  readonly bucket: string;
  readonly env: Readonly<Record<string, string>>;
  readonly objects: Map<string, Buffer>;
  /** Methods and keys of the requests, in order: `GET current`. */
  readonly requests: string[];
  /** Responds to an authentic request with this body or for this object, instead of the store; true if it has. */
  respond: (method: string, key: string, response: ServerResponse, body: Buffer) => boolean;
  /** What a condition of a write does. */
  conditions: 'supported' | 'ignored' | 'not implemented';
  /** Bytes that it has received and sent in bodies. */
  bytes: number;
  /** Milliseconds that its clock is ahead. */
  ahead: number;
  close(): Promise<void>;
}

const credentials = {
  accessKeyId: 'id',
  secretAccessKey: 'secret',
  service: 's3',
  region: 'us-east-1',
};

/** Milliseconds between the clocks of a client and the store, at most. */
const maxSkew = 15 * 60_000;

export async function startS3(address = '127.0.0.1'): Promise<S3Server> {
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request;
    const { pathname } = new URL(url, origin);
    const key = pathname.replace(/^\/bucket\//, '');
    store.requests.push(`${method} ${key}`);
    const sent = await buffer(request);
    store.bytes += sent.length;
    const problem = await rejection(
      request,
      sent,
      new URL(url, origin),
      method === 'PUT',
      store.ahead,
    );
    const object = store.objects.get(key);
    if (problem)
      response
        .writeHead(problem === 'ExpiredToken' ? 400 : 403)
        .end(`<Error><Code>${problem}</Code></Error>`);
    else if (
      store.respond(method, key, response, method === 'PUT' ? sent : (object ?? Buffer.of()))
    )
      return;
    else if (method === 'PUT') response.writeHead(put(key, sent, request)).end();
    else if (!object) response.writeHead(404).end('<Error/>');
    else {
      const isKnown = request.headers['if-none-match'] === etagOf(object);
      const fields = { etag: etagOf(object), ...(!isKnown && { 'content-length': object.length }) };
      response.writeHead(isKnown ? 304 : 200, fields).end(isKnown ? undefined : object);
      if (!isKnown) store.bytes += object.length;
    }
  });

  function put(key: string, body: Buffer, { headers }: IncomingMessage): number {
    const { 'if-match': match, 'if-none-match': noneMatch } = headers;
    const isConditional = match !== undefined || noneMatch !== undefined;
    const object = store.objects.get(key);
    if (isConditional && store.conditions === 'not implemented') return 501;
    const isMet =
      match === undefined ? noneMatch !== '*' || !object : object && match === etagOf(object);
    if (isConditional && store.conditions === 'supported' && !isMet) return 412;
    store.objects.set(key, body);
    return 200;
  }

  server.listen(0, address);
  await once(server, 'listening');
  const origin = `http://${address}:${(server.address() as AddressInfo).port}`;
  const store: S3Server = {
    bucket: 's3://bucket',
    env: { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_ENDPOINT_URL_S3: origin },
    objects: new Map(),
    requests: [],
    respond: () => false,
    conditions: 'supported',
    bytes: 0,
    ahead: 0,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return store;
}

function etagOf(object: Buffer): string {
  return `"${createHash('md5').update(object).digest('hex')}"`;
}

/** The error code of S3 for a request that is not authentic. */
async function rejection(
  { method = '', headers }: IncomingMessage,
  body: Buffer,
  url: URL,
  mustBeSigned: boolean,
  ahead: number,
): Promise<string | undefined> {
  const {
    authorization,
    'x-amz-date': datetime,
    'x-amz-security-token': token,
    'x-amz-content-sha256': sha256,
  } = headers;
  if (authorization === undefined) return mustBeSigned ? 'AccessDenied' : undefined;
  const [, names = ''] = /SignedHeaders=([^,]*)/.exec(authorization) ?? [];
  const signed = names.split(';').filter((name) => name !== 'host' && headers[name] !== undefined);
  const signer = new AwsV4Signer({
    ...credentials,
    method,
    url: url.href,
    headers: Object.fromEntries(signed.map((name) => [name, String(headers[name])])),
    datetime: String(datetime),
  });
  const expected = (await signer.sign()).headers.get('authorization');
  if (!authorization.includes(`Credential=${credentials.accessKeyId}/`))
    return 'InvalidAccessKeyId';
  if (authorization !== expected) return 'SignatureDoesNotMatch';
  const time = Date.parse(
    String(datetime).replace(/^(.{4})(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'),
  );
  if (!(Math.abs(Date.now() + ahead - time) <= maxSkew)) return 'RequestTimeTooSkewed';
  if (sha256 !== createHash('sha256').update(body).digest('hex'))
    return 'XAmzContentSHA256Mismatch';
  return token === undefined ? undefined : 'ExpiredToken';
}
