import type { Plan } from '../http/request.ts';

/** A connection that the gateway once handled wrongly. Texts are bytes (latin1); `{{live}}` and the like stand for keys. */
export interface HttpCase {
  readonly name: string;
  /** The packets of each send. The next send waits for the responses to the previous one. */
  readonly sends: readonly (readonly string[])[];
  readonly ending: Plan['ending'];
  /** The statuses of the responses to each send. */
  readonly statuses: readonly (readonly number[])[];
}

const neet = 'GET /neet HTTP/1.1\r\nHost: localhost\r\n';
const paper = 'GET /neet/2024/s1/physics.json HTTP/1.1\r\nHost: localhost\r\n';
const live = 'Authorization: Bearer {{live}}\r\n';

/** Past findings of the fuzzer. */
export const httpCases: readonly HttpCase[] = [
  {
    name: 'an unknown transfer coding (the connection was closed without a response)',
    sends: [[`${neet}Transfer-Encoding: foo\r\n\r\n`]],
    ending: 'closes',
    statuses: [[400]],
  },
  {
    name: 'chunks in an unknown transfer coding (were accepted)',
    sends: [[`${neet}Transfer-Encoding: foo, chunked\r\n\r\n0\r\n\r\n`]],
    ending: 'closes',
    statuses: [[400]],
  },
  {
    name: 'garbage after a request (its response was cut off)',
    sends: [[`${paper}${live}\r\nnonsense\r\n\r\n`]],
    ending: 'closes',
    statuses: [[200, 405]],
  },
  {
    name: 'a chunk without a size (one request got two responses)',
    sends: [[`${neet}Transfer-Encoding: chunked\r\n\r\n`, 'no size\r\n']],
    ending: 'closes',
    statuses: [[200]],
  },
  {
    name: 'an invalid Host (was accepted)',
    sends: [['GET /neet HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n']],
    ending: 'closes',
    statuses: [[400]],
  },
  {
    name: 'a request to upgrade (the next request was dropped, and the one after it got its response)',
    sends: [
      [`${neet}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\nGET /jeemain HTTP/1.1\r\nHost: localhost\r\n\r\n`],
    ],
    ending: 'closes',
    statuses: [[200]],
  },
  {
    name: 'an unknown method, in one packet with the end of another request (was not read as a request)',
    sends: [[`${neet}Transfer-Encoding: chunked\r\n\r\n0\r\n`], ['\r\nGet /neet HTTP/1.1\r\nHost: localhost\r\n\r\n']],
    ending: 'closes',
    statuses: [[200], [405]],
  },
  {
    name: 'an unknown method, in one packet with the end of a body (was not read as a request)',
    sends: [[`${neet}Content-Length: 3\r\n\r\n{"`], ['}HEADER /neet HTTP/1.1\r\nHost: localhost\r\n\r\n']],
    ending: 'closes',
    statuses: [[200], [405]],
  },
  {
    name: 'Proxy-Connection in an HTTP/1.0 request (the connection stayed open)',
    sends: [['GET /neet HTTP/1.0\r\nHost: localhost\r\nProxy-Connection: keep-alive\r\n\r\n']],
    ending: 'closes',
    statuses: [[200]],
  },
  {
    name: 'a malformed body that is ignored while the response is read from disk (two responses were sent)',
    sends: [['GET /favicon.ico HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n']],
    ending: 'closes',
    statuses: [[200]],
  },
  {
    name: 'a request behind the last one of its connection, in one packet (got 400)',
    sends: [
      [
        'GET /neet/%0d HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /neet HTTP/1.1\r\nHost: x\r\n\r\n',
      ],
    ],
    ending: 'closes',
    statuses: [[400]],
  },
];
