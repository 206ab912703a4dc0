import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { main } from '../../../build/cli.ts';
import { proxyFor } from '../../../build/client/proxy.ts';
import { serveLocally } from '../../free-port.ts';
import { runInProcess } from '../../in-process.ts';
import { temporaryFolder } from '../bank-folder.ts';
import { below, mirrorFiles, problemsOf, pullHere, serve } from './served-bank.ts';

const service = await serve();
const { key } = await service.running.createKey('reader');
/** A host name that only the proxy can resolve. */
const elsewhere = 'http://papers.invalid';

describe('A pull behind a forward proxy', async () => {
  const proxy = await startForwardProxy(service.url);
  after(() => proxy.close());

  it('uses the proxy of the environment', async () => {
    const folder = await temporaryFolder();
    const settings = { API_KEY: key, http_proxy: proxy.url, HTTP_PROXY: 'http://127.0.0.1:9' };
    const args = ['pull', elsewhere, 'neet/2024', '--out', folder];
    const { status, stderr } = await runInProcess(main, args, settings);
    assert.equal(status, 0, stderr);
    assert.deepEqual(await mirrorFiles(folder), below('neet/2024', service.files));
    assert.deepEqual([...new Set(proxy.tunnels.map(([target]) => target))], ['papers.invalid:80']);
  });

  it('sends the credentials in the address of the proxy to the proxy alone', async () => {
    const before = proxy.tunnels.length;
    const environment = { HTTP_PROXY: proxy.url.replace('//', '//me:p%40ss@') };
    const { end } = await pullHere(elsewhere, 'neet/2024', await temporaryFolder(), {
      key,
      environment,
    });
    assert.equal(end.kind, 'complete');
    const credentials = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;
    for (const [, shown] of proxy.tunnels.slice(before)) assert.equal(shown, credentials);
    assert.ok(proxy.tunnels.length > before);
  });

  it('stops at once when the proxy refuses to connect', async () => {
    const closed = await startForwardProxy(service.url, 407);
    const folder = await temporaryFolder();
    const pulled = await pullHere(elsewhere, 'neet', folder, {
      key,
      environment: { HTTP_PROXY: closed.url },
    });
    await closed.close();
    assert.match(problemsOf(pulled)[0] ?? '', /: the proxy rejected the connection \(407\)\./);
    assert.deepEqual(pulled.delays, []);
  });
});

describe('The proxy of a service', () => {
  const [http, https] = ['http://a.example:3128', 'http://b.example:3128'];

  it('depends on the scheme of the service, and names in lower case have precedence', () => {
    const environment = { HTTP_PROXY: http, HTTPS_PROXY: https, NO_PROXY: 'example.net' };
    assert.deepEqual(proxyFor('http://example.org', environment), {
      proxy: http,
      noProxy: 'example.net',
    });
    assert.deepEqual(proxyFor('https://example.org', environment), {
      proxy: https,
      noProxy: 'example.net',
    });
    const lower = { ...environment, https_proxy: '', no_proxy: '*' };
    assert.deepEqual(proxyFor('https://example.org', lower), { proxy: '', noProxy: '*' });
    assert.deepEqual(proxyFor('https://example.org', { HTTP_PROXY: http }), {
      proxy: '',
      noProxy: '',
    });
  });

  it('is not used for this machine', () => {
    for (const host of ['localhost:8080', '127.0.0.1:8080', '[::1]:8080'])
      assert.equal(proxyFor(`http://${host}`, { HTTP_PROXY: http }).proxy, '');
    assert.equal(proxyFor('http://127.0.0.1.example.org', { HTTP_PROXY: http }).proxy, http);
  });

  it('is rejected if its address is invalid, without showing the address', async () => {
    for (const proxy of ['me:secret@proxy:3128', 'socks5://me:secret@proxy']) {
      const settings = { API_KEY: key, HTTP_PROXY: proxy };
      const args = ['pull', elsewhere, 'neet', '--out', await temporaryFolder()];
      const { status, stderr } = await runInProcess(main, args, settings);
      assert.equal(status, 2);
      assert.match(
        stderr,
        /^HTTP_PROXY is not a proxy URL such as http:\/\/proxy\.example\.org:3128\./,
      );
      assert.doesNotMatch(stderr, /secret/);
    }
  });
});

/** A forward proxy that opens tunnels (RFC 9110, 9.3.6), all to the same service, whatever their target is. */
interface ForwardProxy {
  readonly url: string;
  /** The requested tunnels, as `host:port`, with their credentials. */
  readonly tunnels: (readonly [target: string, credentials: string | undefined])[];
  close(): Promise<void>;
}

/**
 * @param target address of the service
 * @param refusal the status with which every tunnel is rejected
 */
async function startForwardProxy(target: string, refusal?: number): Promise<ForwardProxy> {
  const tunnels: [string, string | undefined][] = [];
  const sockets = new Set<Socket>();
  const { hostname, port } = new URL(target);
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.on('connect', ({ url = '', headers }: IncomingMessage, socket: Socket) => {
    tunnels.push([url, headers['proxy-authorization']]);
    socket.on('error', () => socket.destroy());
    if (refusal !== undefined) {
      socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`);
      return;
    }
    const there = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      there.pipe(socket).pipe(there);
    });
    there.on('error', () => socket.destroy());
    socket.on('close', () => there.destroy());
  });
  const { url, close } = await serveLocally(server);
  return {
    url,
    tunnels,
    close() {
      for (const socket of sockets) socket.destroy();
      return close();
    },
  };
}
