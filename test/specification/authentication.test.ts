/** Section 5 of the specification: authentication. */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, describe, it } from 'node:test';
import { listenLocally } from '../free-port.ts';
import { introspectionAt, runGateway, unreachableService } from '../gateway/running-gateway.ts';
import { needs, openService, readCatalogue } from './service.ts';

const service = await openService();
const [catalogue] = await readCatalogue(service);
after(() => service.close());

const [year] = catalogue?.years ?? [];
const protectedPath = `/${catalogue?.exam}/${year?.year}/s1/${year?.shifts[0]?.subjects[0]}.json`;
const { expiredKey, revokedKey } = service;

async function responseTo(authorization: string) {
  const { status, body } = await service.get(protectedPath, { Authorization: authorization });
  return { status, body };
}

const malformed = { status: 401, body: { error: 'Malformed Authorization header' } };
const invalid = { status: 403, body: { error: 'Invalid or expired API key' } };

describe('5. Authentication', () => {
  it('1. Endpoints 1 to 3 need no authentication.', async () => {
    for (const path of ['/', `/${catalogue?.exam}`, `/${catalogue?.exam}/${year?.year}`]) {
      assert.ok((await service.get(path)).status < 400, path);
      assert.ok((await service.get(path, { Authorization: 'nonsense' })).status < 400, path);
    }
  });

  it('2. Endpoints 4 and 5 need the request header Authorization: Bearer <API_KEY>.', async () => {
    assert.equal((await service.download(protectedPath)).status, 200);
    for (const path of [protectedPath, protectedPath.replace(/[^/]+$/, 'diagrams/any.png')]) {
      const { status, headers } = await service.get(path);
      assert.deepEqual([status, headers['www-authenticate']], [401, 'Bearer']);
    }
  });

  it('3. An API key begins with the fixed prefix pfx_.', () =>
    assert.match(service.apiKey, /^pfx_/));

  it('4. Keys can be revoked', {
    skip: revokedKey === undefined && needs('REVOKED_API_KEY'),
  }, async () => {
    assert.deepEqual(await responseTo(`Bearer ${revokedKey}`), invalid);
  });

  it('4. and can expire.', {
    skip: expiredKey === undefined && needs('EXPIRED_API_KEY'),
  }, async () => {
    assert.deepEqual(await responseTo(`Bearer ${expiredKey}`), invalid);
  });

  it('5. Header absent: 401, "Missing API key".', async () => {
    const { status, body } = await service.get(protectedPath);
    assert.deepEqual({ status, body }, { status: 401, body: { error: 'Missing API key' } });
  });

  describe('6. Header not in the exact Bearer <API_KEY> format: 401, "Malformed Authorization header".', () => {
    const headers: readonly (readonly [string, string])[] = [
      ['the key alone', service.apiKey],
      ['another scheme', `Basic ${service.apiKey}`],
      ['the scheme in lower case', `bearer ${service.apiKey}`],
      ['two spaces', `Bearer  ${service.apiKey}`],
      ['no space', `Bearer${service.apiKey}`],
      ['the scheme alone', 'Bearer'],
      ['two keys', `Bearer ${service.apiKey} ${service.apiKey}`],
      ['a character outside the alphabet', `Bearer ${service.apiKey}!`],
      ['padding within', 'Bearer pfx_=a'],
      ['an empty header', ''],
    ];
    for (const [name, header] of headers) {
      it(name, async () => assert.deepEqual(await responseTo(header), malformed));
    }
  });

  describe('7. Key does not exist, is revoked or is expired: 403, "Invalid or expired API key".', () => {
    const last = service.apiKey.at(-1) === 'a' ? 'b' : 'a';
    const tokens: readonly (readonly [string, string | undefined])[] = [
      ['does not exist', `${service.apiKey.slice(0, -1)}${last}`],
      ['does not exist, and has the wrong format', 'pfx_nothing'],
      ['does not exist, and has no prefix', 'abc.def-ghi~jkl+mno/pqr=='],
      ['is revoked', revokedKey],
      ['is expired', expiredKey],
    ];
    for (const [name, token] of tokens) {
      it(name, { skip: token === undefined && needs('such a key') }, async () => {
        assert.deepEqual(await responseTo(`Bearer ${token}`), invalid);
      });
    }
  });

  describe('8. When the authentication service cannot be reached: 502.', () => {
    const { UNREACHABLE_BASE_URL: unreachableUrl } = process.env;
    const unreachable = { status: 502, body: { error: 'Authentication service unreachable' } };

    it('no server is listening', {
      skip: !service.local && !unreachableUrl && needs('UNREACHABLE_BASE_URL'),
    }, async () => {
      const gateway = unreachableUrl ? undefined : await runGateway(unreachableService);
      try {
        const response = await service
          .at(unreachableUrl ?? gateway?.baseUrl ?? '')
          .download(protectedPath);
        assert.deepEqual({ status: response.status, body: response.body }, unreachable);
      } finally {
        await gateway?.close();
      }
    });

    it('it responds with something else', {
      skip: !service.local && needs('such a service'),
    }, async () => {
      const invalidServer = createServer((_request, response) => response.end('<html>'));
      const gateway = await runGateway(
        introspectionAt(`http://127.0.0.1:${await listenLocally(invalidServer)}/`),
      );
      try {
        const response = await service.at(gateway.baseUrl).download(protectedPath);
        assert.deepEqual({ status: response.status, body: response.body }, unreachable);
      } finally {
        await gateway.close();
        invalidServer.close();
      }
    });
  });
});
