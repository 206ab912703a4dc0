import type { Plan } from '../http/plan.ts';

/** A connection that once went wrong. Texts are bytes (latin1); `{{live}}` and the others stand for keys. */
export interface KeptConnection {
  readonly shows: string;
  /** The packets of each send: what is in one is answered before the next. */
  readonly sends: readonly (readonly string[])[];
  readonly ending: Plan['ending'];
  /** The statuses that each send is answered with. */
  readonly statuses: readonly (readonly number[])[];
}

const neet = 'GET /neet HTTP/1.1\r\nHost: localhost\r\n';
const paper = 'GET /neet/2024/s1/physics.json HTTP/1.1\r\nHost: localhost\r\n';
const live = 'Authorization: Bearer {{live}}\r\n';

/** What was found by fuzzing. */
export const keptConnections: readonly KeptConnection[] = [
  {
    shows: 'a transfer coding that nobody knows: closed without an answer',
    sends: [[`${neet}Transfer-Encoding: foo\r\n\r\n`]],
    ending: 'closes',
    statuses: [[400]],
  },
  {
    shows: 'chunks in a coding that nobody knows: answered as if they were read',
    sends: [[`${neet}Transfer-Encoding: foo, chunked\r\n\r\n0\r\n\r\n`]],
    ending: 'closes',
    statuses: [[400]],
  },
  {
    shows: 'garbage behind a request: its answer was cut off',
    sends: [[`${paper}${live}\r\nnonsense\r\n\r\n`]],
    ending: 'closes',
    statuses: [[200, 405]],
  },
  {
    shows: 'a chunk without a size: a second answer came to one request',
    sends: [[`${neet}Transfer-Encoding: chunked\r\n\r\n`, 'no size\r\n']],
    ending: 'closes',
    statuses: [[200]],
  },
  {
    shows: 'a host that can be none: answered all the same',
    sends: [['GET /neet HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n']],
    ending: 'closes',
    statuses: [[400]],
  },
  {
    shows:
      'an upgrade that is asked for: the next request was dropped, and the one after it answered in its place',
    sends: [
      [
        `${neet}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\nGET /jeemain HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      ],
    ],
    ending: 'closes',
    statuses: [[200]],
  },
  {
    shows: 'a method that nobody knows, in one packet with the end of another request: taken for no request',
    sends: [
      [`${neet}Transfer-Encoding: chunked\r\n\r\n0\r\n`],
      ['\r\nGet /neet HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ],
    ending: 'closes',
    statuses: [[200], [405]],
  },
  {
    shows: 'a method that nobody knows, in one packet with the end of a body: taken for no request',
    sends: [[`${neet}Content-Length: 3\r\n\r\n{"`], ['}HEADER /neet HTTP/1.1\r\nHost: localhost\r\n\r\n']],
    ending: 'closes',
    statuses: [[200], [405]],
  },
  {
    shows: 'a field for proxies in a request of HTTP/1.0: the connection was kept',
    sends: [['GET /neet HTTP/1.0\r\nHost: localhost\r\nProxy-Connection: keep-alive\r\n\r\n']],
    ending: 'closes',
    statuses: [[200]],
  },
];
