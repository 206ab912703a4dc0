import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Target } from './load.ts';

/** Open at the same time. */
const connections = 16;

/** Connections to a server, which send one request each, and the next ones when all have their response. */
export interface Lockstep {
  /**
   * @param times how many requests to send, a multiple of the connections
   * @throws Error if more than one in fifty responses has another status than the target's
   */
  send(times: number): Promise<void>;
  close(): void;
}

/** Opens connections that make a server do the same in every run. */
export async function openLockstep({ url, headers, status }: Target): Promise<Lockstep> {
  const { host, hostname, port, pathname } = new URL(url);
  const fields = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = `GET ${pathname} HTTP/1.1\r\n${fields.join('')}\r\n`;
  const sockets = Array.from({ length: connections }, () => connect(Number(port), hostname).setNoDelay());
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return {
    async send(times) {
      let others = 0;
      for (let sent = 0; sent < times; sent += connections) {
        const statuses = await Promise.all(sockets.map((socket) => exchange(socket, request)));
        others += statuses.filter((each) => each !== status).length;
      }
      if (others * 50 > times) throw new Error(`${others} of ${times} responses of ${url} are not ${status}`);
    },
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Sends a request. @returns the status when the response is complete */
function exchange(socket: Socket, request: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let received = '';
    const onEnd = () => reject(new Error(`the server closed a connection after ${received.slice(0, 200)}`));
    const onData = (bytes: Buffer) => {
      received += bytes.toString('latin1');
      const head = received.indexOf('\r\n\r\n');
      if (head < 0) return;
      const status = Number(received.slice(9, 12));
      const [, length = 0] = /content-length: (\d+)/i.exec(received.slice(0, head)) ?? [];
      const body = status === 304 ? 0 : Number(length);
      if (received.length < head + 4 + body) return;
      socket.off('data', onData).off('close', onEnd);
      resolve(status);
    };
    socket.on('data', onData).on('close', onEnd);
    socket.write(request);
  });
}
