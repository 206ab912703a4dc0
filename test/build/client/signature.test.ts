import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { zipSync } from 'fflate';
import { main } from '../../../build/cli.ts';
import { runInProcess } from '../../in-process.ts';
import { makeBank, paperPath as paper, temporaryFolder } from '../bank-folder.ts';
import { makeSigningKey, richFiles } from '../release-folder.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { below, mirrorFiles, pullHere, serve } from './served-bank.ts';

const [signingKey, otherKey] = [await makeSigningKey(), await makeSigningKey()];
const scope = 'neet/2024';

const bank = await makeBank(richFiles);
const signed = await serve(bank, undefined, signingKey.signer);
const { key } = await signed.running.createKey('reader');
const wanted = below(scope, signed.files);
const unsigned = await serve(bank, signed);

// Someone else's content, with checksums that match each other.
await bank.set(paper, '/questions/0/topic', 'Gravitation');
const forged = await serve(bank, signed);
const proxy = await startFaultProxy(signed.url);
after(() => proxy.close());

let folder: string;

const pullSigned = (publicKey = signingKey.publicKey) =>
  pullHere(proxy.url, scope, folder, { key, publicKeys: [publicKey] });

/** Changes a paper where its checksum does not notice. */
const changeDate = (body: Buffer) =>
  Buffer.from(String(body).replace(/"examDate":"\d{4}/, '"examDate":"1999'));
const changeIf = (isChanged: boolean, body: Buffer) => (isChanged ? changeDate(body) : body);

describe('A pull with a public key', () => {
  beforeEach(async () => {
    folder = await temporaryFolder();
    proxy.setUpstream(signed.url);
    proxy.intercept(() => undefined);
    proxy.requests.length = 0;
  });

  it('mirrors a service whose releases are signed with it, as --public-key does', async () => {
    const args = ['pull', proxy.url, scope, '--out', folder, '--public-key', signingKey.publicFile];
    const { status, stdout, stderr } = await runInProcess(main, args, { API_KEY: key });
    assert.equal(status, 0, stderr);
    assert.match(stdout, /, every checksum verified, every file signed\.\n/);
    assert.deepEqual(await mirrorFiles(folder), wanted);
  });

  it('downloads nothing from a service whose releases are signed with another key, or not at all', async () => {
    const other = await pullSigned(otherKey.publicKey);
    assert.match(other.problem, /checksums\.txt: the signature does not match the public key\./);
    proxy.setUpstream(unsigned.url);
    const none = await pullSigned();
    assert.match(none.problem, /checksums\.txt: the service does not sign its releases \(404\)\./);
    assert.equal((await mirrorFiles(folder)).size, 0);
  });

  it('downloads nothing from a forged release whose checksums match, beside the checksums of the real one', async () => {
    const checksums = await (await fetch(`${signed.url}/docs/checksums.txt`)).text();
    proxy.setUpstream(forged.url);
    proxy.intercept((path) =>
      path === '/docs/checksums.txt'
        ? { kind: 'respond', response: { status: 200, body: Buffer.from(checksums) } }
        : undefined,
    );
    const { problem } = await pullSigned();
    assert.match(problem, /\/neet\/2024: the response is not in the signed checksums\./);
    assert.equal((await mirrorFiles(folder)).size, 0);
    assert.equal((await pullHere(proxy.url, scope, folder, { key })).problem, '');
  });

  it('does not accept a paper that was changed where its own checksum does not notice', async () => {
    const files = new Map(
      [...wanted].map(([path, body]) => [path, changeIf(path === paper, body)]),
    );
    const response = { status: 200, body: Buffer.from(zipSync(Object.fromEntries(files))) };
    proxy.intercept((path) => (path.endsWith('.zip') ? { kind: 'respond', response } : undefined));
    const { problem } = await pullSigned();
    assert.match(problem, /physics\.json: the response is not in the signed/);
    assert.equal((await mirrorFiles(folder)).size, 0);
    // Without a key, nothing shows the change.
    assert.equal((await pullHere(proxy.url, scope, folder, { key })).problem, '');
  });

  it('replaces a file of the mirror that is not signed', async () => {
    await pullSigned();
    const file = join(folder, paper);
    await writeFile(file, changeDate(await readFile(file)));
    assert.equal((await pullHere(proxy.url, scope, folder, { key })).downloaded.papers, 0);
    assert.equal((await pullSigned()).downloaded.papers, 1);
    assert.deepEqual(await mirrorFiles(folder), wanted);
  });
});
