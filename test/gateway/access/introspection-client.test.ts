import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type IntrospectionClient,
  introspectionClient,
} from '../../../gateway/access/introspection-client.ts';
import { active, json, type Responder, startAuthenticationServer } from './authentication-service.ts';

const service = await startAuthenticationServer();
const opened: IntrospectionClient[] = [];
after(async () => {
  await Promise.all(opened.map((client) => client.close()));
  await service.close();
});

function open(changes: { readonly clientId?: string; readonly secret?: string; readonly url?: string } = {}) {
  const client = introspectionClient({ url: service.url, clientId: 'gateway', secret: 's', ...changes });
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
    assert.deepEqual(read((await open().introspect('pfx_a+b/c==')).body), active);
    assert.deepEqual(seen, [
      'POST',
      'application/x-www-form-urlencoded',
      'application/json',
      'token=pfx_a%2Bb%2Fc%3D%3D&token_type_hint=access_token',
    ]);
  });

  it('goes to the whole URL, including the query', async () => {
    let target: string | undefined;
    service.respond = (response, request, body) => {
      target = request.url;
      json(active)(response, request, body);
    };
    await open({ url: `${service.url}?realm=a%20b` }).introspect('token');
    assert.equal(target, '/introspect?realm=a%20b');
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
    assert.deepEqual(credentials, ['gateway:plain-._*', 'the+gate%3Away:a%3Ab+c%2Bd%25e%26f%C3%BC%2F%3D%7E']);
  });
});

describe('An introspection response', () => {
  it('contains the Date header of the service, if any (RFC 9110, 6.6.1)', async () => {
    const date = 'Sat, 21 Nov 2026 12:00:00 GMT';
    service.respond = (response, request, body) => {
      response.setHeader('Date', date);
      json(active)(response, request, body);
    };
    assert.equal((await open().introspect('token')).date, date);
    service.respond = (response, request, body) => {
      response.sendDate = false;
      json(active)(response, request, body);
    };
    assert.equal((await open().introspect('token')).date, undefined);
  });
});

describe('Connections to the service', () => {
  const responders: readonly (readonly [string, Responder])[] = [
    ['a response', json(active)],
    ['an error', (response) => response.writeHead(500).end('x'.repeat(1000))],
  ];
  for (const [name, respond] of responders) {
    it(`are reused after ${name}`, async () => {
      const client = open();
      const ports = new Set<number | undefined>();
      service.respond = (response, request, body) => {
        ports.add(request.socket.remotePort);
        respond(response, request, body);
      };
      for (let count = 0; count < 5; count += 1) {
        await client.introspect('token').catch(() => {});
        await nextTurn();
      }
      assert.deepEqual([service.requests, ports.size], [5, 1]);
    });
  }

  it('are limited to 32, and requests that wait for one to 1,000', async () => {
    const client = open();
    service.connections.most = service.connections.open.size;
    const others = service.connections.open.size;
    service.respond = () => {};
    const ended = new Set<number>();
    const lookUps = Array.from({ length: 32 + 1000 + 10 }, async (_, number) => {
      await assert.rejects(client.introspect(`token-${number}`), number < 1032 ? /longer/ : /too many/);
      ended.add(number);
    });
    await Promise.all(lookUps.slice(1032));
    assert.equal(ended.size, 10, 'further ones fail at once');
    await Promise.all(lookUps);
    assert.ok(service.connections.most - others <= 32, `${service.connections.most} connections`);
    assert.ok(service.requests <= 64, 'requests that timed out in the queue are not sent');
    service.respond = json(active);
    assert.deepEqual(read((await client.introspect('token')).body), active);
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
