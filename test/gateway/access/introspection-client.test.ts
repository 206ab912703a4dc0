import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type IntrospectionClient,
  introspectionClient,
} from '../../../gateway/access/introspection-client.ts';
import {
  active,
  json,
  type Responder,
  startAuthenticationServer,
} from './authentication-service.ts';

const service = await startAuthenticationServer();
const opened: IntrospectionClient[] = [];
after(async () => {
  await Promise.all(opened.map((client) => client.close()));
  await service.close();
});

function open(
  changes: { readonly clientId?: string; readonly secret?: string; readonly url?: string } = {},
) {
  const client = introspectionClient({
    url: service.url,
    clientId: 'gateway',
    secret: 's',
    ...changes,
  });
  opened.push(client);
  service.requests = 0;
  return client;
}

const read = (body: Uint8Array) => JSON.parse(Buffer.from(body).toString());

describe('An introspection request (RFC 7662, 2.1)', () => {
  it('is a form with the token', async () => {
    const seen: unknown[] = [];
    service.respond = (response, { method, headers }, body) => {
      seen.push(method, headers['content-type'], headers.accept, body);
      json(active)(response, {} as never, body);
    };
    assert.deepEqual(read(await open().introspect('pfx_a+b/c==')), active);
    assert.deepEqual(seen, [
      'POST',
      'application/x-www-form-urlencoded',
      'application/json',
      'token=pfx_a%2Bb%2Fc%3D%3D&token_type_hint=access_token',
    ]);
  });

  it('authenticates by HTTP Basic with form-urlencoded id and secret (RFC 6749, 2.3.1)', async () => {
    const credentials: string[] = [];
    service.respond = (response, request, body) => {
      const [, encoded = ''] = /^Basic (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
      credentials.push(Buffer.from(encoded, 'base64').toString());
      json(active)(response, request, body);
    };
    await open({ secret: 'plain-._*' }).introspect('token');
    await open({ clientId: 'the gate:way', secret: 'a:b c+d%e&fü/=~' }).introspect('token');
    assert.deepEqual(credentials, [
      'gateway:plain-._*',
      'the+gate%3Away:a%3Ab+c%2Bd%25e%26f%C3%BC%2F%3D%7E',
    ]);
  });
});

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

  it('close with the client, which aborts pending requests', async () => {
    const client = open();
    const arrived = new Promise<void>((resolve) => {
      service.respond = () => resolve();
    });
    const lookUp = assert.rejects(client.introspect('token'));
    await arrived;
    await client.close();
    await lookUp;
    await assert.rejects(client.introspect('token'));
    assert.equal(service.requests, 1);
  });
});

describe('A request whose connection breaks before the response', () => {
  const breaks: readonly (readonly [string, Responder])[] = [
    ['reset', (_response, { socket }) => socket.resetAndDestroy()],
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
      assert.deepEqual(read(await client.introspect('second')), active);
      const [first, second, third, ...more] = ports;
      assert.deepEqual([first === second, second === third, more.length], [true, false, 0]);
    });

    it(`is retried only once: ${name} again`, async () => {
      const client = open();
      service.respond = broken;
      await assert.rejects(client.introspect('token'));
      assert.equal(service.requests, 2);
      service.respond = json(active);
      assert.deepEqual(read(await client.introspect('token')), active);
    });
  }
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
