import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listenLocally } from '../free-port.ts';

/**
 * What happens to a matching request: its response is delayed by so many milliseconds, the connection is reset before
 * the response, or neither the request nor anything after it reaches the server.
 */
export type Fault = number | 'response lost' | 'request lost';

/** The direction of bytes: to the server, or back. */
export type Side = 'request' | 'response';

export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>;

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  isSilent: boolean;
  /** The fault of the pending request. */
  fault: Fault | undefined;
  /** Bytes until it is reset; undefined until the first ones arrive. */
  left: number | undefined;
}

/**
 * Starts a TCP proxy that simulates network failures.
 *
 * @param url of the server; the default port is PostgreSQL's
 */
export async function startTcpProxy(url: string) {
  const { hostname, port } = new URL(url);
  const pairs = new Set<Pair>();
  let mode: 'pass' | 'refuse' | 'hang' = 'pass';
  let injected: { readonly request: RegExp; readonly fault: Fault } | undefined;
  let cutting: { readonly side: Side; readonly bytes: number; times: number } | undefined;
  let faultCount = 0;

  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    if (mode === 'refuse') return client.resetAndDestroy();
    const server = connect({ host: hostname, port: Number(port || 5432), allowHalfOpen: true });
    const pair: Pair = {
      client,
      server,
      isSilent: mode === 'hang',
      fault: undefined,
      left: undefined,
    };
    pairs.add(pair);
    for (const [side, one, other, forward] of [
      ['request', client, server, forwardRequest],
      ['response', server, client, forwardResponse],
    ] as const) {
      one.on('data', (data) => pair.isSilent || isCut(pair, side, data) || forward(pair, data));
      one.on('end', () => pair.isSilent || other.end());
      one.on('error', () => pair.isSilent || destroy(pair));
    }
    return undefined;
  });

  /** Forwards the last bytes before the limit and resets the connection, if the limit is reached. */
  function isCut(pair: Pair, side: Side, data: Buffer): boolean {
    if (cutting?.side !== side || cutting.times === 0) return false;
    const left = pair.left ?? cutting.bytes;
    pair.left = left - data.length;
    if (pair.left > 0) return false;
    cutting.times -= 1;
    faultCount += 1;
    pairs.delete(pair);
    pair.isSilent = true;
    const [from, to] = side === 'request' ? [pair.client, pair.server] : [pair.server, pair.client];
    to.end(data.subarray(0, left), () => to.destroy());
    from.resetAndDestroy();
    return true;
  }

  function forwardRequest(pair: Pair, data: Buffer): void {
    pair.fault = injected?.request.test(data.toString('latin1')) ? injected.fault : undefined;
    if (pair.fault !== undefined) faultCount += 1;
    if (pair.fault === 'request lost') pair.isSilent = true;
    else pair.server.write(data);
  }

  function forwardResponse(pair: Pair, data: Buffer): void {
    if (pair.fault === undefined) pair.client.write(data);
    else if (pair.fault === 'response lost') destroy(pair);
    else setTimeout(() => pair.client.write(data), Number(pair.fault)).unref();
  }

  function destroy(pair: Pair): void {
    pairs.delete(pair);
    pair.client.resetAndDestroy();
    pair.server.destroy();
  }

  function cut(): void {
    for (const pair of pairs) destroy(pair);
  }

  const ownPort = await listenLocally(proxy);
  return {
    /** The address of the server, through the proxy. */
    url: Object.assign(new URL(url), { host: `127.0.0.1:${ownPort}` }).href,
    /** Forwards everything again, except on connections that hung. */
    pass(): void {
      mode = 'pass';
      injected = undefined;
      cutting = undefined;
    },
    /** Resets all connections; new ones can be opened. */
    cut,
    /** Resets all connections, and new ones at once. */
    refuse(): void {
      mode = 'refuse';
      cut();
    },
    /** Keeps connections open and accepts new ones, but forwards nothing, not even the end of one side. */
    hang(): void {
      mode = 'hang';
      for (const pair of pairs) pair.isSilent = true;
    },
    /** Until `pass`, applies a fault to each request that matches. */
    injectFault(request: RegExp, fault: Fault): void {
      injected = { request, fault };
    },
    /** How many requests and connections `injectFault` and `cutAfter` have affected. */
    faultCount: () => faultCount,
    /**
     * Until `pass`, resets connections after so many more bytes: those arrive, and nothing after.
     *
     * @param times how many connections to reset at most
     */
    cutAfter(side: Side, bytes: number, times: number): void {
      cutting = { side, bytes, times };
      for (const pair of pairs) pair.left = undefined;
    },
    async close(): Promise<void> {
      proxy.close();
      cut();
      await once(proxy, 'close');
    },
  };
}
