/** The OpenAPI description: a response that it does not have is an error, in this suite and behind CORS. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Description } from '../../build/site/openapi/openapi.ts';
import { runGateway } from '../gateway/running-gateway.ts';
import { ResponseChecker } from './response-checker.ts';
import { needs, openService } from './service.ts';

const service = await openService();
after(() => service.close());
const description: Description = (await service.get('/docs/openapi.json')).body;
const described = new ResponseChecker(description, true);

const origin = 'https://app.example.org';
const preflight = { Origin: origin, 'Access-Control-Request-Method': 'GET' };

describe('CORS responses are documented:', {
  skip: !service.local && needs('a service here'),
}, async () => {
  const gateway = await runGateway({ CORS_ORIGINS: origin });
  after(() => gateway.close());
  const { key } = await gateway.createKey('reader');
  const corsService = service.at(gateway.baseUrl);

  for (const [status, headers] of [
    [200, { Authorization: `Bearer ${key}` }],
    [304, { Authorization: `Bearer ${key}`, 'If-None-Match': '*' }],
    [401, {}],
    [403, { Authorization: 'Bearer pfx_unknown' }],
  ] as const) {
    it(String(status), async () => {
      const response = await corsService.get('/neet/2024/s1/physics.json', {
        ...headers,
        Origin: origin,
      });
      assert.equal(response.status, status);
      assert.equal(response.headers['access-control-allow-origin'], origin);
    });
  }

  it('204 for a preflight request', async () => {
    const response = await corsService.request('OPTIONS', '/neet/2024/s1/physics.json', preflight);
    assert.equal(response.status, 204);
  });

  it('405 for an OPTIONS request that is not a preflight request', async () => {
    const headers = { Origin: origin };
    const response = await corsService.request('OPTIONS', '/neet/2024/s1/physics.json', headers);
    assert.equal(response.status, 405);
  });
});

describe('ResponseChecker', async () => {
  const { status, headers, body } = await service.get('/neet');
  const response = { status, headers, body };
  const missing = await service.get('/nothing');

  it('accepts an unchanged response', () => described.check('GET', '/neet', response));

  const changes: readonly (readonly [name: string, change: object, message: RegExp])[] = [
    ['an undocumented status', { status: 418 }, /418 is not described/],
    ['an undocumented field', { body: { ...body, more: 1 } }, /additional properties/],
    [
      'an undocumented header field',
      { headers: { ...headers, 'x-powered-by': 'something' } },
      /x-powered-by/,
    ],
    ['a missing header field', { headers: { ...headers, etag: undefined } }, /ETag is missing/],
    [
      'an undocumented message',
      { status: 404, headers: missing.headers, body: { error: 'Gone' } },
      /not one of the documented messages/,
    ],
  ];
  for (const [name, change, message] of changes) {
    it(`rejects ${name}`, () => {
      assert.throws(() => described.check('GET', '/neet', { ...response, ...change }), { message });
    });
  }

  it('rejects an undocumented path', () => {
    assert.throws(
      () => described.check('GET', '/neet/2024/s1/physics.json/x', response),
      /of a path that is not described/,
    );
  });
});
