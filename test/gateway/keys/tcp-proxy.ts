import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * What becomes of a `commit`: its answer comes so many milliseconds later, or is lost with the connection, or it
 * never reaches the server, which hears no more of the connection.
 */
export type Fate = number | 'answer lost' | 'never arrives';

/** Stands before PostgreSQL, and does to connections what networks do. */
export interface TcpProxy {
  /** The address of a database, through the proxy. */
  readonly url: string;
  /** Everything passes again, except on connections that hung: those stay silent for good. */
  pass(): void;
  /** Breaks all connections; new ones can be made. */
  cut(): void;
  /** Breaks all connections, and new ones at once. */
  refuse(): void;
  /** Keeps connections, and takes new ones, and passes nothing on: not even that a side has ended. */
  hang(): void;
  /** Until `pass`, each `commit` fares like this. */
  tamperWithCommits(fate: Fate): void;
  /** How many have fared like that. */
  tampered(): number;
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  isSilent: boolean;
  /** Of the `commit` that the server is to answer. */
  fate: Fate | undefined;
}

/** @param url of a database */
export async function startTcpProxy(url: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(url);
  const pairs = new Set<Pair>();
  let mode: 'pass' | 'refuse' | 'hang' = 'pass';
  let fate: Fate | undefined;
  let tampered = 0;

  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    if (mode === 'refuse') return client.resetAndDestroy();
    const server = connect({ host: hostname, port: Number(port || 5432), allowHalfOpen: true });
    const pair: Pair = { client, server, isSilent: mode === 'hang', fate: undefined };
    pairs.add(pair);
    client.on('data', (data) => pair.isSilent || ask(pair, data));
    server.on('data', (data) => pair.isSilent || answer(pair, data));
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('end', () => pair.isSilent || other.end());
      one.on('error', () => pair.isSilent || destroy(pair));
    }
    return undefined;
  });

  function ask(pair: Pair, data: Buffer): void {
    pair.fate = /commit/i.test(data.toString('latin1')) ? fate : undefined;
    if (pair.fate !== undefined) tampered += 1;
    if (pair.fate === 'never arrives') pair.isSilent = true;
    else pair.server.write(data);
  }

  function answer(pair: Pair, data: Buffer): void {
    if (pair.fate === undefined) pair.client.write(data);
    else if (pair.fate === 'answer lost') destroy(pair);
    else setTimeout(() => pair.client.write(data), Number(pair.fate)).unref();
  }

  function destroy(pair: Pair): void {
    pairs.delete(pair);
    pair.client.resetAndDestroy();
    pair.server.destroy();
  }

  function cut(): void {
    for (const pair of pairs) destroy(pair);
  }

  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const own = proxy.address() as AddressInfo;
  return {
    url: Object.assign(new URL(url), { host: `127.0.0.1:${own.port}` }).href,
    pass() {
      mode = 'pass';
      fate = undefined;
    },
    cut,
    refuse() {
      mode = 'refuse';
      cut();
    },
    hang() {
      mode = 'hang';
      for (const pair of pairs) pair.isSilent = true;
    },
    tamperWithCommits(next) {
      fate = next;
    },
    tampered: () => tampered,
    async close() {
      proxy.close();
      cut();
      await once(proxy, 'close');
    },
  };
}
