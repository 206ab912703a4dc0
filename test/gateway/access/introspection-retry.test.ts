import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { after, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type IntrospectionClient,
  introspectionClient,
} from '../../../gateway/access/introspection-client.ts';
import { waitUntil } from '../../long/faults/wait-until.ts';
import { active, json, type Responder, startAuthenticationServer } from './authentication-service.ts';

const service = await startAuthenticationServer();
const opened: IntrospectionClient[] = [];
after(async () => {
  await Promise.all(opened.map((client) => client.close()));
  await service.close();
});

function open(url = service.url) {
  const client = introspectionClient({ url, clientId: 'gateway', secret: 's' });
  opened.push(client);
  service.requests = 0;
  return client;
}

const read = (body: Uint8Array) => JSON.parse(Buffer.from(body).toString());

describe('A request whose connection breaks before the response', () => {
  const breaks: readonly (readonly [string, Responder])[] = [
    ['closed', (_response, { socket }) => socket.end()],
    ['reset', (_response, { socket }) => socket.resetAndDestroy()],
    ['closed in the middle of the headers', (_response, { socket }) => socket.end('HTTP/1.1 200 OK\r\nCont')],
  ];

  for (const [name, broken] of breaks) {
    it(`is retried once if an idle connection is ${name} as it is sent`, async () => {
      const client = open();
      const ports: (number | undefined)[] = [];
      service.respond = (response, request, body) => {
        ports.push(request.socket.remotePort);
        (ports.length === 2 ? broken : json(active))(response, request, body);
      };
      await client.introspect('first');
      await nextTurn();
      assert.deepEqual(read((await client.introspect('second')).body), active);
      const [first, second, third, ...more] = ports;
      assert.deepEqual([first === second, second === third, more.length], [true, false, 0]);
    });

    it(`is retried only once: ${name} again`, async () => {
      const client = open();
      service.respond = broken;
      await assert.rejects(client.introspect('token'));
      assert.equal(service.requests, 2);
      service.respond = json(active);
      assert.deepEqual(read((await client.introspect('token')).body), active);
    });
  }

  it('is retried on a new connection, not on another idle one', async () => {
    const client = open();
    let respondFirst: (() => void) | undefined;
    service.respond = (...exchange) => {
      respondFirst = () => json(active)(...exchange);
    };
    const first = client.introspect('first');
    await waitUntil(() => respondFirst !== undefined);
    service.respond = json(active);
    await client.introspect('second');
    await nextTurn();
    const kept = [...service.connections.open].map(({ remotePort }) => remotePort);
    const ports: (number | undefined)[] = [];
    service.respond = async (response, request, body) => {
      ports.push(request.socket.remotePort);
      if (ports.length > 1) return json(active)(response, request, body);
      respondFirst?.();
      await first;
      request.socket.resetAndDestroy();
    };
    assert.deepEqual(read((await client.introspect('third')).body), active);
    assert.deepEqual(
      ports.map((port) => kept.includes(port)),
      [true, false],
    );
  });

  it('succeeds while the service closes each connection after its response', async () => {
    const client = open();
    let wait = 0;
    service.respond = (response, request, body) => {
      // Earlier, the response would be cut off.
      response.on('finish', () => {
        wait = (wait + 1) % 4;
        if (wait === 0) setImmediate(() => request.socket.destroy());
        else setTimeout(() => request.socket.destroy(), wait);
      });
      json(active)(response, request, body);
    };
    for (let count = 0; count < 200; count += 1) {
      assert.deepEqual(read((await client.introspect('token')).body), active);
    }
  });
});

describe('A request is not retried', () => {
  const textOf = (length: number): Responder => json('a'.repeat(length - '""'.length));
  const responders: readonly (readonly [string, Responder, RegExp])[] = [
    ['status 500', (response) => response.writeHead(500).end('{"active":false}'), /status 500/],
    [
      'status 401',
      (response) => response.writeHead(401).end('{"active":false}'),
      /401.*INTROSPECTION_SECRET/,
    ],
    ['status 204', (response) => response.writeHead(204).end(), /status 204/],
    ['a redirect', (response) => response.writeHead(307, { Location: service.url }).end(), /status 307/],
    ['a body of more than 64 KiB', textOf(64 * 1024 + 1), /max/i],
    [
      'half a body',
      (response, { socket }) =>
        response.writeHead(200, { 'Content-Length': 100 }).write('{"active"', () => socket.end()),
      /./,
    ],
    [
      'half a chunked body',
      (response, { socket }) => response.writeHead(200).write('{"active"', () => socket.end()),
      /./,
    ],
    ['a response that is not HTTP', (_response, { socket }) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'), /./],
    ['no response within 2 s', () => {}, /longer than 2000 ms/],
  ];
  for (const [name, respond, message] of responders) {
    it(`after ${name}`, async () => {
      const client = open();
      service.respond = respond;
      await assert.rejects(client.introspect('token'), message);
      assert.equal(service.requests, 1);
      service.respond = json(active);
      assert.deepEqual(read((await client.introspect('token')).body), active);
    });
  }

  it('after a body of 64 KiB, which is accepted', async () => {
    service.respond = textOf(64 * 1024);
    assert.equal((await open().introspect('token')).body.length, 64 * 1024);
  });

  it('if nothing listens', async () => {
    const closed = await startAuthenticationServer();
    await closed.close();
    await assert.rejects(open(closed.url).introspect('token'), { code: 'ECONNREFUSED' });
  });

  it('if the TLS handshake never ends', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    let connections = 0;
    silent.on('connection', () => (connections += 1));
    const { port } = silent.address() as AddressInfo;
    await assert.rejects(
      open(`https://127.0.0.1:${port}/introspect`).introspect('token'),
      /longer than 2000 ms/,
    );
    assert.equal(connections, 1);
    silent.close();
  });
});
