import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { after, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type IntrospectionClient,
  introspectionClient,
} from '../../../gateway/access/introspection-client.ts';
import { until } from '../../long/faults/until.ts';
import { type Answer, active, json, startAuthenticationServer } from './authentication-service.ts';

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

describe('A connection that broke before an answer', () => {
  const breaks: readonly (readonly [string, Answer])[] = [
    ['closed', (_response, { socket }) => socket.end()],
    ['reset', (_response, { socket }) => socket.resetAndDestroy()],
    ['closed in the middle of the headers', (_response, { socket }) => socket.end('HTTP/1.1 200 OK\r\nCont')],
  ];

  for (const [name, broken] of breaks) {
    it(`is tried once more when it was kept alive and is ${name} as the request comes`, async () => {
      const client = open();
      const ports: (number | undefined)[] = [];
      service.answer = (response, request, body) => {
        ports.push(request.socket.remotePort);
        (ports.length === 2 ? broken : json(active))(response, request, body);
      };
      await client.introspect('first');
      await nextTurn();
      assert.deepEqual(read((await client.introspect('second')).body), active);
      const [first, second, third, ...more] = ports;
      assert.deepEqual([first === second, second === third, more.length], [true, false, 0]);
    });

    it(`is tried once more only: ${name} again`, async () => {
      const client = open();
      service.answer = broken;
      await assert.rejects(client.introspect('token'));
      assert.equal(service.requests, 2);
      service.answer = json(active);
      assert.deepEqual(read((await client.introspect('token')).body), active);
    });
  }

  it('is followed by a new one, never by another that was kept', async () => {
    const client = open();
    let answerFirst: (() => void) | undefined;
    service.answer = (...exchange) => {
      answerFirst = () => json(active)(...exchange);
    };
    const first = client.introspect('first');
    await until(() => answerFirst !== undefined);
    service.answer = json(active);
    await client.introspect('second');
    await nextTurn();
    const kept = [...service.connections.open].map(({ remotePort }) => remotePort);
    const ports: (number | undefined)[] = [];
    service.answer = async (response, request, body) => {
      ports.push(request.socket.remotePort);
      if (ports.length > 1) return json(active)(response, request, body);
      answerFirst?.();
      await first;
      request.socket.resetAndDestroy();
    };
    assert.deepEqual(read((await client.introspect('third')).body), active);
    assert.deepEqual(
      ports.map((port) => kept.includes(port)),
      [true, false],
    );
  });

  it('loses no look-up while the service closes every connection that it has answered on', async () => {
    const client = open();
    let wait = 0;
    service.answer = (response, request, body) => {
      // Sooner, it would be an answer that is cut off.
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

describe('No second attempt follows', () => {
  const longest = (length: number): Answer => json('a'.repeat(length - '""'.length));
  const answers: readonly (readonly [string, Answer, RegExp])[] = [
    ['status 500', (response) => response.writeHead(500).end('{"active":false}'), /status 500/],
    [
      'status 401',
      (response) => response.writeHead(401).end('{"active":false}'),
      /401.*INTROSPECTION_SECRET/,
    ],
    ['status 204', (response) => response.writeHead(204).end(), /status 204/],
    ['a redirect', (response) => response.writeHead(307, { Location: service.url }).end(), /status 307/],
    ['a body beyond 64 KiB', longest(64 * 1024 + 1), /max/i],
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
    ['what is not HTTP', (_response, { socket }) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'), /./],
    ['silence', () => {}, /longer than 2000 ms/],
  ];
  for (const [name, answer, message] of answers) {
    it(name, async () => {
      const client = open();
      service.answer = answer;
      await assert.rejects(client.introspect('token'), message);
      assert.equal(service.requests, 1);
      service.answer = json(active);
      assert.deepEqual(read((await client.introspect('token')).body), active);
    });
  }

  it('on a body of 64 KiB: it is taken', async () => {
    service.answer = longest(64 * 1024);
    assert.equal((await open().introspect('token')).body.length, 64 * 1024);
  });

  it('where nothing listens', async () => {
    const closed = await startAuthenticationServer();
    await closed.close();
    await assert.rejects(open(closed.url).introspect('token'), { code: 'ECONNREFUSED' });
  });

  it('where the handshake never ends', async () => {
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
