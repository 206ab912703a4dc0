/**
 * Sends requests at a fixed rate on persistent connections, and prints the latencies as JSON. Latencies are measured from
 * the time when a request was due, so that a late response also counts for the requests that waited for it.
 */
import { connect, type Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import { quantile } from './figures.ts';

/** The standard input of the process, as JSON. */
export interface Order {
  readonly port: number;
  /** A complete request without a body, whose response is 200. */
  readonly request: string;
  readonly rate: number;
  readonly seconds: number;
  readonly connections: number;
}

/** Milliseconds. */
export interface Latencies {
  readonly median: number;
  readonly p99: number;
}

/** Milliseconds until the next request is due for which the process sleeps: its timers are late by one or two. */
const worthSleeping = 3;

const order = (await json(process.stdin)) as Order;
const total = order.rate * order.seconds;
/** The first requests, before the server is warm. */
const discarded = order.rate;
const latencies: number[] = [];
const waiting: number[] = [];
const idle: Socket[] = [];
let sent = 0;
let start = 0;

for (let index = 0; index < order.connections; index += 1) {
  const socket = connect(order.port, '127.0.0.1').setNoDelay();
  let dueAt = 0;
  let received = Buffer.alloc(0);
  socket.on('connect', () => idle.push(socket));
  socket.on('due', (due: number) => {
    dueAt = due;
    socket.write(order.request);
  });
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    if (!isWhole(received)) return;
    if (!received.includes('HTTP/1.1 200')) throw new Error(`unexpected response: ${received}`);
    received = Buffer.alloc(0);
    latencies.push(performance.now() - dueAt);
    const next = waiting.shift();
    if (next === undefined) idle.push(socket);
    else socket.emit('due', next);
  });
}

function isWhole(response: Buffer): boolean {
  const end = response.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const length = /content-length: (\d+)/i.exec(response.toString('latin1', 0, end))?.[1] ?? '0';
  return response.length >= end + 4 + Number(length);
}

function sendDue(): void {
  if (idle.length < order.connections && sent === 0) return void setImmediate(sendDue);
  const now = performance.now();
  start ||= now;
  for (let due = start + (sent * 1000) / order.rate; sent < total && due <= now; ) {
    sent += 1;
    const socket = idle.shift();
    if (socket) socket.emit('due', due);
    else waiting.push(due);
    due = start + (sent * 1000) / order.rate;
  }
  const untilNext = start + (sent * 1000) / order.rate - now;
  if (latencies.length === total || now > start + order.seconds * 2000) printLatencies();
  else if (untilNext > worthSleeping) setTimeout(sendDue, 1);
  else setImmediate(sendDue);
}

function printLatencies(): void {
  const [median = Number.NaN, p99 = Number.NaN] = [0.5, 0.99].map((share) =>
    quantile(latencies.slice(discarded), share),
  );
  const result: Latencies | null = latencies.length < total ? null : { median, p99 };
  process.stdout.write(JSON.stringify(result));
  process.exit();
}

sendDue();
