/**
 * Sends requests at fixed moments, so many a second, over connections that stay open, and prints the latencies as JSON.
 * Each counts from the moment at which its request was due, so that an answer that is late counts against those that
 * had to wait for it, too.
 */
import { connect, type Socket } from 'node:net';
import { inOrder, quantile } from '../figures.ts';

/** What the process is told, as JSON in its one argument. */
export interface Order {
  readonly port: number;
  /** Whole, with its header fields. */
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

const order: Order = JSON.parse(process.argv[2] ?? '');
const total = order.rate * order.seconds;
/** The first of them find the server cold. */
const discarded = order.rate;
const took: number[] = [];
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
    received = Buffer.alloc(0);
    took.push(performance.now() - dueAt);
    const next = waiting.shift();
    if (next === undefined) idle.push(socket);
    else socket.emit('due', next);
  });
}

function isWhole(answer: Buffer): boolean {
  const end = answer.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const length = /content-length: (\d+)/i.exec(answer.toString('latin1', 0, end))?.[1] ?? '0';
  return answer.length >= end + 4 + Number(length);
}

function go(): void {
  if (idle.length < order.connections && sent === 0) return void setImmediate(go);
  const now = performance.now();
  start ||= now;
  for (let due = start + (sent * 1000) / order.rate; sent < total && due <= now; ) {
    sent += 1;
    const socket = idle.pop();
    if (socket) socket.emit('due', due);
    else waiting.push(due);
    due = start + (sent * 1000) / order.rate;
  }
  if (took.length < total && now < start + order.seconds * 2000) setImmediate(go);
  else tell();
}

function tell(): void {
  const sorted = inOrder(took.slice(discarded));
  const [median = Number.NaN, p99 = Number.NaN] = [0.5, 0.99].map((share) => quantile(sorted, share));
  const result: Latencies | null = took.length < total ? null : { median, p99 };
  process.stdout.write(JSON.stringify(result));
  process.exit();
}

go();
