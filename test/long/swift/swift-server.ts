/** OpenStack Swift on loopback, from Debian's packages: an object store that checks Signature 4, with one disk. */
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { AwsV4Signer } from 'aws4fetch';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { freePort } from '../../free-port.ts';
import { type StartedProcess, startCommand } from '../../gateway/started-process.ts';
import { waitUntil } from '../../wait-until.ts';

const credentials = { accessKeyId: 'test:tester', secretAccessKey: 'testing' };

/**
 * Starts Swift, and creates a bucket.
 *
 * @returns the address of the bucket, and the settings that lead to it
 */
export async function startSwift() {
  const folder = await temporaryFolder();
  const user = userInfo().username;
  const processes: StartedProcess[] = [];
  const start = (command: string, ...args: string[]) =>
    void processes.push(startCommand(command, args, {}, folder));

  /** Writes a configuration file with these values in place of their names. */
  async function configure(
    template: string,
    values: Readonly<Record<string, string>>,
  ): Promise<string> {
    let text = await readFile(new URL(template, import.meta.url), 'utf8');
    for (const [name, value] of Object.entries({ ...values, USER: user, FOLDER: folder }))
      text = text.replaceAll(name, value);
    const file = join(folder, `${values['KIND']}.conf`);
    await writeFile(file, text);
    return file;
  }

  await copyFile(new URL('swift.conf', import.meta.url), join(folder, 'swift.conf'));
  await mkdir(join(folder, 'devices/disk'), { recursive: true });
  for (const KIND of ['account', 'container', 'object']) {
    const PORT = String(await freePort());
    const ring = (...args: string[]) =>
      execFileSync('swift-ring-builder', [`${KIND}.builder`, ...args], { cwd: folder });
    ring('create', '2', '1', '0');
    ring('add', `r1z1-127.0.0.1:${PORT}/disk`, '1');
    ring('rebalance');
    start(`swift-${KIND}-server`, await configure('storage-server.conf', { KIND, PORT }));
  }
  const [PORT, CACHE] = [String(await freePort()), String(await freePort())];
  start('memcached', '-u', user, '-l', '127.0.0.1', '-p', CACHE);
  start('swift-proxy-server', await configure('proxy-server.conf', { KIND: 'proxy', PORT, CACHE }));

  const origin = `http://127.0.0.1:${PORT}`;
  await waitUntil(async () => {
    const ended = processes.find(({ process }) => process.exitCode !== null);
    if (ended)
      throw new Error(
        `${ended.process.spawnfile} ended: ${ended.output.stdout}${ended.output.stderr}`,
      );
    const create = { method: 'PUT', url: `${origin}/bucket`, service: 's3', region: 'us-east-1' };
    const { headers } = await new AwsV4Signer({ ...create, ...credentials }).sign();
    const response = await fetch(create.url, { method: 'PUT', headers }).catch(() => undefined);
    return response?.ok === true;
  }, 100);
  const { accessKeyId, secretAccessKey } = credentials;
  return {
    bucket: 's3://bucket',
    env: {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_ENDPOINT_URL_S3: origin,
    },
    close: () => Promise.all(processes.map((started) => started.stop('SIGKILL'))),
  };
}
