import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { introspectionClient } from '../../../gateway/access/introspection.ts';
import {
  active,
  json,
  type Responder,
  startAuthenticationServer,
} from './authentication-service.ts';

const service = await startAuthenticationServer();
const opened: ReturnType<typeof introspectionClient>[] = [];
after(async () => {
  await Promise.all(opened.map((client) => client.close()));
  await service.close();
});

function open() {
  const client = introspectionClient({ url: service.url, clientId: 'gateway', secret: 's' });
  opened.push(client);
  service.requests = 0;
  return client;
}

const read = (body: Uint8Array) => JSON.parse(Buffer.from(body).toString());

describe('Connections to the service', () => {
  it('are limited to 32, and requests that wait for one to 1,000', async () => {
    const client = open();
    const others = service.connections.open.size;
    const full = new Promise<number>((resolve) => {
      service.respond = () => service.requests === 32 && resolve(service.connections.open.size);
    });
    const lookUps = Array.from({ length: 32 + 1000 + 10 }, (_, number) =>
      client.introspect(`token-${number}`),
    );
    const ends = Promise.allSettled(lookUps);
    for (const lookUp of lookUps.slice(1032)) await assert.rejects(lookUp, /too many/);
    assert.ok((await full) - others <= 32);
    await client.close();
    const failed = (await ends).map((end) => (end.status === 'rejected' ? String(end.reason) : ''));
    assert.equal(failed.filter((reason) => reason.includes('too many')).length, 10);
    assert.ok(!failed.includes(''));
    assert.equal(service.requests, 32, 'requests that waited are not sent');
  });
});

describe('A request whose connection is reset before the response', () => {
  const reset: Responder = (_response, { socket }) => socket.resetAndDestroy();

  it('is retried once on another connection', async () => {
    const client = open();
    const ports: (number | undefined)[] = [];
    service.respond = (response, request, body) => {
      ports.push(request.socket.remotePort);
      (ports.length === 2 ? reset : json(active))(response, request, body);
    };
    await client.introspect('first');
    await nextTurn();
    assert.deepEqual(read(await client.introspect('second')), active);
    const [first, second, third, ...more] = ports;
    assert.deepEqual([first === second, second === third, more.length], [true, false, 0]);
  });

  it('is retried only once', async () => {
    const client = open();
    service.respond = reset;
    await assert.rejects(client.introspect('token'));
    assert.equal(service.requests, 2);
    service.respond = json(active);
    assert.deepEqual(read(await client.introspect('token')), active);
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
    ['a body of more than 64 KiB', textOf(64 * 1024 + 1), /max/i],
  ];
  for (const [name, respond, message] of responders) {
    it(`after ${name}`, async () => {
      const client = open();
      service.respond = respond;
      await assert.rejects(client.introspect('token'), message);
      assert.equal(service.requests, 1);
      service.respond = json(active);
      assert.deepEqual(read(await client.introspect('token')), active);
    });
  }
});
