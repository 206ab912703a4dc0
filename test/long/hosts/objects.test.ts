/** The table of objects, by the script of docs/cdn.md that fills a store from it. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { cacheControl } from '../../../build/release/headers.ts';
import { parseManifest } from '../../../build/release/manifest.ts';
import { makeBank, temporaryFolder } from '../../build/bank-folder.ts';
import { makeSigningKey, publishedFolder, richFiles, secrets } from '../../build/release-folder.ts';
import { serveLocally } from '../../free-port.ts';
import { startCommand } from '../../gateway/started-process.ts';

interface Stored {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const objects = new Map<string, Stored>();
let full = false;
const server = createServer(async (request, response) => {
  const body = await buffer(request);
  if (!full) objects.set(request.url ?? '', { headers: request.headers, body });
  response.writeHead(full ? 507 : 200).end();
});
const store = await serveLocally(server);
after(() => store.close());

const { signer } = await makeSigningKey();
const folder = await publishedFolder(
  (await makeBank(richFiles)).dir,
  await temporaryFolder(),
  signer,
);
const manifest = parseManifest(await readFile(join(folder, 'manifest.json'), 'utf8'));

function fill() {
  const credentials = {
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_REGION: 'eu-west-1',
  };
  return startCommand('sh', ['docs/object-store.sh', folder, `${store.url}/bucket`], credentials)
    .ended;
}

describe('The table of objects', () => {
  it('fills a store with every public resource, with and without a trailing slash', async () => {
    assert.deepEqual(await fill(), { status: 0, stdout: '', stderr: '' });
    const keys = Object.keys(manifest.public).flatMap((path) => [
      `/bucket/${path}`,
      `/bucket/${path}/`,
    ]);
    assert.deepEqual([...objects.keys()].sort(), keys.sort());
    for (const [path, { mediaType, identity }] of Object.entries(manifest.public)) {
      for (const key of [path, `${path}/`]) {
        const { headers, body } = objects.get(`/bucket/${key}`) ?? assert.fail(key);
        assert.equal(headers['content-type'], mediaType);
        assert.equal(headers['cache-control'], cacheControl.public);
        assert.match(headers.authorization ?? '', /^AWS4-HMAC-SHA256 Credential=id\//);
        assert.equal(headers['x-amz-content-sha256'], identity.sha256);
        assert.equal(createHash('sha256').update(body).digest('hex'), identity.sha256);
      }
    }
  });

  it('reports which object the store rejected', async () => {
    full = true;
    const { status, stderr } = await fill();
    assert.equal(status, 1);
    assert.match(stderr, /^dashboard \(\d+ bytes\) was not taken\.$/m);
  });

  it('contains the size and the checksum of every variant, and no protected file', async () => {
    const lines = (await readFile(join(folder, 'hosts/objects.tsv'), 'utf8')).trimEnd().split('\n');
    assert.equal(lines[0], 'key\tfile\ttype\tcache\tencoding\tsize\tsha256');
    for (const line of lines.slice(1)) {
      const [, file = '', , , , size, sha256] = line.split('\t');
      assert.ok(file.startsWith('public/'), file);
      const bytes = await readFile(join(folder, file));
      assert.equal(String(bytes.length), size);
      assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256);
    }
  });

  it('contains no text of a question, like the other files for hosts', async () => {
    for (const file of Object.keys(manifest.hosts)) {
      const text = await readFile(join(folder, file), 'utf8');
      for (const secret of Object.values(secrets).flat())
        assert.ok(!text.includes(secret), `${file}: ${secret}`);
    }
  });
});
