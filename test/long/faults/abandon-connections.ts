/**
 * `abandon-connections.ts PORT ADDRESS COUNT SECONDS`: opens connections from an address at a steady rate and abandons them
 * with an incomplete request. Half of them close at once, the others stay open until this process ends, and some send one
 * byte a second meanwhile. Prints `started`, and in the end how many were opened and how many the gateway closed at once.
 */
import { connect } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

const [port, localAddress = '', count, seconds] = process.argv.slice(2);
const total = Number(count);
const time = Number(seconds) * 1_000;

const header =
  'POST /auth/sign-in/email HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
/** What a connection sends: parts of headers and of bodies, and nothing. */
const parts = [
  '',
  'GET /neet HTTP/1.1\r\nHost: local',
  `${header}Content-Length: 1000\r\n\r\n{"email":`,
  `${header}Transfer-Encoding: chunked\r\n\r\n5\r\n{"ema`,
  `${header}Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n`,
];
/** The part, an incomplete header, after which a client sends one byte a second. */
const slowPart = 1;
/** Milliseconds. */
const atOnce = 1_000;
const endings = ['keep', 'end', 'keep', 'reset'] as const;

/** Connections that are opened at once at most, where this process did not run for a while. */
const maxBatch = 20;

let opened = 0;
let refused = 0;

function abandon(index: number): void {
  const ending = endings[index % endings.length];
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress });
  socket
    .on('error', () => {})
    .once('connect', () => {
      opened += 1;
      socket.resume().write(parts[index % parts.length] ?? '');
      if (ending === 'end') socket.end();
      else if (ending === 'reset') setImmediate(() => socket.resetAndDestroy());
      else {
        const since = performance.now();
        const slow =
          index % parts.length === slowPart && setInterval(() => socket.write('a'), 1_000);
        socket.once('close', () => {
          clearInterval(slow || undefined);
          if (performance.now() - since < atOnce) refused += 1;
        });
      }
    });
}

// An attacker has a machine of its own: this process gets the processor time that the others leave.
setPriority(10);
process.stdout.write('started\n');
const start = performance.now();
for (let next = 0; next < total; await delay(5)) {
  const due = Math.min(
    total,
    next + maxBatch,
    Math.ceil((total * (performance.now() - start)) / time),
  );
  for (; next < due; next += 1) abandon(next);
}
await delay(atOnce);
process.stdout.write(`${opened} opened, ${refused} refused\n`);
// The connections that are left keep the process alive.
setInterval(() => {}, 60_000);
