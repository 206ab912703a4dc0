import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunningHost, startNginx } from './running-host.ts';

const docs = new URL('../../../docs/replicas/', import.meta.url);

/** Starts nginx with the configuration of docs/replicas, with these ports of gateways and the authentication service. */
export function startBalancer(gateways: readonly number[], service: number): Promise<RunningHost> {
  return startNginx(async (folder, port) => {
    const file = (name: string) => readFile(new URL(name, docs), 'utf8');
    const [upstreams, site] = [join(folder, 'upstreams.conf'), join(folder, 'site.conf')];
    const addresses = [8081, 8082, 8083].map((port, index) => [
      port,
      gateways[index] ?? gateways[0],
    ]);
    await writeFile(
      upstreams,
      replaceAll(
        await file('upstreams.conf'),
        [...addresses, [8090, service]].map(([from, to]) => [
          `127.0.0.1:${from}`,
          `127.0.0.1:${to}`,
        ]),
      ),
    );
    await writeFile(
      site,
      replaceAll(await file('nginx.conf'), [
        ['/etc/nginx/pastpaper-upstreams.conf', upstreams],
        ['listen 80;', `listen 127.0.0.1:${port};`],
      ]),
    );
    return `include ${site};`;
  });
}

function replaceAll(text: string, pairs: readonly (readonly [string, string])[]): string {
  for (const [from, to] of pairs) {
    assert.ok(text.includes(from), `${from} is missing`);
    text = text.replaceAll(from, to);
  }
  return text;
}
