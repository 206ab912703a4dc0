/** The OpenAPI description: every documented response occurs, and every undocumented one is an error. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Description } from '../../build/site/openapi/openapi.ts';
import { rawRequest } from '../gateway/raw-request.ts';
import { runGateway, unreachableService } from '../gateway/running-gateway.ts';
import { operationsOf, ResponseChecker } from './response-checker.ts';
import { needs, openService } from './service.ts';

const service = await openService();
after(() => service.close());
const description: Description = (await service.get('/docs/openapi.json')).body;
const described = new ResponseChecker(description, true);

interface JsonResponse {
  readonly status: number;
  readonly body: unknown;
}

const paths: Readonly<Record<string, string>> = {
  redirectToReference: '/',
  getExams: '/exams.json',
  getExam: '/neet',
  getYear: '/neet/2024',
  getQuestionIndex: '/neet/2024/questions.json',
  getPack: '/neet/2024/s1.zip',
  getChanges: '/changes.json',
  getQuestions: '/neet/2024/s1/physics.json',
  getDiagram: '/neet/2024/s1/diagrams/none.png',
  preflightQuestions: '/neet/2024/s1/physics.json',
  preflightPack: '/neet/2024/all.zip',
  preflightDiagram: '/neet/2024/s1/diagrams/none.png',
};

const origin = 'https://app.example.org';
const preflight = { Origin: origin, 'Access-Control-Request-Method': 'GET' };

/** Sends raw text, so that the header can be incomplete. */
async function sendRaw(
  baseUrl: string,
  method: string,
  path: string,
  rest: string,
  version = 'HTTP/1.1',
): Promise<JsonResponse> {
  const { body, ...response } = await rawRequest(
    baseUrl,
    `${method} ${path} ${version}\r\n${rest}`,
  );
  const parsed = { ...response, body: JSON.parse(body) };
  described.check(method, path, parsed);
  return parsed;
}

/** A gateway with other settings, started by the first request to it. */
function startedOnce(...args: Parameters<typeof runGateway>): () => Promise<string> {
  let gateway: ReturnType<typeof runGateway> | undefined;
  after(async () => (await gateway)?.close());
  return async () => {
    gateway ??= runGateway(...args);
    return (await gateway).baseUrl;
  };
}

const withOrigins = startedOnce({ CORS_ORIGINS: origin });
const withoutService = startedOnce(unreachableService);
const impatient = startedOnce({}, 'embedded', {
  header: 200,
  request: 200,
  checkInterval: 50,
  idle: 5000,
  stalled: 5000,
  response: 30_000,
  drain: 10_000,
  connections: 10_000,
});

/** Requests that cause each response of an operation, by status or by the name of the error. */
const requests: Readonly<Record<string, (path: string, method: string) => Promise<JsonResponse>>> =
  {
    200: async (path) => service.download(path.includes('/diagrams/') ? await someDiagram() : path),
    204: async (path) => service.at(await withOrigins()).request('OPTIONS', path, preflight),
    302: (path) => service.get(path),
    304: async (path) =>
      service.download(path.includes('/diagrams/') ? await someDiagram() : path, {
        'If-None-Match': '*',
      }),
    malformedUrl: (path, method) =>
      sendRaw(service.baseUrl, method, path, `Long: ${'a'.repeat(40_000)}\r\n\r\n`),
    malformedRequest: (path, method) => sendRaw(service.baseUrl, method, path, 'no header\r\n\r\n'),
    versionNotSupported: (path, method) =>
      sendRaw(service.baseUrl, method, path, 'Host: localhost\r\n\r\n', 'HTTP/2.0'),
    invalidYear: (path) => service.get(path.replace('2024', '24')),
    missingKey: (path) => service.get(path),
    malformedAuthorization: (path) => service.get(path, { Authorization: 'Token abc' }),
    invalidKey: (path) => service.get(path, { Authorization: 'Bearer pfx_unknown' }),
    examNotFound: (path) => service.download(path.replace('neet', 'nothing')),
    yearNotFound: (path) => service.download(path.replace('2024', '1901')),
    shiftNotFound: (path) => service.download(path.replace('s1', 's99')),
    fileNotFound: (path) => service.download(path.replace(/[^/]+$/, 'none.png')),
    methodNotAllowed: (path, method) => service.request(method === 'GET' ? 'POST' : method, path),
    requestTimeout: async (path, method) =>
      sendRaw(await impatient(), method, path, 'Host: localhost\r\n'),
    rateLimitExceeded: async (path) => {
      const headers = { Authorization: `Bearer ${service.freeKey}` };
      const responses = await Promise.all(
        Array.from({ length: 6 }, () => service.get(path, headers)),
      );
      return (
        responses.find(({ status }) => status === 429) ??
        assert.fail('none of six requests was rejected')
      );
    },
    authenticationUnreachable: async (path) => service.at(await withoutService()).download(path),
  };

/** Errors that no request can cause, because they need a damaged release. */
const untestedErrors = new Set(['internal']);

async function someDiagram(): Promise<string> {
  const { body } = await service.download('/neet/2024/s1/physics.json');
  const [file] = body.questions.flatMap(
    ({ diagrams }: { diagrams: { file: string }[] }) => diagrams,
  );
  return `/neet/2024/s1/diagrams/${file.file}`;
}

describe('Every documented response occurs:', {
  skip: !service.local && needs('a service here'),
}, () => {
  const operations = Object.entries(description.paths).flatMap(([template, item]) =>
    operationsOf(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      template,
      ...operation,
    })),
  );
  for (const { method, template, operationId, responses } of operations) {
    const path = paths[operationId] ?? assert.fail(`Add a path for ${operationId} to "paths".`);
    for (const [status, { content }] of Object.entries(responses)) {
      const examples = Object.entries(content?.['application/json']?.examples ?? {});
      const named =
        Number(status) >= 400 ? examples.filter(([name]) => !untestedErrors.has(name)) : [];
      for (const [name, { value }] of named) {
        it(`${method} ${template}: ${status} ${JSON.stringify(value)}`, async () => {
          const response = await requests[name]?.(path, method);
          assert.deepEqual(
            { status: String(response?.status), body: response?.body },
            { status, body: value },
          );
        });
      }
      if (Number(status) >= 400 || status === 'default') continue;
      it(`${method} ${template}: ${status}`, async () => {
        assert.equal(String((await requests[status]?.(path, method))?.status), status);
      });
    }
  }
});

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

  it('405 for an OPTIONS request that is not a preflight request, and for another origin', async () => {
    for (const headers of [{ Origin: origin }, { ...preflight, Origin: 'https://evil.example' }]) {
      assert.equal(
        (await corsService.request('OPTIONS', '/neet/2024/s1/physics.json', headers)).status,
        405,
      );
    }
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
      'a missing field',
      { body: { ...body, years: undefined } },
      /must have required property 'years'/,
    ],
    ['a field with another type', { body: { ...body, exam: 1 } }, /must be string/],
    [
      'an undocumented header field',
      { headers: { ...headers, 'x-powered-by': 'something' } },
      /x-powered-by/,
    ],
    ['a missing header field', { headers: { ...headers, etag: undefined } }, /ETag is missing/],
    [
      'another value of a header field',
      { headers: { ...headers, vary: 'Cookie' } },
      /Vary is Cookie/,
    ],
    [
      'an undocumented media type',
      { headers: { ...headers, 'content-type': 'text/plain' } },
      /media type text\/plain/,
    ],
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
